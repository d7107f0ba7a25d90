//! A pool that can be put at any recorded step.

use super::snapshots::Snapshots;
use crate::oplog::{LogDigest, Outcome, apply};
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

    /// Where the way to a step starts that costs least: here, or at a copy.
    pub(super) fn start(&self, step: u32, snapshots: &Snapshots<P>) -> u32 {
        let copy = snapshots.before(step);
        let onward = step.checked_sub(self.step);
        let cost = (step - copy.step).saturating_add(copy.load_cost());
        if onward.is_some_and(|onward| onward <= cost) { self.step } else { copy.step }
    }

    /// Goes to where the way to a step starts.
    pub(super) fn load(&mut self, step: u32, snapshots: &Snapshots<P>) {
        if self.start(step, snapshots) != self.step {
            let copy = snapshots.before(step);
            self.pool = copy.pool.clone();
            self.step = copy.step;
            self.last = None;
        }
    }

    /// Puts the pool at a step. Keeps the events of the operation that leads there, if it has to be applied.
    pub(super) fn seek(&mut self, step: u32, ops: &Ops, snapshots: &Snapshots<P>) {
        self.load(step, snapshots);
        self.play(step, ops, &mut Ignore, None);
    }

    /// Goes on to a later step by playing; every event on the way goes to `sink`, and those of the last operation
    /// are kept too. The digest goes along.
    pub(super) fn play<S: Sink>(
        &mut self,
        step: u32,
        ops: &Ops,
        sink: &mut S,
        mut digest: Option<&mut LogDigest>,
    ) {
        while self.step < step {
            let index = self.step as usize;
            let done = if self.step + 1 == step {
                self.advance_in_words(ops);
                self.last.iter().flat_map(|last| &last.events).for_each(|&event| sink.event(event));
                self.last.as_ref().map(|last| (last.op, last.outcome))
            } else {
                self.advance(ops, sink)
            };
            let Some((op, outcome)) = done else { break };
            if let Some(digest) = &mut digest {
                digest.add(op, ops.name(index).unwrap_or(0), outcome);
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
