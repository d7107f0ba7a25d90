//! The map of the pool: its canvas, which the worker draws on, and the controls around it.

use slabscope_core::tell::{grouped, hundredths};
use slabscope_scenario::act::{Act, label, tip};
use slabscope_worker::protocol::{Arrangement, ClassRow, Colouring, Link, Request, Scroll, Sight, Surface};
use web_sys::{HtmlDetailsElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{Ctx, Do};
use crate::views::plain::{cells, head};

/// Map, tools and table.
pub(super) fn map(ctx: &Ctx<'_>) -> Html {
    let terms = (&ctx.cast.span, &ctx.cast.spans);
    let words = format!("Map of the pool: {} as bars, rows by {}, columns by group", terms.1, ctx.cast.class);
    let hint = match &ctx.seen.over {
        Some(over) => format!("{}.", over.words),
        None if ctx.look.sight.arrangement == Arrangement::Flat => {
            format!("A cell is a {}, filled as far as it is full.", terms.0)
        }
        None => format!("A bar is a {}: as wide as its pages, filled where objects are.", terms.0),
    };
    html! {
        <section class="map" aria-label="Map of the pool">
            { tools(ctx) }
            <div class="map-frame" tabindex="0" role="group" onwheel={on_wheel(ctx)} data-drawn={hundredths(ctx.moment.took.into())} data-memory={ctx.moment.memory.to_string()}
                aria-label="Map. Up and down choose a bar, plus and minus zoom, page up, page down and W, A, S, D move it">
                { ctx.surface(Surface::Map, words) }
            </div>
            <p class="fine map-foot">
                { hint }{ format!(" {} {}.", grouped(ctx.moment.spans.into()), terms.1) }
                if ctx.moment.lowest > 0.0 {
                    <label class="push">{ "Scroll " }<input type="range" min="0" max={(ctx.moment.lowest.ceil() as u32).to_string()} value={(ctx.moment.top.round() as u32).to_string()}
                        aria-label="Scroll the map" oninput={ctx.act.reform(|event: InputEvent| {
                            let to = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
                            Do::Ask(Request::Scroll(Scroll::To(to as f32)))
                        })} /></label>
                }
            </p>
            { table(ctx) }
        </section>
    }
}

fn on_wheel(ctx: &Ctx<'_>) -> impl Fn(WheelEvent) + 'static {
    let act = ctx.act.clone();
    let (top, lowest, wide) = (ctx.moment.top, ctx.moment.lowest, ctx.moment.wide);
    move |event: WheelEvent| {
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            return act.emit(Do::Zoom(if event.delta_y() < 0.0 { 1.15 } else { 1.0 / 1.15 }));
        }
        let by = event.delta_y() as f32;
        // At either end the page may scroll instead.
        if (by > 0.0 && top < lowest) || (by < 0.0 && top > 0.0) || (wide && event.delta_x().abs() > 0.0) {
            event.prevent_default();
            act.emit(Do::Ask(Request::Scroll(Scroll::By(event.delta_x() as f32, by))));
        }
    }
}

fn tools(ctx: &Ctx<'_>) -> Html {
    let sight = ctx.look.sight;
    let on_arrangement = ctx.act.reform(move |at: usize| {
        let arrangement = Arrangement::ALL.get(at).map_or(sight.arrangement, |found| found.0);
        Do::Sight(Sight { arrangement, ..sight })
    });
    let on_colouring = ctx.act.reform(move |at: usize| {
        let colouring = Colouring::ALL.get(at).map_or(sight.colouring, |found| found.0);
        Do::Sight(Sight { colouring, ..sight })
    });
    let button = |text: &'static str, act: Act| {
        html! { <button type="button" class="button" aria-label={label(act)} title={tip(act)} onclick={ctx.on(Do::Act(act))}>{ text }</button> }
    };
    html! {
        <div class="tools map-tools">
            { pick("Arrange", &Arrangement::ALL.map(|(_, word)| word), sight.arrangement as usize, &on_arrangement) }
            { pick("Colour", &Colouring::ALL.map(|(_, word)| word), sight.colouring as usize, &on_colouring) }
            <span class="chips">{ button("\u{2212}", Act::Zoom(-1)) }{ button("+", Act::Zoom(1)) }</span>
            { legend(ctx) }
        </div>
    }
}

/// A list to pick from by place.
fn pick(name: &'static str, words: &[&'static str], chosen: usize, on_pick: &Callback<usize>) -> Html {
    let onchange = on_pick.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as usize
    });
    html! {
        <label>{ name }{ " " }
            <select class="input" {onchange}>
                for (at, word) in words.iter().enumerate() { <option key={at} selected={at == chosen}>{ *word }</option> }
            </select>
        </label>
    }
}

fn legend(ctx: &Ctx<'_>) -> Html {
    let (low, high) = match ctx.look.sight.colouring {
        Colouring::Fullness => ("Nearly empty", "full"),
        Colouring::Age => ("Old", "new"),
        Colouring::Class => ("Small objects", "large"),
        Colouring::Freeable => {
            return html! {
                <div class="legend push">
                    <span><i class="swatch free" />{ "its class would return pages" }</span>
                    <span><i class="swatch data" />{ "would not" }</span>
                </div>
            };
        }
    };
    html! {
        <div class="legend push">
            <span>{ low }</span>
            <i class="ramp" />
            <span>{ high }</span>
            if ctx.cast.has_huge { <span><i class="swatch huge" />{ "huge" }</span> }
        </div>
    }
}

/// The map's table: a row per class that holds something.
fn table(ctx: &Ctx<'_>) -> Html {
    let on_toggle =
        ctx.act.reform(|event: Event| Do::Table(event.target_unchecked_into::<HtmlDetailsElement>().open()));
    let over = ctx.seen.over.as_ref().map(|over| over.size);
    let mut columns = vec!["Class"];
    columns.extend(ctx.cast.groups.iter().map(String::as_str));
    columns.extend(["Objects", "Room for", "Pages", "Freeable"]);
    let numbers = |row: &ClassRow| {
        let mut texts = vec![row.size.to_string()];
        texts.extend(row.groups.iter().map(u32::to_string));
        texts.extend([row.objects, row.capacity, row.pages, row.freeable].map(grouped));
        cells(texts)
    };
    html! {
        <details class="map-table" ontoggle={on_toggle}>
            <summary class="link">{ "Show as table" }</summary>
            <div class="scroll" tabindex="0" role="group" aria-label="Classes">
                <table>
                    { head(&columns) }
                    <tbody onpointerleave={ctx.on::<PointerEvent>(Do::Point(Link::None))}>
                        for row in &ctx.moment.table {
                            <tr key={row.size} class={classes!((over == Some(row.size)).then_some("over"))}
                                onpointerenter={ctx.on::<PointerEvent>(Do::Point(Link::Class(row.size)))}>
                                { numbers(row) }
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
        </details>
    }
}
