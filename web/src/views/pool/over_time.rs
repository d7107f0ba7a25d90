//! Quantities over time: a plot that the worker draws, and its values as text.

use slabscope_worker::protocol::{Answer, Request, Surface};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::seen::Seen;
use super::surface::SurfaceCanvas;
use crate::canvas::Size;
use crate::worker::Client;

/// What the section needs.
pub(super) struct OverTime<'a> {
    pub(super) worker: &'a Client<Answer>,
    pub(super) seen: &'a Seen,
    /// Which plot.
    pub(super) panel: &'a UseStateHandle<u8>,
    pub(super) on_size: Callback<(Surface, Size)>,
    /// How often the worker lost the canvas.
    pub(super) crashes: u32,
}

/// Plot, values and their copy.
pub(super) fn over_time(props: OverTime<'_>) -> Html {
    let panels = props.seen.cast.as_ref().map_or(&[][..], |cast| &cast.panels);
    let figures = props.seen.read.as_ref().unwrap_or(&props.seen.moment.figures);
    let shown = **props.panel;
    let onchange = {
        let panel = props.panel.clone();
        move |event: Event| {
            panel.set(event.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as u8);
        }
    };
    let label = panels.get(usize::from(shown)).cloned().unwrap_or_default();
    let copy = {
        let worker = props.worker.clone();
        move |_: MouseEvent| worker.ask(&Request::Csv)
    };
    html! {
        <section class="section">
            <div class="head"><h2>{ "Over time" }</h2>
                <select class="input" aria-label="Quantities" {onchange}>
                    for (at, name) in panels.iter().enumerate() { <option key={at} selected={at == usize::from(shown)}>{ name }</option> }
                </select></div>
            <div class="over-time"><SurfaceCanvas key={props.crashes} worker={props.worker.clone()} on={Surface::Plot} label={format!("{label} over time")} on_size={props.on_size} /></div>
            <p class="head"><span class="fine">{ &figures.title }</span><button type="button" class="link" onclick={copy}>{ "Copy all as CSV" }</button></p>
            <dl class="list">for (name, value) in &figures.values { <dt key={name.clone()}>{ name }</dt><dd>{ value }</dd> }</dl>
        </section>
    }
}
