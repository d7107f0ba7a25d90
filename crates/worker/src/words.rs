//! What is said about a moment of a run.

use slabscope_core::oplog::Outcome;
use slabscope_core::pool::{Event, Pool as _, SpanId};
use slabscope_core::tell::{Teller, counted, grouped};
use slabscope_core::timeline::Applied;

use crate::protocol::{EVENTS_PAGE, Events, Say};
use crate::run::Run;

/// What the operation that leads to `step` did, in words. The timeline stands there.
pub(crate) fn outcome(run: &Run, step: u32, applied: Option<&Applied>) -> Option<String> {
    let applied = applied?;
    let requested = run.timeline.ops().requested(step.checked_sub(1)? as usize);
    let filled = kept_span(applied.outcome)
        .and_then(|id| run.timeline.pool().span(id))
        .map(|span| (span.used, span.capacity));
    let said = run.tell(|teller| teller.outcome(requested, applied.outcome, &applied.events, filled));
    Some(format!("Operation {}: {said}.", grouped(step.into())))
}

/// How much is data, what compaction would return, and what just happened.
pub(crate) fn sentence(run: &Run, happened: Option<String>) -> Say {
    let pool = run.timeline.pool();
    let totals = pool.totals();
    let more = happened.unwrap_or_else(|| "Press play, or move the slider below".to_owned());
    if totals.pages == 0 {
        return Say {
            lead: "The pool is ".to_owned(),
            strong: "empty".to_owned(),
            rest: ".".to_owned(),
            more,
        };
    }
    let whole = totals.pages * u64::from(run.page_bytes);
    let share = (totals.bytes * 200 / whole.max(1)).div_ceil(2);
    let freeable: u64 = pool.classes().iter().map(|class| class.freeable_pages).sum();
    let rest = match run.terms().compacting {
        Some(compacting) if freeable == 0 => format!(". {compacting} now would return none of them."),
        Some(compacting) => format!(". {compacting} now would return {} of them.", grouped(freeable)),
        None => ".".to_owned(),
    };
    Say {
        lead: format!("{} are ", counted(totals.pages, "page", "pages")),
        strong: format!("{share}\u{a0}% data"),
        rest,
        more,
    }
}

/// The operation that leads to `step`, in a few words.
pub(crate) fn headline(run: &mut Run, step: u32) -> String {
    let Some((op, class)) =
        run.timeline.events_of(step).map(|applied| (applied.op, class_of(applied.outcome)))
    else {
        return String::new();
    };
    let size = run.timeline.ops().requested(step as usize - 1);
    let said = run.tell(|teller: &Teller<'_>| teller.headline(op, size, class));
    format!("{}: {said}", grouped(step.into()))
}

/// One page of an operation's events.
pub(crate) fn events(run: &Run, applied: Option<&Applied>, page: u32) -> Events {
    let Some(applied) = applied else { return Events::default() };
    let total = applied.events.len() as u32;
    let before = (page.min(total.saturating_sub(1) / EVENTS_PAGE)) * EVENTS_PAGE;
    let shown = applied.events.iter().skip(before as usize).take(EVENTS_PAGE as usize);
    let lines = run
        .tell(|teller| shown.map(|event| (teller.event(event), about(event).map(|span| span.0))).collect());
    let moves = applied.events.iter().filter(|event| matches!(event, Event::Moved { .. })).count() as u32;
    Events { lines, before, total, moves, compaction: matches!(applied.outcome, Outcome::Compacted(_)) }
}

/// The span that an operation touched.
pub(crate) fn touched(applied: &Applied) -> Option<SpanId> {
    match applied.outcome {
        Outcome::Placed(at) => Some(at.span),
        Outcome::Freed(freed) => Some(freed.from.span),
        _ => None,
    }
}

/// The same, if it is still there.
fn kept_span(outcome: Outcome) -> Option<SpanId> {
    match outcome {
        Outcome::Placed(at) => Some(at.span),
        Outcome::Freed(freed) if !freed.span_freed => Some(freed.from.span),
        _ => None,
    }
}

fn class_of(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Placed(at) => Some(at.class),
        Outcome::Freed(freed) => Some(freed.from.class),
        _ => None,
    }
}

/// The span that an event is about, if it is one to look at.
fn about(event: &Event) -> Option<SpanId> {
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
