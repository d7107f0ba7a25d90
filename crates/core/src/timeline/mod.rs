//! The time machine: a pool driven by a stream of operations, put at any step at will.
//!
//! state = f(stream, step), always: a step is reached by applying the stream's operations to a copy of an earlier
//! state, never by playing anything backwards. Step `n` is the state after `n` operations.
//!
//! A timeline is recorded first, in slices ([`Timeline::record`]), which takes copies of the pool within a memory
//! budget and notes totals and marks; every recorded step can be visited meanwhile. It holds no clock and no
//! thread, so that a page or a worker decides when to go on.

mod cursor;
mod search;
mod series;
mod snapshots;

use std::collections::VecDeque;
use std::sync::Arc;

pub use cursor::Applied;
pub use search::{Direction, Filter, Interest};
pub use series::{MOST_GROUPS, Mark, MarkKind, MinMax, Sample};

use crate::oplog::{LogDigest, apply};
use crate::ops::Ops;
use crate::pool::{Event, Ignore, Pool, Sink};
use cursor::Cursor;
use search::Probe;
use series::Notes;
use snapshots::{Position, Snapshots};

/// How far a recording is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Operations recorded.
    pub recorded: u32,
    /// Operations of the stream.
    pub total: u32,
}

impl Progress {
    /// True when there is nothing left to record.
    pub const fn done(self) -> bool {
        self.recorded == self.total
    }
}

/// A pool, a stream of operations, and a cursor into it.
#[derive(Clone, Debug)]
pub struct Timeline<P> {
    ops: Arc<Ops>,
    /// The pool at the end of what is recorded.
    head: P,
    recorded: u32,
    digest: LogDigest,
    snapshots: Snapshots<P>,
    notes: Notes,
    cursor: Cursor<P>,
    /// A second cursor for looks at other steps; made when first needed.
    scout: Option<Cursor<P>>,
    /// The digest that was asked for last, and its step.
    known: (u32, LogDigest),
}

impl<P: Pool> Timeline<P> {
    /// A timeline of an empty pool and a stream, with nothing recorded yet. Copies of the pool may take
    /// `budget_bytes` in all. Operations beyond [`u32::MAX`] are left out.
    pub fn new(pool: P, ops: Arc<Ops>, budget_bytes: usize) -> Self {
        let total = count(&ops);
        Self {
            notes: Notes::new(&pool, total),
            snapshots: Snapshots::new(pool.clone(), budget_bytes),
            cursor: Cursor::new(pool.clone()),
            head: pool,
            recorded: 0,
            digest: LogDigest::new(),
            ops,
            scout: None,
            known: (0, LogDigest::new()),
        }
    }

    /// Has the samples count the objects that lie in two pages of so many bytes. To be called before anything is recorded.
    pub fn count_crossing(&mut self, page_bytes: u32) {
        self.notes.count_crossing(&self.head, page_bytes);
    }

    /// Records up to `most` further operations.
    pub fn record(&mut self, most: u32) -> Progress {
        let total = self.len();
        let until = self.recorded.saturating_add(most).min(total);
        while self.recorded < until {
            let index = self.recorded as usize;
            let Some(op) = self.ops.get(index) else { break };
            let outcome = apply(&mut self.head, op, &mut self.notes.tally);
            self.digest.add(op, self.ops.name(index).unwrap_or(0), outcome);
            self.recorded += 1;
            let step = self.recorded;
            self.notes.add(step, outcome, &self.head, self.digest, step == total);
            let work = self.notes.tally.events + u64::from(step);
            self.snapshots.look(&self.head, Position { step, total, work });
        }
        Progress { recorded: self.recorded, total }
    }

    /// The stream.
    pub fn ops(&self) -> &Arc<Ops> {
        &self.ops
    }

    /// Number of operations of the stream, which is the last step.
    pub fn len(&self) -> u32 {
        count(&self.ops)
    }

    /// True if the stream has no operations.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The last step that can be visited so far.
    pub fn recorded(&self) -> u32 {
        self.recorded
    }

    /// The cursor's step.
    pub fn step(&self) -> u32 {
        self.cursor.step()
    }

    /// The pool at the cursor.
    pub fn pool(&self) -> &P {
        self.cursor.pool()
    }

    /// Puts the cursor at a step, or at the last recorded one if that comes first. Returns where it is.
    pub fn seek(&mut self, step: u32) -> u32 {
        let step = step.min(self.recorded);
        let (at, digest) = self.digest_before(step);
        if self.cursor.start(step, &self.snapshots) <= at {
            // The digest is wanted as often as the pool, and on the way it costs next to nothing.
            self.cursor.seek(at, &self.ops, &self.snapshots);
            self.known = (at, digest);
        } else {
            self.cursor.load(step, &self.snapshots);
        }
        self.play(step, &mut Ignore);
        self.cursor.step()
    }

    /// Goes on to a later step; every event on the way goes to `sink`, and the digest goes along if it is known.
    fn play<S: Sink>(&mut self, step: u32, sink: &mut S) {
        let known = self.known.0 == self.cursor.step();
        self.cursor.play(step, &self.ops, sink, known.then_some(&mut self.known.1));
        if known {
            self.known.0 = self.cursor.step();
        }
    }

    /// As [`Self::seek`], but tells `sink` every event between where the cursor was and where it is, if it goes at
    /// most `most` operations onward. False if it went elsewhere: then nothing was told.
    pub fn seek_onward<S: Sink>(&mut self, step: u32, most: u32, sink: &mut S) -> bool {
        let step = step.min(self.recorded);
        let near = step.checked_sub(self.cursor.step()).is_some_and(|onward| onward <= most);
        if near {
            self.play(step, sink);
        } else {
            self.seek(step);
        }
        near
    }

    /// What the operation that leads to `step` does; `None` for step 0 and for steps not recorded yet. The cursor
    /// stays where it is.
    pub fn events_of(&mut self, step: u32) -> Option<&Applied> {
        if step == 0 || step > self.recorded {
            return None;
        }
        if self.cursor.step() == step && self.cursor.last().is_some() {
            return self.cursor.last();
        }
        let scout = self.scout.get_or_insert_with(|| self.cursor.clone());
        scout.seek_in_words(step, &self.ops, &self.snapshots);
        scout.last()
    }

    /// Totals over time, in at most 2048 equal stretches.
    pub fn series(&self) -> &[Sample] {
        self.notes.samples()
    }

    /// Steps worth a mark, ascending: the first object of each class, compactions and failures (the first 4096 of
    /// each; the counts in [`Self::series`] are complete).
    pub fn marks(&self) -> &[Mark] {
        self.notes.marks()
    }

    /// Number of compactions and failures that got no mark.
    pub fn marks_left_out(&self) -> u64 {
        self.notes.marks_left_out()
    }

    /// The digest of the operation log up to a step; `None` for steps not recorded yet.
    pub fn digest_at(&mut self, step: u32) -> Option<u64> {
        if step > self.recorded {
            return None;
        }
        let (at, mut digest) = self.digest_before(step);
        if at + 1 == step
            && self.cursor.step() == step
            && let Some(last) = self.cursor.last()
        {
            digest.add(last.op, self.ops.name(at as usize).unwrap_or(0), last.outcome);
        } else if at < step {
            let scout = self.scout.get_or_insert_with(|| self.cursor.clone());
            scout.seek(at, &self.ops, &self.snapshots);
            scout.play(step, &self.ops, &mut Ignore, Some(&mut digest));
            if scout.step() < step {
                return None;
            }
        }
        self.known = (step, digest);
        Some(digest.value())
    }

    /// The last step up to this one of which the digest is at hand, and that.
    fn digest_before(&self, step: u32) -> (u32, LogDigest) {
        let after = self.notes.samples().partition_point(|sample| sample.step <= step);
        let sample = after.checked_sub(1).and_then(|index| self.notes.samples().get(index));
        let at = sample.map_or((0, LogDigest::new()), |sample| (sample.step, sample.digest));
        if (at.0..=step).contains(&self.known.0) { self.known } else { at }
    }

    /// The nearest recorded step after (or before) `from` that a filter wants. Stretches without such a step are
    /// passed over; in the worst case (an event of a span that never comes) the rest of the stream is replayed.
    pub fn next_interesting(&mut self, from: u32, filter: Filter, direction: Direction) -> Option<u32> {
        let from = from.min(self.recorded);
        match direction {
            Direction::Forward => self.next_after(from, filter),
            Direction::Backward => self.last_before(from, filter),
        }
    }

    fn next_after(&mut self, from: u32, filter: Filter) -> Option<u32> {
        let marks = self.notes.marks();
        let marked = marks
            .get(marks.partition_point(|mark| mark.step <= from)..)
            .and_then(|later| later.iter().find(|mark| filter.wants_mark(mark)))
            .map(|mark| mark.step);
        let until = marked.unwrap_or(self.recorded);
        if filter.followed().is_some_and(|span| self.is_gone(from, span)) {
            return marked;
        }
        let mut step = from;
        while step < until {
            let end = self.end_of_stretch(step).min(until);
            if self.may_match(step, filter)
                && let Some(hit) = self.scan(step, end, filter, true)
            {
                return Some(hit);
            }
            step = end;
        }
        marked
    }

    fn last_before(&mut self, from: u32, filter: Filter) -> Option<u32> {
        let marks = self.notes.marks();
        let marked = marks
            .get(..marks.partition_point(|mark| mark.step < from))
            .and_then(|earlier| earlier.iter().rfind(|mark| filter.wants_mark(mark)))
            .map(|mark| mark.step);
        // The step before the first one that can still be an answer.
        let floor = marked.unwrap_or(0);
        let mut end = from.saturating_sub(1);
        while end > floor {
            let start = ((end - 1) / self.notes.per_sample() * self.notes.per_sample()).max(floor);
            if self.may_match(start, filter)
                && let Some(hit) = self.scan(start, end, filter, false)
            {
                return Some(hit);
            }
            end = start;
        }
        marked
    }

    /// The last step of the stretch to which the operation after `step` belongs.
    fn end_of_stretch(&self, step: u32) -> u32 {
        let per_sample = self.notes.per_sample();
        (step / per_sample + 1).saturating_mul(per_sample)
    }

    /// False if the stretch after `step` surely has nothing a filter wants. The stretch being recorded is unknown.
    fn may_match(&self, step: u32, filter: Filter) -> bool {
        let index = (step / self.notes.per_sample()) as usize;
        self.notes.samples().get(index).is_none_or(|sample| filter.may_be_in(sample))
    }

    /// True if a span existed before `step` and does not any more.
    fn is_gone(&mut self, step: u32, span: crate::pool::SpanId) -> bool {
        let index = (step / self.notes.per_sample()).checked_sub(1);
        let youngest = index.and_then(|index| self.notes.samples().get(index as usize)?.youngest);
        if youngest.is_none_or(|youngest| youngest < span) {
            return false;
        }
        let scout = self.scout.get_or_insert_with(|| self.cursor.clone());
        scout.seek(step, &self.ops, &self.snapshots);
        scout.pool().span(span).is_none()
    }

    /// The first or last step in `start + 1..=end` that a filter wants, marks aside.
    fn scan(&mut self, start: u32, end: u32, filter: Filter, first: bool) -> Option<u32> {
        let scout = self.scout.get_or_insert_with(|| self.cursor.clone());
        scout.seek(start, &self.ops, &self.snapshots);
        let mut found = None;
        while scout.step() < end && !(first && found.is_some()) {
            let mut probe = Probe::new(filter);
            let (_, outcome) = scout.advance(&self.ops, &mut probe)?;
            if probe.hit(outcome) {
                found = Some(scout.step());
            }
        }
        found
    }

    /// The last `most` events up to step `until` that are wanted, with their steps, within `back` operations. The
    /// cursor stays where it is.
    pub fn history(
        &mut self,
        (until, back): (u32, u32),
        most: usize,
        is_wanted: &dyn Fn(&Event) -> bool,
    ) -> Vec<(u32, Event)> {
        let until = until.min(self.recorded);
        let scout = self.scout.get_or_insert_with(|| self.cursor.clone());
        scout.seek(until.saturating_sub(back), &self.ops, &self.snapshots);
        let mut kept = VecDeque::new();
        let mut events = Vec::new();
        while scout.step() < until && scout.advance(&self.ops, &mut events).is_some() {
            let step = scout.step();
            kept.extend(events.drain(..).filter(|event| is_wanted(event)).map(|event| (step, event)));
            while kept.len() > most {
                kept.pop_front();
            }
        }
        kept.into()
    }

    /// Number of copies of the pool kept.
    pub fn snapshots(&self) -> usize {
        self.snapshots.count()
    }

    /// Bytes that the copies take.
    pub fn snapshot_bytes(&self) -> usize {
        self.snapshots.memory_bytes()
    }
}

fn count(ops: &Ops) -> u32 {
    u32::try_from(ops.len()).unwrap_or(u32::MAX)
}
