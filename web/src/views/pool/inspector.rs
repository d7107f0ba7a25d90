//! The span that is followed, its class, and what the last operation did event by event.

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::{Slot, SpanPicture};
use slabscope_core::pool::{Event, Pool as _, SlotView, SpanId, SpanView};
use slabscope_core::tell::{counted, grouped};
use yew::prelude::*;

use super::run::{Moment, Run};
use super::with_teller;
use crate::views::span_figure::SpanFigure;

#[derive(Properties, PartialEq)]
pub(super) struct InspectorProps {
    pub(super) run: Rc<Run>,
    pub(super) step: u32,
    pub(super) theme: Theme,
    pub(super) selected: Option<SpanId>,
    pub(super) select: Callback<Option<SpanId>>,
}

/// A span close up, its class, and the events.
#[component]
pub(super) fn Inspector(props: &InspectorProps) -> Html {
    let moment = props.run.at(props.step);
    let span = props.selected.and_then(|id| moment.pool.span(id));
    let term = capital(props.run.terms().span);
    html! {
        <>
            if let Some(span) = span {
                { close_up(props, &moment, &span) }
                { class_groups(props, &moment, span.class) }
            } else {
                <section class="section">
                    <h2>{ match props.selected { Some(id) => format!("{term} {} is gone", id.0), None => format!("No {} chosen", props.run.terms().span) } }</h2>
                    <p class="dim">{ "Choose a bar on the map, or step through the operations." }</p>
                </section>
            }
            <Events run={props.run.clone()} step={props.step} select={props.select.clone()} />
        </>
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}

fn close_up(props: &InspectorProps, moment: &Moment, span: &SpanView) -> Html {
    let slots = moment.pool.slots(span.key);
    let picture = picture(&props.run, span, &slots);
    let terms = props.run.terms();
    let size = props.run.size_of(span.class);
    let group =
        props.run.groups().get(usize::from(span.group)).copied().unwrap_or_default().replace('_', " ");
    let label = format!("{} {}: {} of {} objects", capital(terms.span), span.id.0, span.used, span.capacity);
    let select = props.select.reform(|_: MouseEvent| None);
    html! {
        <section class="section">
            <div class="head"><h2>{ format!("{} {}", capital(terms.span), span.id.0) }</h2>
                <span class="dim">{ format!("{} {size}, {group}", terms.class) }</span></div>
            <SpanFigure {label} {picture} theme={props.theme} />
            <p class="fine">{ format!("{} of {} places in use; made by operation {}", span.used, span.capacity, grouped(span.born.into())) }
                { " " }<button type="button" class="link" onclick={select}>{ "Follow the operations instead" }</button></p>
            <div class="scroll slots">
                <table>
                    <thead><tr><th scope="col">{ "Slot" }</th><th scope="col">{ "Object" }</th><th scope="col">{ "Bytes" }</th><th scope="col">{ "Since" }</th><th scope="col">{ "Page" }</th></tr></thead>
                    <tbody>
                        for (index, slot) in slots.iter().enumerate() { { slot_row(index, slot, size, props.run.page_bytes()) } }
                    </tbody>
                </table>
            </div>
        </section>
    }
}

fn slot_row(index: usize, slot: &SlotView, size: u32, page: u32) -> Html {
    let from = index as u32 * size;
    let (first, last) = (from / page, (from + size.saturating_sub(1)) / page);
    let pages = if first == last { first.to_string() } else { format!("{first} and {last}") };
    match slot {
        SlotView::Used { object, size, born } => html! {
            <tr key={index}><td>{ index }</td><td>{ object.0 }</td><td>{ grouped((*size).into()) }</td><td>{ grouped((*born).into()) }</td><td>{ pages }</td></tr>
        },
        SlotView::Free { next } => {
            let said = match next {
                Some(0) => "free, next in line".to_owned(),
                Some(place) => format!("free, {} before it", grouped((*place).into())),
                None => "free".to_owned(),
            };
            html! { <tr key={index}><td>{ index }</td><td colspan="3" class="dim">{ said }</td><td>{ pages }</td></tr> }
        }
    }
}

/// Most places that are drawn one by one.
const DRAWN: usize = 512;

fn picture(run: &Run, span: &SpanView, slots: &[SlotView]) -> SpanPicture {
    let slot = |slot: &SlotView| match slot {
        SlotView::Used { object, size, .. } => {
            Slot { text: object.0.to_string(), data: Some(*size), selected: false }
        }
        SlotView::Free { next } => Slot { text: "free".to_owned(), data: None, selected: *next == Some(0) },
    };
    SpanPicture {
        page_bytes: run.page_bytes(),
        pages: span.pages,
        header: 0,
        size: run.size_of(span.class),
        handle: 0,
        slots: slots.iter().take(DRAWN).map(slot).collect(),
    }
}

/// How many spans of the class are in each group.
fn class_groups(props: &InspectorProps, moment: &Moment, class: u16) -> Html {
    let counts = moment.pool.group_counts(class);
    let totals = moment.pool.classes().into_iter().find(|totals| totals.class == class);
    let Some(totals) = totals else { return Html::default() };
    let terms = props.run.terms();
    let spans = counted(totals.spans.into(), terms.span, terms.spans);
    let pages = counted(u64::from(totals.spans) * u64::from(totals.pages_per_span), "page", "pages");
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    html! {
        <section class="section">
            <div class="head"><h2>{ format!("{} {}", capital(terms.class), totals.size) }</h2><span class="dim">{ format!("{spans}, {pages}") }</span></div>
            <table>
                <tbody>
                    for (group, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                        <tr key={group}>
                            <th scope="row">{ props.run.groups().get(group).copied().unwrap_or_default().replace('_', " ") }</th>
                            <td class="wide"><meter min="0" max={most.to_string()} value={count.to_string()}>{ count }</meter></td>
                            <td>{ count }</td>
                        </tr>
                    }
                </tbody>
            </table>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct EventsProps {
    run: Rc<Run>,
    step: u32,
    select: Callback<Option<SpanId>>,
}

/// Events shown at once.
const PAGE: usize = 40;

/// What the operation did, event by event; a long compaction page by page.
#[component]
fn Events(props: &EventsProps) -> Html {
    let at = use_state_eq(|| (0u32, 0usize));
    let (for_step, page) = *at;
    let page = if for_step == props.step { page } else { 0 };
    let events =
        props.run.with(|timeline| timeline.events_of(props.step).map(|applied| applied.events.clone()));
    let Some(events) = events.filter(|events| !events.is_empty()) else { return Html::default() };
    let lines: Vec<(String, Option<SpanId>)> = with_teller(&props.run, |teller| {
        let shown = events.iter().skip(page * PAGE).take(PAGE);
        shown.map(|event| (teller.event(event), span_of(event))).collect()
    });
    let moved = events.iter().filter(|event| matches!(event, Event::Moved { .. })).count();
    let pages = events.len().div_ceil(PAGE);
    let turn = |to: usize| {
        let (at, step) = (at.clone(), props.step);
        Callback::from(move |_: MouseEvent| at.set((step, to)))
    };
    html! {
        <section class="section events">
            <div class="head"><h2>{ if props.run.is_compaction(props.step) { "Compaction, move by move" } else { "What happened" } }</h2>
                if moved > 0 { <span class="dim">{ counted(moved as u64, "move", "moves") }</span> }</div>
            <ol start={(page * PAGE + 1).to_string()}>
                for (index, (line, span)) in lines.into_iter().enumerate() {
                    <li key={index}>
                        if let Some(span) = span {
                            <button type="button" class="event" onclick={props.select.reform(move |_: MouseEvent| Some(span))}>{ line }</button>
                        } else { { line } }
                    </li>
                }
            </ol>
            if pages > 1 {
                <p class="tools">
                    <button type="button" class="button" disabled={page == 0} onclick={turn(page.saturating_sub(1))}>{ "Earlier" }</button>
                    <span class="dim">{ format!("{} to {} of {}", page * PAGE + 1, (page * PAGE + PAGE).min(events.len()), events.len()) }</span>
                    <button type="button" class="button" disabled={page + 1 >= pages} onclick={turn(page + 1)}>{ "Later" }</button>
                </p>
            }
        </section>
    }
}

fn span_of(event: &Event) -> Option<SpanId> {
    match *event {
        Event::SpanCreated { span, .. }
        | Event::Grouped { span, .. }
        | Event::SourceTaken { span, .. }
        | Event::DestinationTaken { span, .. } => Some(span),
        Event::Placed { at, .. } => Some(at.span),
        Event::Moved { to, .. } => Some(to.span),
        Event::Removed { from, .. } => Some(from.span),
        Event::SpanFreed { .. } | Event::ClassDone { .. } => None,
    }
}
