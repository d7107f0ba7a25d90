//! Quantities over time: a plot that the worker draws, and its values as text.

use slabscope_worker::protocol::{Request, Surface};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::{Ctx, Do};

/// Plot, values and a file of them.
pub(super) fn over_time(ctx: &Ctx<'_>) -> Html {
    let panels = &ctx.cast.panels;
    let figures = ctx.seen.read.as_ref().unwrap_or(&ctx.moment.figures);
    let shown = ctx.look.panel;
    let onchange = ctx.act.reform(|event: Event| {
        Do::Panel(event.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as u8)
    });
    let label = panels.get(usize::from(shown)).cloned().unwrap_or_default();
    html! {
        <section class="section">
            <div class="head"><h2>{ "Over time" }</h2>
                <select class="input" aria-label="Quantities" {onchange}>
                    for (at, name) in panels.iter().enumerate() { <option key={at} selected={at == usize::from(shown)}>{ name }</option> }
                </select></div>
            <div class="over-time">{ ctx.surface(Surface::Plot, format!("{label} over time")) }</div>
            <p class="head"><span class="fine">{ &figures.title }</span><button type="button" class="link" onclick={ctx.on::<MouseEvent>(Do::Ask(Request::Csv))}>{ "Save all as CSV" }</button></p>
            <dl class="list">for (name, value) in &figures.values { <dt key={name.clone()}>{ name }</dt><dd>{ value }</dd> }</dl>
        </section>
    }
}
