//! Remembered moments: copies of the pool at chosen steps, within a memory budget.
//!
//! Seeking to a step costs loading the last copy before it and replaying from there, so what counts is the work
//! between two copies. Work is counted in events plus operations, because one compaction can cost as much as
//! thousands of allocations. Each copy is taken when the work since the last one would use up its share of the
//! budget: with a pool of `size` bytes, `left` bytes of budget and `ahead` units of work to come, that is
//! `ahead * size / left`. While the pool grows the copies come closer together, and the budget is used up just
//! as the recording ends.

use crate::pool::Pool;

/// Least work between two copies: replaying it takes some tens of microseconds.
const LEAST_WORK: u64 = 2048;

#[derive(Clone, Debug)]
pub(super) struct Snapshot<P> {
    /// Operations applied.
    pub(super) step: u32,
    pub(super) pool: P,
}

impl<P: Pool> Snapshot<P> {
    /// What loading costs, in operations that could be replayed in that time.
    pub(super) fn load_cost(&self) -> u32 {
        // A copied kilobyte takes about as long as an operation.
        u32::try_from(self.pool.memory_bytes() / 1024).unwrap_or(u32::MAX)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Snapshots<P> {
    /// Ascending by step; the first is step 0.
    taken: Vec<Snapshot<P>>,
    first: Snapshot<P>,
    budget_bytes: usize,
    used_bytes: usize,
    /// Work at the last copy.
    work_then: u64,
    /// Work since the last copy at which to look again.
    look_after: u64,
}

/// How far a recording is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) step: u32,
    pub(super) total: u32,
    /// Work done so far.
    pub(super) work: u64,
}

impl<P: Pool> Snapshots<P> {
    pub(super) fn new(start: P, budget_bytes: usize) -> Self {
        let used_bytes = start.memory_bytes();
        let first = Snapshot { step: 0, pool: start };
        Self { taken: Vec::new(), first, budget_bytes, used_bytes, work_then: 0, look_after: LEAST_WORK }
    }

    /// Looks at the pool after an operation and keeps a copy if it is time.
    #[inline]
    pub(super) fn look(&mut self, pool: &P, at: Position) {
        if at.work - self.work_then >= self.look_after {
            self.consider(pool, at);
        }
    }

    fn consider(&mut self, pool: &P, at: Position) {
        let size = pool.memory_bytes();
        let left = self.budget_bytes.saturating_sub(self.used_bytes);
        if size > left {
            self.look_after = u64::MAX;
            return;
        }
        let ahead = u64::from(at.total - at.step).saturating_mul(at.work) / u64::from(at.step.max(1));
        let share = ahead.saturating_mul(size as u64) / left.max(1) as u64;
        if at.work - self.work_then < share {
            self.look_after = share;
            return;
        }
        self.taken.push(Snapshot { step: at.step, pool: pool.clone() });
        self.used_bytes += size;
        self.work_then = at.work;
        self.look_after = LEAST_WORK;
    }

    /// The last copy at or before a step.
    pub(super) fn before(&self, step: u32) -> &Snapshot<P> {
        let after = self.taken.partition_point(|snapshot| snapshot.step <= step);
        after.checked_sub(1).and_then(|index| self.taken.get(index)).unwrap_or(&self.first)
    }

    pub(super) fn count(&self) -> usize {
        self.taken.len() + 1
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.used_bytes
    }
}
