//! The span that is followed, its class, and what the last operation did event by event.

use slabscope_core::tell::grouped;
use slabscope_scenario::Selection;
use slabscope_worker::protocol::{Close, EVENTS_PAGE, Link, List, Slot};
use yew::prelude::*;

use super::over_time::over_time;
use super::{Ctx, Do};
use crate::views::plain::head;
use crate::views::span_figure::SpanFigure;

/// A span close up, its class, and the events.
pub(super) fn inspector(ctx: &Ctx<'_>) -> Html {
    let term = &ctx.cast.span;
    html! {
        <>
            if let Some(close) = &ctx.moment.close {
                { close_up(ctx, close) }
                { class_groups(close) }
            } else {
                <section class="section">
                    <h2>{ match ctx.moment.followed { Some(id) => format!("The {term} {id} is gone"), None => format!("No {term} chosen") } }</h2>
                    <p class="dim">{ "Choose a bar on the map, or step through the operations." }</p>
                </section>
            }
            { over_time(ctx) }
            { list(ctx, &ctx.moment.events) }
            if ctx.selection.is_some() { { list(ctx, &ctx.seen.past) } }
        </>
    }
}

fn close_up(ctx: &Ctx<'_>, close: &Close) -> Html {
    let object = match ctx.selection {
        Some(Selection::Object(object)) => Some(object),
        _ => None,
    };
    let picture = close.picture(ctx.cast.page_bytes, object);
    let select = ctx.on::<MouseEvent>(Do::Select(None));
    html! {
        <section class="section">
            <div class="head"><h2>{ &close.title }</h2><span class="dim">{ &close.subtitle }</span></div>
            <SpanFigure label={format!("{}: {}", close.title, close.note)} {picture} theme={ctx.theme} />
            <p class="fine">{ &close.note }
                { " " }<button type="button" class="link" onclick={select}>{ "Follow the operations instead" }</button></p>
            <div class="scroll slots" tabindex="0" role="group" aria-label="Places">
                <table>
                    { head(&["Slot", "Object", "Bytes", "Since", "Page"]) }
                    <tbody>
                        for (index, slot) in close.slots.iter().enumerate() { { slot_row(ctx, index, *slot, close) } }
                    </tbody>
                </table>
            </div>
        </section>
    }
}

fn slot_row(ctx: &Ctx<'_>, index: usize, slot: Slot, close: &Close) -> Html {
    let page = ctx.cast.page_bytes.max(1);
    let from = close.header + index as u32 * close.size;
    let (first, last) = (from / page, (from + close.size.saturating_sub(1)) / page);
    let pages = if first == last { first.to_string() } else { format!("{first} and {last}") };
    match slot {
        Slot::Used(object, size, born) => html! {
            <tr key={index}><td>{ index }</td><td><button type="button" class="link" onclick={ctx.on::<MouseEvent>(Do::Select(Some(Selection::Object(object))))}>{ object }</button></td><td>{ grouped(size.into()) }</td><td>{ grouped(born.into()) }</td><td>{ pages }</td></tr>
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

/// Events line by line; a long compaction page by page.
fn list(ctx: &Ctx<'_>, list: &List) -> Html {
    if list.total == 0 {
        return Html::default();
    }
    let (page, last) = (list.before / EVENTS_PAGE, (list.total - 1) / EVENTS_PAGE);
    let turn = |to: u32| ctx.on::<MouseEvent>(Do::Page(to));
    let shown = format!("{} to {} of {}", list.before + 1, list.before + list.lines.len() as u32, list.total);
    html! {
        <section class="section events">
            <h2>{ &list.title }</h2>
            <p class="fine">{ &list.note }</p>
            <ol start={(list.before + 1).to_string()} onpointerleave={ctx.on::<PointerEvent>(Do::Point(Link::None))}>
                for (index, (line, link)) in list.lines.iter().enumerate() { <li key={index}>{ event(ctx, line, *link) }</li> }
            </ol>
            if last > 0 {
                <p class="head">
                    <button type="button" class="link" disabled={page == 0} onclick={turn(page.saturating_sub(1))}>{ "Before" }</button>
                    <span class="fine">{ shown }</span>
                    <button type="button" class="link" disabled={page == last} onclick={turn(page + 1)}>{ "After" }</button>
                </p>
            }
        </section>
    }
}

/// A line that shows on the map what it is about.
fn event(ctx: &Ctx<'_>, line: &str, link: Link) -> Html {
    if link == Link::None {
        return html! { { line } };
    }
    let over = ctx.seen.over.as_ref().map(|over| over.span);
    let is_over =
        matches!(link, Link::Span(one, other) if over.is_some_and(|over| over == one || Some(over) == other));
    html! {
        <button type="button" class={classes!("event", is_over.then_some("over"))} onclick={ctx.on::<MouseEvent>(Do::Follow(link))}
            onpointerenter={ctx.on::<PointerEvent>(Do::Point(link))} onfocus={ctx.on::<FocusEvent>(Do::Point(link))}>{ line }</button>
    }
}
