//! Jumping to the next step at which something of interest happens.

use super::series::{Mark, MarkKind, Sample};
use crate::oplog::Outcome;
use crate::pool::{Event, Sink, SpanId};

/// A kind of step to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// A span came from the page allocator.
    SpanCreated,
    /// A span went back to it.
    SpanFreed,
    /// The pool was compacted.
    Compacted,
    /// An allocation failed.
    Failed,
    /// The first object ever in a class.
    FirstInClass,
    /// The first object ever in a huge class.
    FirstHuge,
}

impl Interest {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::SpanCreated,
        Self::SpanFreed,
        Self::Compacted,
        Self::Failed,
        Self::FirstInClass,
        Self::FirstHuge,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To later steps.
    Forward,
    /// To earlier steps.
    Backward,
}

/// What to look for: any of some kinds, or whatever touches one span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    kinds: u8,
    span: Option<SpanId>,
}

impl Filter {
    /// A step of one of these kinds.
    pub fn of(kinds: &[Interest]) -> Self {
        Self { kinds: kinds.iter().fold(0, |bits, kind| bits | kind.bit()), span: None }
    }

    /// A step that touches this span.
    pub const fn span(span: SpanId) -> Self {
        Self { kinds: 0, span: Some(span) }
    }

    const fn has(self, kind: Interest) -> bool {
        self.kinds & kind.bit() != 0
    }

    /// True if a mark made while recording is what is looked for.
    pub(super) fn wants_mark(self, mark: &Mark) -> bool {
        match mark.kind {
            MarkKind::FirstInClass { huge, .. } => {
                self.has(Interest::FirstInClass) || (huge && self.has(Interest::FirstHuge))
            }
            MarkKind::Compacted { .. } | MarkKind::Failed => false,
        }
    }

    /// False if no operation of a stretch can be what is looked for, marks aside.
    pub(super) fn may_be_in(self, sample: &Sample) -> bool {
        (self.has(Interest::SpanCreated) && sample.spans_created > 0)
            || (self.has(Interest::SpanFreed) && sample.spans_freed > 0)
            || (self.has(Interest::Compacted) && sample.compactions > 0)
            || (self.has(Interest::Failed) && sample.failures > 0)
            || self.span.is_some_and(|span| sample.youngest.is_some_and(|youngest| span <= youngest))
    }

    pub(super) const fn followed(self) -> Option<SpanId> {
        self.span
    }
}

/// Watches the events of one operation for what a filter wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    filter: Filter,
    hit: bool,
}

impl Probe {
    pub(super) const fn new(filter: Filter) -> Self {
        Self { filter, hit: false }
    }

    pub(super) fn hit(self, outcome: Outcome) -> bool {
        self.hit
            || match outcome {
                Outcome::Compacted(_) => self.filter.has(Interest::Compacted),
                Outcome::Failed(_) => self.filter.has(Interest::Failed),
                _ => false,
            }
    }
}

impl Sink for Probe {
    fn event(&mut self, event: Event) {
        let kind = match event {
            Event::SpanCreated { .. } => self.filter.has(Interest::SpanCreated),
            Event::SpanFreed { .. } => self.filter.has(Interest::SpanFreed),
            _ => false,
        };
        self.hit |= kind || self.filter.span.is_some_and(|span| touches(event, span));
    }
}

fn touches(event: Event, wanted: SpanId) -> bool {
    match event {
        Event::SpanCreated { span, .. }
        | Event::SpanFreed { span, .. }
        | Event::Grouped { span, .. }
        | Event::SourceTaken { span, .. }
        | Event::DestinationTaken { span, .. } => span == wanted,
        Event::Placed { at, .. } => at.span == wanted,
        Event::Removed { from, .. } => from.span == wanted,
        Event::Moved { from, to, .. } => from.span == wanted || to.span == wanted,
        Event::ClassDone { .. } => false,
    }
}
