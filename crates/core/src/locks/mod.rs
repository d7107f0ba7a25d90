//! Lock contention: threads that compress pages and then want an allocator's locks.
//!
//! A discrete-event simulation of a closed system: every thread computes (compresses or
//! decompresses a page), takes the locks that its operation needs, and starts again. Waiting is
//! spinning: a thread keeps its core. What an operation takes is decided by a [`Scheme`]; zsmalloc's
//! schemes follow the kernels that had them (per class up to 6.1, one lock per pool from 6.2 to 6.10,
//! per class with a pool-wide read-write lock since 6.11), zblock's has a lock per block type.
//!
//! Not modelled: the price of a cache line that moves between cores, interrupts, and the page
//! allocator's own locks. All times are nanoseconds.

mod chance;
mod closed;
mod engine;
mod report;
mod scheme;

pub use closed::{machine_repair_utilisation, machine_repair_wait};
pub use engine::simulate;
pub use report::{Lane, LockTotals, Report, Segment, State};
pub use scheme::{LockKey, Mode, Need, Scheme};

/// How long things take, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Compressing a page, before an allocation.
    pub compress: u64,
    /// Decompressing a page, before a free.
    pub decompress: u64,
    /// An allocation under its lock.
    pub malloc: u64,
    /// A free under its lock.
    pub free: u64,
    /// A look-up under the pool-wide lock, where the scheme has one beside the class's.
    pub lookup: u64,
}

/// How a time is drawn from its mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Draw {
    /// Exponentially: the case with a closed form.
    #[default]
    Exponential,
    /// Always the mean.
    Fixed,
}

/// What to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Which locks there are.
    pub scheme: Scheme,
    /// Threads, at least 1.
    pub threads: u16,
    /// Cores, at least 1. A thread gives its core up between operations when others wait for one.
    pub cores: u16,
    /// Share of the traffic of each class (any unit); at least one is above 0.
    pub traffic: Vec<u32>,
    /// Of 1000 operations, how many allocate; the others free.
    pub allocations_per_mille: u16,
    /// Means.
    pub times: Times,
    /// Distribution of the times.
    pub draw: Draw,
    /// Operations to finish, all threads together.
    pub operations: u32,
    /// Seed of all chance.
    pub seed: u64,
    /// Segments kept per lane for drawing; sums are exact whatever this is.
    pub lane_segments: usize,
}

/// Why a simulation cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// No thread.
    NoThreads,
    /// No core.
    NoCores,
    /// No class has traffic.
    NoTraffic,
    /// A scheme of 0 pools.
    NoPools,
    /// More than 1000 of 1000.
    PerMille(u16),
}

impl std::fmt::Display for SpecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoThreads => f.write_str("threads 0: someone has to work"),
            Self::NoCores => f.write_str("cores 0: threads need at least one"),
            Self::NoTraffic => f.write_str("no size class has traffic"),
            Self::NoPools => f.write_str("pools 0: objects need at least one"),
            Self::PerMille(given) => write!(f, "allocations {given} of 1000: at most 1000"),
        }
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// Checks what [`simulate`] relies on.
    ///
    /// # Errors
    /// A count is 0 or a share above the whole.
    pub fn check(&self) -> Result<(), SpecError> {
        if self.threads == 0 {
            return Err(SpecError::NoThreads);
        }
        if self.cores == 0 {
            return Err(SpecError::NoCores);
        }
        if self.traffic.iter().all(|&share| share == 0) {
            return Err(SpecError::NoTraffic);
        }
        if matches!(self.scheme, Scheme::Pools(0)) {
            return Err(SpecError::NoPools);
        }
        if self.allocations_per_mille > 1000 {
            return Err(SpecError::PerMille(self.allocations_per_mille));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
