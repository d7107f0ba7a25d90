//! The map of the pool: its canvas, which the worker draws on, and the controls around it.

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_core::tell::{grouped, hundredths};
use slabscope_scenario::act::{Act, tip};
use slabscope_worker::protocol::{
    Answer, Arrangement, Cast, Colouring, Link, Moment, Over, Request, Scroll, Sight, Surface,
};
use web_sys::{HtmlDetailsElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::surface::SurfaceCanvas;
use crate::canvas::Size;
use crate::worker::Client;

#[derive(Properties, PartialEq)]
pub(super) struct MapProps {
    pub(super) worker: Client<Answer>,
    pub(super) cast: Rc<Cast>,
    pub(super) moment: Rc<Moment>,
    /// What the pointer is over.
    pub(super) over: Option<Over>,
    pub(super) sight: Sight,
    pub(super) on_sight: Callback<Sight>,
    /// Zooms by a factor.
    pub(super) zoom: Callback<f32>,
    pub(super) on_size: Callback<(Surface, Size)>,
    /// The pointer is on a text about this.
    pub(super) look: Callback<Link>,
    /// The table was opened or closed.
    pub(super) on_table: Callback<bool>,
    pub(super) theme: Theme,
    /// How often the worker lost the canvas.
    pub(super) crashes: u32,
}

/// Map, tools and table.
#[component]
pub(super) fn Map(props: &MapProps) -> Html {
    let terms = (&props.cast.span, &props.cast.spans);
    let label =
        format!("Map of the pool: {} as bars, rows by {}, columns by group", terms.1, props.cast.class);
    let hint = match &props.over {
        Some(over) => over.words.clone(),
        None if props.sight.arrangement == Arrangement::Flat => {
            format!("A cell is a {}, filled as far as it is full.", terms.0)
        }
        None => format!("A bar is a {}: as wide as its pages, filled where objects are.", terms.0),
    };
    html! {
        <section class="map" aria-label="Map of the pool">
            { tools(props) }
            <div class="map-frame" tabindex="0" role="group" onwheel={on_wheel(props)} data-drawn={hundredths(props.moment.took.into())}
                aria-label="Map. Up and down choose a bar, plus and minus zoom, page up, page down and W, A, S, D move it">
                <SurfaceCanvas key={props.crashes} worker={props.worker.clone()} on={Surface::Map} {label} on_size={props.on_size.clone()} zoom={props.zoom.clone()} />
            </div>
            <p class="fine map-foot">
                { hint }{ format!(" {} {}.", grouped(props.moment.spans.into()), terms.1) }
                if props.moment.lowest > 0.0 {
                    <label class="push">{ "Scroll " }<input type="range" min="0" max={(props.moment.lowest.ceil() as u32).to_string()} value={(props.moment.top.round() as u32).to_string()}
                        aria-label="Scroll the map" oninput={
                            let worker = props.worker.clone();
                            move |event: InputEvent| {
                                let to = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
                                worker.ask(&Request::Scroll(Scroll::To(to as f32)));
                            }
                        } /></label>
                }
            </p>
            { table(props) }
        </section>
    }
}

fn on_wheel(props: &MapProps) -> impl Fn(WheelEvent) + 'static {
    let (worker, zoom) = (props.worker.clone(), props.zoom.clone());
    let (top, lowest, wide) = (props.moment.top, props.moment.lowest, props.moment.wide);
    move |event: WheelEvent| {
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            return zoom.emit(if event.delta_y() < 0.0 { 1.15 } else { 1.0 / 1.15 });
        }
        let by = event.delta_y() as f32;
        // At either end the page may scroll instead.
        if (by > 0.0 && top < lowest) || (by < 0.0 && top > 0.0) || (wide && event.delta_x().abs() > 0.0) {
            event.prevent_default();
            worker.ask(&Request::Scroll(Scroll::By(event.delta_x() as f32, by)));
        }
    }
}

fn tools(props: &MapProps) -> Html {
    let (sight, set) = (props.sight, props.on_sight.clone());
    let on_arrangement = set.reform(move |at: usize| Sight {
        arrangement: Arrangement::ALL.get(at).map_or(sight.arrangement, |found| found.0),
        ..sight
    });
    let on_colouring = set.reform(move |at: usize| Sight {
        colouring: Colouring::ALL.get(at).map_or(sight.colouring, |found| found.0),
        ..sight
    });
    let button = |text: &'static str, act: Act, by: f32| {
        html! { <button type="button" class="button" aria-label={tip(act)} title={tip(act)} onclick={props.zoom.reform(move |_: MouseEvent| by)}>{ text }</button> }
    };
    html! {
        <div class="tools map-tools">
            { pick("Arrange", &Arrangement::ALL.map(|(_, word)| word), sight.arrangement as usize, &on_arrangement) }
            { pick("Colour", &Colouring::ALL.map(|(_, word)| word), sight.colouring as usize, &on_colouring) }
            <span class="chips">{ button("\u{2212}", Act::Zoom(-1), 0.8) }{ button("+", Act::Zoom(1), 1.25) }</span>
            { legend(props) }
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

fn legend(props: &MapProps) -> Html {
    let (low, high) = match props.sight.colouring {
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
            if props.cast.has_huge { <span><i class="swatch huge" />{ "huge" }</span> }
        </div>
    }
}

/// The map's table: a row per class that holds something.
fn table(props: &MapProps) -> Html {
    let on_toggle =
        props.on_table.reform(|event: Event| event.target_unchecked_into::<HtmlDetailsElement>().open());
    let over = props.over.as_ref().map(|over| over.size);
    html! {
        <details class="map-table" ontoggle={on_toggle}>
            <summary class="link">{ "Show as table" }</summary>
            <div class="scroll">
                <table>
                    <thead><tr>
                        <th scope="col">{ "Class" }</th>
                        for name in &props.cast.groups { <th scope="col" key={name.clone()}>{ name }</th> }
                        <th scope="col">{ "Objects" }</th><th scope="col">{ "Room for" }</th><th scope="col">{ "Pages" }</th><th scope="col">{ "Freeable" }</th>
                    </tr></thead>
                    <tbody onpointerleave={props.look.reform(|_: PointerEvent| Link::None)}>
                        for row in &props.moment.table {
                            <tr key={row.size} class={classes!((over == Some(row.size)).then_some("over"))}
                                onpointerenter={ let size = row.size; props.look.reform(move |_: PointerEvent| Link::Class(size)) }>
                                <td>{ row.size }</td>
                                for (group, count) in row.groups.iter().enumerate() { <td key={group}>{ count }</td> }
                                <td>{ grouped(row.objects) }</td><td>{ grouped(row.capacity) }</td>
                                <td>{ grouped(row.pages) }</td><td>{ grouped(row.freeable) }</td>
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
        </details>
    }
}
