//! Quantities over time: a plot that the worker draws, and its values as text.

use slabscope_worker::protocol::{Answer, Request, Surface};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::seen::Seen;
use super::surface::SurfaceCanvas;
use crate::canvas::Size;
use crate::worker::Client;

#[derive(Properties, PartialEq)]
pub(super) struct OverTimeProps {
    pub(super) worker: Client<Answer>,
    pub(super) seen: UseReducerHandle<Seen>,
    /// Which plot.
    pub(super) panel: u8,
    pub(super) on_panel: Callback<u8>,
    pub(super) on_size: Callback<(Surface, Size)>,
    /// How often the worker lost the canvas.
    pub(super) crashes: u32,
}

/// Plot, values and their copy.
#[component]
pub(super) fn OverTime(props: &OverTimeProps) -> Html {
    let panels = props.seen.cast.as_ref().map_or(&[][..], |cast| &cast.panels);
    let figures = props.seen.read.as_ref().unwrap_or(&props.seen.moment.figures);
    let onchange = props.on_panel.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as u8
    });
    let label = panels.get(usize::from(props.panel)).cloned().unwrap_or_default();
    let copy = {
        let worker = props.worker.clone();
        move |_: MouseEvent| worker.ask(&Request::Csv)
    };
    html! {
        <section class="section">
            <div class="head"><h2>{ "Over time" }</h2>
                <select class="input" aria-label="Quantities" {onchange}>
                    for (at, name) in panels.iter().enumerate() { <option key={at} selected={at == usize::from(props.panel)}>{ name }</option> }
                </select></div>
            <div class="over-time"><SurfaceCanvas key={props.crashes} worker={props.worker.clone()} on={Surface::Plot} label={format!("{label} over time")} on_size={props.on_size.clone()} /></div>
            <p class="head"><span class="fine">{ &figures.title }</span><button type="button" class="link" onclick={copy}>{ "Copy all as CSV" }</button></p>
            <dl class="list">for (name, value) in &figures.values { <dt key={name.clone()}>{ name }</dt><dd>{ value }</dd> }</dl>
        </section>
    }
}
