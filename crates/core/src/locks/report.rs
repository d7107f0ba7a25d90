//! What a simulation found.

use super::LockKey;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Waits for a core.
    Off,
    /// Compresses or decompresses.
    Compute,
    /// Spins for a lock.
    Wait,
    /// Works under a lock.
    Hold,
}

/// A stretch of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// From, in nanoseconds.
    pub from: u64,
    /// To, in nanoseconds.
    pub to: u64,
    /// What the thread did.
    pub state: State,
    /// The lock it waited for or held.
    pub lock: Option<LockKey>,
}

/// A thread's time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The first segments in order, as many as were asked for.
    pub segments: Vec<Segment>,
    /// Nanoseconds computing, exact.
    pub compute: u64,
    /// Nanoseconds spinning, exact.
    pub wait: u64,
    /// Nanoseconds under locks, exact.
    pub hold: u64,
    /// Operations finished.
    pub operations: u32,
}

/// A lock's part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockTotals {
    /// The lock.
    pub lock: LockKey,
    /// Times it was taken.
    pub taken: u64,
    /// Times a thread had to wait for it.
    pub contended: u64,
    /// Nanoseconds that threads spun for it.
    pub wait: u64,
    /// Nanoseconds it was held; readers that share it count each.
    pub hold: u64,
    /// Most threads that waited at once.
    pub longest_queue: u16,
}

/// What a simulation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Nanoseconds until the last operation ended.
    pub elapsed: u64,
    /// Operations finished.
    pub operations: u64,
    /// Threads.
    pub lanes: Vec<Lane>,
    /// Locks in the order of [`Scheme::locks`](super::Scheme::locks).
    pub locks: Vec<LockTotals>,
    /// Waits by length: entry `k` counts waits of `2^(k-1) .. 2^k` nanoseconds, entry 0 those of 0.
    pub waits: [u64; 64],
}

impl Report {
    /// Nanoseconds that all threads computed.
    pub fn compute(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.compute).sum()
    }

    /// Nanoseconds that all threads spun.
    pub fn wait(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.wait).sum()
    }

    /// Nanoseconds that all threads worked under locks.
    pub fn hold(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.hold).sum()
    }

    /// Locks by the time spent waiting for them, longest first; ties in the scheme's order.
    pub fn hottest(&self) -> Vec<LockTotals> {
        let mut locks = self.locks.clone();
        locks.sort_by_key(|lock| std::cmp::Reverse(lock.wait));
        locks
    }
}
