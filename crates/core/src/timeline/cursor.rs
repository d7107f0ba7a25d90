//! A pool that can be put at any recorded step.

use super::snapshots::Snapshots;
use crate::oplog::{Outcome, apply};
use crate::ops::{Op, Ops};
use crate::pool::{Event, Ignore, Pool, Sink};

/// What one operation did: the operation, its outcome and its events in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The operation.
    pub op: Op,
    /// What it did.
    pub outcome: Outcome,
    /// What happened inside the pool, in order.
    pub events: Vec<Event>,
}

#[derive(Clone, Debug)]
pub(super) struct Cursor<P> {
    pool: P,
    step: u32,
    /// The operation that led here, if it was applied here and not skipped by loading a copy.
    last: Option<Applied>,
}

impl<P: Pool> Cursor<P> {
    pub(super) fn new(start: P) -> Self {
        Self { pool: start, step: 0, last: None }
    }

    pub(super) fn pool(&self) -> &P {
        &self.pool
    }

    pub(super) fn step(&self) -> u32 {
        self.step
    }

    /// The operation that led here, if it is at hand.
    pub(super) fn last(&self) -> Option<&Applied> {
        self.last.as_ref()
    }

    /// Puts the pool at a step, whichever way costs least: onward from where it is, or from a copy. Keeps the
    /// events of the operation that leads there, if it has to be applied.
    pub(super) fn seek(&mut self, step: u32, ops: &Ops, snapshots: &Snapshots<P>) {
        let copy = snapshots.before(step);
        let onward = step.checked_sub(self.step);
        if onward.is_none_or(|onward| onward > (step - copy.step).saturating_add(copy.load_cost())) {
            self.pool.clone_from(&copy.pool);
            self.step = copy.step;
            self.last = None;
        }
        while self.step + 1 < step && self.advance(ops, &mut Ignore).is_some() {}
        if self.step < step {
            self.advance_in_words(ops);
        }
    }

    /// Goes on to a later step by playing; every event on the way goes to `sink`, and those of the last operation
    /// are kept too.
    pub(super) fn onward<S: Sink>(&mut self, step: u32, ops: &Ops, sink: &mut S) {
        while self.step + 1 < step && self.advance(ops, sink).is_some() {}
        if self.step < step {
            self.advance_in_words(ops);
            for &event in self.last.iter().flat_map(|last| &last.events) {
                sink.event(event);
            }
        }
    }

    /// As [`Self::seek`], and makes sure that the events of the operation that leads there are at hand.
    pub(super) fn seek_in_words(&mut self, step: u32, ops: &Ops, snapshots: &Snapshots<P>) {
        if step > 0 && (self.step != step || self.last.is_none()) {
            self.seek(step - 1, ops, snapshots);
            self.advance_in_words(ops);
        }
    }

    /// Applies the next operation; its events go to `sink`. `None` at the end.
    #[inline]
    pub(super) fn advance<S: Sink>(&mut self, ops: &Ops, sink: &mut S) -> Option<(Op, Outcome)> {
        let op = ops.get(self.step as usize)?;
        let outcome = apply(&mut self.pool, op, sink);
        self.step += 1;
        self.last = None;
        Some((op, outcome))
    }

    fn advance_in_words(&mut self, ops: &Ops) {
        let mut events = Vec::new();
        if let Some((op, outcome)) = self.advance(ops, &mut events) {
            self.last = Some(Applied { op, outcome, events });
        }
    }
}
