//! The span that is followed, its class, and what the last operation did event by event.

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::{Slot as Drawn, SpanPicture};
use slabscope_core::tell::{counted, grouped};
use slabscope_worker::protocol::{Cast, Close, EVENTS_PAGE, Moment, Slot};
use yew::prelude::*;

use crate::views::span_figure::SpanFigure;

#[derive(Properties, PartialEq)]
pub(super) struct InspectorProps {
    pub(super) cast: Rc<Cast>,
    pub(super) moment: Rc<Moment>,
    pub(super) theme: Theme,
    /// Follows a span, or the operations.
    pub(super) select: Callback<Option<u32>>,
    /// Asks for a page of the events.
    pub(super) turn: Callback<u32>,
}

/// A span close up, its class, and the events.
#[component]
pub(super) fn Inspector(props: &InspectorProps) -> Html {
    let term = &props.cast.span;
    html! {
        <>
            if let Some(close) = &props.moment.close {
                { close_up(props, close) }
                { class_groups(close) }
            } else {
                <section class="section">
                    <h2>{ match props.moment.followed { Some(id) => format!("The {term} {id} is gone"), None => format!("No {term} chosen") } }</h2>
                    <p class="dim">{ "Choose a bar on the map, or step through the operations." }</p>
                </section>
            }
            { events(props) }
        </>
    }
}

fn close_up(props: &InspectorProps, close: &Close) -> Html {
    let picture = picture(props.cast.page_bytes, close);
    let select = props.select.reform(|_: MouseEvent| None);
    html! {
        <section class="section">
            <div class="head"><h2>{ &close.title }</h2><span class="dim">{ &close.subtitle }</span></div>
            <SpanFigure label={format!("{}: {}", close.title, close.note)} {picture} theme={props.theme} />
            <p class="fine">{ &close.note }
                { " " }<button type="button" class="link" onclick={select}>{ "Follow the operations instead" }</button></p>
            <div class="scroll slots">
                <table>
                    <thead><tr><th scope="col">{ "Slot" }</th><th scope="col">{ "Object" }</th><th scope="col">{ "Bytes" }</th><th scope="col">{ "Since" }</th><th scope="col">{ "Page" }</th></tr></thead>
                    <tbody>
                        for (index, slot) in close.slots.iter().enumerate() { { slot_row(index, *slot, close.size, props.cast.page_bytes) } }
                    </tbody>
                </table>
            </div>
        </section>
    }
}

fn slot_row(index: usize, slot: Slot, size: u32, page: u32) -> Html {
    let from = index as u32 * size;
    let (first, last) = (from / page, (from + size.saturating_sub(1)) / page);
    let pages = if first == last { first.to_string() } else { format!("{first} and {last}") };
    match slot {
        Slot::Used(object, size, born) => html! {
            <tr key={index}><td>{ index }</td><td>{ object }</td><td>{ grouped(size.into()) }</td><td>{ grouped(born.into()) }</td><td>{ pages }</td></tr>
        },
        Slot::Free(next) => {
            let said = match next {
                Some(0) => "free, next in line".to_owned(),
                Some(place) => format!("free, {} before it", grouped(place.into())),
                None => "free".to_owned(),
            };
            html! { <tr key={index}><td>{ index }</td><td colspan="3" class="dim">{ said }</td><td>{ pages }</td></tr> }
        }
    }
}

/// Most places that are drawn one by one.
const DRAWN: usize = 512;

fn picture(page_bytes: u32, close: &Close) -> SpanPicture {
    let slot = |slot: &Slot| match *slot {
        Slot::Used(object, size, _) => Drawn { text: object.to_string(), data: Some(size), selected: false },
        Slot::Free(next) => Drawn { text: "free".to_owned(), data: None, selected: next == Some(0) },
    };
    SpanPicture {
        page_bytes,
        pages: close.pages,
        header: 0,
        size: close.size,
        handle: 0,
        slots: close.slots.iter().take(DRAWN).map(slot).collect(),
    }
}

/// How many spans of the class are in each group.
fn class_groups(close: &Close) -> Html {
    let most = close.groups.iter().map(|(_, count)| *count).max().unwrap_or(1);
    html! {
        <section class="section">
            <div class="head"><h2>{ &close.class_title }</h2><span class="dim">{ &close.class_note }</span></div>
            <table>
                <tbody>
                    for (name, count) in &close.groups {
                        <tr key={name.clone()}>
                            <th scope="row">{ name }</th>
                            <td class="wide"><meter min="0" max={most.to_string()} value={count.to_string()}>{ count }</meter></td>
                            <td>{ count }</td>
                        </tr>
                    }
                </tbody>
            </table>
        </section>
    }
}

/// What the operation did, event by event; a long compaction page by page.
fn events(props: &InspectorProps) -> Html {
    let events = &props.moment.events;
    if events.total == 0 {
        return Html::default();
    }
    let (page, last) = (events.before / EVENTS_PAGE, (events.total - 1) / EVENTS_PAGE);
    let turn = |to: u32| props.turn.reform(move |_: MouseEvent| to);
    let shown =
        format!("{} to {} of {}", events.before + 1, events.before + events.lines.len() as u32, events.total);
    html! {
        <section class="section events">
            <div class="head"><h2>{ if events.compaction { "Compaction, move by move" } else { "What happened" } }</h2>
                if events.moves > 0 { <span class="dim">{ counted(events.moves.into(), "move", "moves") }</span> }</div>
            <ol start={(events.before + 1).to_string()}>
                for (index, (line, span)) in events.lines.iter().enumerate() {
                    <li key={index}>
                        if let Some(span) = *span {
                            <button type="button" class="event" onclick={props.select.reform(move |_: MouseEvent| Some(span))}>{ line }</button>
                        } else { { line } }
                    </li>
                }
            </ol>
            if last > 0 {
                <p class="tools">
                    <button type="button" class="button" disabled={page == 0} onclick={turn(page.saturating_sub(1))}>{ "Earlier" }</button>
                    <span class="dim">{ shown }</span>
                    <button type="button" class="button" disabled={page >= last} onclick={turn(page + 1)}>{ "Later" }</button>
                </p>
            }
        </section>
    }
}
