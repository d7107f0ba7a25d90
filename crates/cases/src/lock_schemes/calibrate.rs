//! The two unknowns: how long an operation holds its lock, and how many operations the build makes.
//!
//! What the engine finds depends on ratios of times only. With `held = operations x time under the lock`, the first row
//! says `system = elsewhere + operations x outside + held x (1 + wait)`, `wait` being that of an operation in units of its
//! time under the lock, and a thread's own work follows from the row's real time. The system time of the second row less
//! that of the first fixes `held`; then the first row fixes the number of operations.

use slabscope_core::locks::{Scheme, machine_repair_wait, simulate};

use super::{Assumed, MANY_POOLS, ONE_POOL};

/// Operations of a simulation that calibrates.
const OPERATIONS: u32 = 200_000;
/// Rounds of the search; the last change is far below a tenth of a second.
const ROUNDS: u32 = 5;
/// Seed of calibration.
const SEED: u64 = 1;

/// The unknowns, set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calibration {
    /// Operations of the build.
    pub(crate) operations: f64,
    /// Seconds that an operation holds its lock.
    pub(crate) under_lock: f64,
    /// A thread's own work between operations, in units of the time under the lock.
    pub(crate) think: f64,
    /// System seconds without any waiting: the lock-free bound.
    pub(crate) lock_free: f64,
    /// Threads.
    threads: f64,
}

/// What a scheme costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds {
    pub(crate) real: f64,
    pub(crate) system: f64,
}

impl Calibration {
    /// Seconds of the build where an operation waits so long, and looks up so long, in units of its time under the
    /// lock.
    pub(crate) fn seconds(&self, wait: f64, lookup: f64) -> Seconds {
        let held = self.operations * self.under_lock;
        Seconds {
            real: held * (self.think + 1.0 + wait + lookup) / self.threads,
            system: self.lock_free + held * (wait + lookup),
        }
    }

    /// Operations a second without any waiting.
    pub(crate) fn lock_free_rate(&self, threads: f64) -> f64 {
        threads / ((self.think + 1.0) * self.under_lock)
    }
}

/// Mean wait of an operation, in units of its time under the lock, and how long it looks up.
pub(crate) fn simulated(
    assumed: &Assumed,
    scheme: Scheme,
    think: f64,
    seed: u64,
    operations: u32,
) -> (f64, f64) {
    let Ok(report) = simulate(&assumed.spec(scheme, think, super::UNIT, seed, operations)) else {
        return (0.0, 0.0);
    };
    let each = report.operations.max(1) as f64 * super::UNIT as f64;
    let frees = 1.0 - f64::from(assumed.allocations_per_mille) / 1000.0;
    let lookup = if scheme == Scheme::PerClassAndPool { frees * assumed.lookup } else { 0.0 };
    (report.wait() as f64 / each, lookup)
}

/// Sets the unknowns by the first two rows of the posting.
pub(crate) fn calibrate(assumed: &Assumed) -> Option<Calibration> {
    let [many, one] = [MANY_POOLS, ONE_POOL].map(|row| row.seconds("sys_seconds"));
    let (many, one, real) = (many?, one?, MANY_POOLS.seconds("real_seconds")?);
    let threads = f64::from(assumed.threads);
    let think = |held: f64, wait: f64| threads * real / held - 1.0 - wait;
    // A first guess by the closed form, in which 32 pools do not wait at all.
    let mut waits = 0.0;
    let mut held = solve(real * 0.999, |held| {
        held * machine_repair_wait(u32::from(assumed.threads), think(held, 0.0)) - (one - many)
    });
    // Then the engine itself, which also has other distributions than the closed form.
    for _ in 0..ROUNDS {
        let thinking = think(held, waits);
        waits = simulated(assumed, MANY_POOLS.scheme, thinking, SEED, OPERATIONS).0;
        let wait = simulated(assumed, ONE_POOL.scheme, thinking, SEED, OPERATIONS).0;
        let exact = machine_repair_wait(u32::from(assumed.threads), thinking);
        let correction = wait / exact;
        held = solve(real * 0.999, |held| {
            let thinking = think(held, waits);
            held * (correction * machine_repair_wait(u32::from(assumed.threads), thinking) - waits)
                - (one - many)
        });
    }
    let operations = (many - assumed.elsewhere - held * (1.0 + waits)) / assumed.outside;
    Some(Calibration {
        operations,
        under_lock: held / operations,
        think: think(held, waits),
        lock_free: many - held * waits,
        threads,
    })
}

/// Where a function that grows crosses 0, between 0 and `most`.
fn solve(most: f64, grows: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if grows(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}
