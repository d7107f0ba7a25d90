//! What is said about a moment of a run.

use slabscope_core::oplog::Outcome;
use slabscope_core::pool::{Event, ObjectId, Pool as _, SpanId, Why};
use slabscope_core::tell::{Teller, counted, grouped};
use slabscope_core::timeline::Applied;
use slabscope_core::zsmalloc::Compacting;

use crate::protocol::{EVENTS_PAGE, Link, List, Say};
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

/// The operation that leads to `step`, in a few words; none if it is not recorded.
pub(crate) fn headline(run: &Run, step: u32) -> String {
    let ops = run.timeline.ops();
    let index = step.checked_sub(1).filter(|_| step <= run.timeline.recorded());
    let Some((index, op)) = index.and_then(|index| Some((index as usize, ops.get(index as usize)?))) else {
        return String::new();
    };
    let size = ops.requested(index);
    let class = size.and_then(|size| run.timeline.pool().class_of(size));
    let said = run.tell(|teller: &Teller<'_>| teller.headline(op, size, class));
    format!("{}: {said}", grouped(step.into()))
}

/// One page of an operation's events.
pub(crate) fn events(run: &Run, applied: Option<&Applied>, page: u32) -> List {
    let Some(applied) = applied else { return List::default() };
    let total = applied.events.len() as u32;
    let before = (page.min(total.saturating_sub(1) / EVENTS_PAGE)) * EVENTS_PAGE;
    let shown = applied.events.iter().skip(before as usize).take(EVENTS_PAGE as usize);
    let lines = run.tell(|teller| shown.map(|event| (teller.event(event), about(event))).collect());
    let compacted = matches!(applied.outcome, Outcome::Compacted(_));
    let title = if compacted { "Compaction, move by move" } else { "What happened" };
    let note = if compacted { compaction(run, &applied.events) } else { String::new() };
    List { title: title.to_owned(), note, lines, before, total }
}

/// What a compaction did in sum, and by which rules.
fn compaction(run: &Run, events: &[Event]) -> String {
    let terms = run.terms();
    let (mut sources, mut destinations, mut moves, mut freed, mut classes) = (0u64, 0u64, 0u64, 0u64, 0u64);
    for event in events {
        match event {
            Event::SourceTaken { .. } => sources += 1,
            Event::DestinationTaken { why: Why::StillHeld, .. } => {}
            Event::DestinationTaken { .. } => destinations += 1,
            Event::Moved { .. } => moves += 1,
            Event::SpanFreed { .. } => freed += 1,
            Event::ClassDone { .. } => classes += 1,
            _ => {}
        }
    }
    format!(
        "{} looked at. {} taken as sources, {} as destinations; {}, {} given back. {}",
        counted(classes, terms.class, terms.classes),
        counted(sources, terms.span, terms.spans),
        grouped(destinations),
        counted(moves, "object moved", "objects moved"),
        counted(freed, terms.span, terms.spans),
        run.compacting.map_or("", rules)
    )
}

/// How a generation compacts.
const fn rules(compacting: Compacting) -> &'static str {
    match compacting {
        Compacting::AlmostEmptyOnly => {
            "Rules of 4.2: the first almost empty zspage is the source, whether or not one can be gained; its \
             objects go to the first almost full zspage, else to an almost empty one."
        }
        Compacting::SourceFirst => {
            "Rules of 4.3 to 6.3: the first almost empty zspage is the source, else the first almost full one; it \
             goes back if none can be gained. Its objects go to the first almost full zspage, else to an almost \
             empty one."
        }
        Compacting::DestinationFirst => {
            "Rules since 6.4: while a zspage can be gained, the first of the fullest group with room is held as the \
             destination until it is full, and the first of the emptiest group in use is the source."
        }
    }
}

/// What happened to a span, or to an object, of late.
pub(crate) fn past(run: &Run, name: &str, events: &[(u32, Event)]) -> List {
    let line = |&(step, ref event): &(u32, Event)| {
        (format!("{}: {}", grouped(step.into()), run.tell(|teller| teller.event(event))), Link::Step(step))
    };
    let total = events.len() as u32;
    List {
        title: format!("What happened to {name}"),
        note: format!(
            "The last {} within {} operations.",
            counted(total.into(), "event", "events"),
            grouped(BACK.into())
        ),
        lines: events.iter().map(line).collect(),
        before: 0,
        total,
    }
}

/// Operations that are looked through for what happened to a span.
pub(crate) const BACK: u32 = 50_000;

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

/// What an event is about, if it is something to look at.
const fn about(event: &Event) -> Link {
    match *event {
        Event::SpanCreated { span, .. }
        | Event::Grouped { span, .. }
        | Event::SourceTaken { span, .. }
        | Event::DestinationTaken { span, .. } => Link::Span(span.0, None),
        Event::Placed { at, .. } => Link::Span(at.span.0, None),
        Event::Moved { from, to, .. } => Link::Span(to.span.0, Some(from.span.0)),
        Event::Removed { from, .. } => Link::Span(from.span.0, None),
        Event::SpanFreed { .. } | Event::ClassDone { .. } => Link::None,
    }
}

/// True if an event is about a span.
pub(crate) fn concerns(event: &Event, span: SpanId) -> bool {
    match event {
        Event::SpanFreed { span: id, .. } => *id == span,
        event => matches!(about(event), Link::Span(one, other) if one == span.0 || other == Some(span.0)),
    }
}

/// True if an event is about an object.
pub(crate) const fn moves(event: &Event, object: ObjectId) -> bool {
    match event {
        Event::Placed { object: id, .. }
        | Event::Removed { object: id, .. }
        | Event::Moved { object: id, .. } => id.0 == object.0,
        _ => false,
    }
}
