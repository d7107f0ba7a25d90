//! Turns a [`Spec`] into operations, one at a time.

use std::collections::VecDeque;

use super::sizes::Part;
use super::{Kind, Measured, Spec};
use crate::ops::Op;
use crate::pool::ObjectId;
use crate::rng::Rng;

/// Which object a free takes.
#[derive(Clone, Copy)]
enum Victim {
    /// Any live object, all equally likely.
    Any,
    /// The one that has lived longest.
    Oldest,
}

/// Where a workload with several stages is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Fill,
    Hold,
    Drain,
}

/// The operations of a [`Spec`], as an iterator. Its memory grows with the live objects only.
#[derive(Clone)]
pub struct Generator {
    spec: Spec,
    /// Where sizes come from instead of the distribution of `spec`.
    sizes: Option<Measured>,
    rng: Rng,
    /// Operations given out so far.
    done: u32,
    /// Live objects, oldest first until a random free disturbs that.
    live: VecDeque<u32>,
    /// Numbers to use again, last freed first.
    free_numbers: Vec<u32>,
    next_number: u32,
    stage: Stage,
    /// A drain ended: compact before anything else.
    compact_now: bool,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Generator({:?}, {} of {} done)", self.spec, self.done, self.spec.operations)
    }
}

impl Generator {
    pub(super) fn new(spec: Spec) -> Self {
        Self {
            rng: Rng::new(spec.seed),
            spec: Spec { live: spec.live.max(1), ..spec },
            sizes: None,
            done: 0,
            live: VecDeque::new(),
            free_numbers: Vec::new(),
            next_number: 0,
            stage: Stage::Fill,
            compact_now: false,
        }
    }

    pub(super) fn with_sizes(self, sizes: Measured) -> Self {
        Self { sizes: Some(sizes), ..self }
    }

    fn alloc(&mut self, part: Part) -> Op {
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.next_number += 1;
            self.next_number - 1
        });
        self.live.push_back(number);
        let size = match &self.sizes {
            Some(sizes) => sizes.sample_part(part, &mut self.rng),
            None => {
                let drawn = self.spec.dist.sample_part(part, &mut self.rng);
                self.spec.fixed_size.unwrap_or(drawn)
            }
        };
        Op::Alloc { object: ObjectId(number), size }
    }

    fn free(&mut self, victim: Victim) -> Option<Op> {
        let number = match victim {
            Victim::Any => {
                let at = self.rng.below(self.live.len() as u32);
                self.live.swap_remove_back(at as usize)
            }
            Victim::Oldest => self.live.pop_front(),
        }?;
        self.free_numbers.push(number);
        Some(Op::Free { object: ObjectId(number) })
    }

    /// An allocation in `percent` of 100 cases and while nothing is live, a free otherwise.
    fn mix(&mut self, percent: u32, part: Part, victim: Victim) -> Op {
        if !self.rng.chance(percent, 100)
            && let Some(op) = self.free(victim)
        {
            return op;
        }
        self.alloc(part)
    }

    /// Moves on when the live objects reach the end of a stage: up to `live`, down to `low`.
    fn turn(&mut self, low: u32) {
        let live = self.live.len() as u32;
        match self.stage {
            Stage::Fill if live >= self.spec.live => self.stage = Stage::Drain,
            Stage::Drain if live <= low => {
                self.stage = Stage::Fill;
                self.compact_now = self.spec.compact_every > 0;
            }
            Stage::Fill | Stage::Drain | Stage::Hold => {}
        }
    }

    fn next_change(&mut self) -> Op {
        let target = self.spec.live;
        let live = self.live.len() as u32;
        match self.spec.kind {
            Kind::Ramp => {
                // Where a straight line from nothing to the target is now.
                let line = u64::from(target) * u64::from(self.done + 1);
                let behind = u64::from(live) * u64::from(self.spec.operations.max(1)) < line;
                self.mix(if behind { 80 } else { 35 }, Part::WHOLE, Victim::Any)
            }
            Kind::Churn => {
                let percent = self.churn_percent(live);
                self.mix(percent, Part::WHOLE, Victim::Any)
            }
            Kind::Waves => {
                let percent = if self.stage == Stage::Fill { 85 } else { 15 };
                let op = self.mix(percent, Part::WHOLE, Victim::Any);
                self.turn(target / 4);
                op
            }
            Kind::Fragment => {
                let percent = if self.stage == Stage::Fill { 100 } else { 0 };
                let op = self.mix(percent, Part::WHOLE, Victim::Any);
                self.turn(target / 8);
                op
            }
            Kind::Phases => {
                // A third of the sizes at a time; what a phase leaves behind is freed by the next ones.
                let phase = self.done / target.saturating_mul(2);
                let percent = self.churn_percent(live);
                self.mix(percent, Part::nth(phase, 3), Victim::Oldest)
            }
        }
    }

    /// 65 % allocations until the target is reached for the first time, then 50 %, steered back when more than a
    /// sixteenth away.
    fn churn_percent(&mut self, live: u32) -> u32 {
        let target = self.spec.live;
        let slack = target / 16 + 1;
        if self.stage == Stage::Fill && live >= target {
            self.stage = Stage::Hold;
        }
        match self.stage {
            Stage::Fill => 65,
            _ if live + slack < target => 65,
            _ if live > target.saturating_add(slack) => 35,
            _ => 50,
        }
    }
}

impl Iterator for Generator {
    type Item = Op;

    fn next(&mut self) -> Option<Op> {
        if self.done >= self.spec.operations {
            return None;
        }
        let every = self.spec.compact_every;
        let due = every > 0 && (self.done + 1).is_multiple_of(every);
        let op = if due || self.compact_now {
            self.compact_now = false;
            Op::Compact
        } else {
            self.next_change()
        };
        self.done += 1;
        Some(op)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.spec.operations - self.done) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Generator {}
