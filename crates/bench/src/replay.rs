//! Replay of a zsmalloc pool beside the bare loop.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Ops;
use slabscope_core::pool::{Count, Pool as _};
use slabscope_core::zsmalloc::{Config, ConfigError, Era, Geometry, Pool};

use crate::bare::BareLoop;
use crate::churn::churn;

/// Operations of a run.
const OPERATIONS: usize = 1_000_000;
/// Objects that live.
const LIVE: usize = 100_000;
/// Runs of each; odd, because the median counts.
const RUNS: usize = 9;

/// Rates of the two, and how they compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// Times the bare loop goes round in a second (median).
    pub bare_per_second: f64,
    /// Operations replayed in a second (median), events counted and not stored.
    pub replay_per_second: f64,
    /// Replay rate / bare rate of neighbouring runs (median).
    pub ratio: f64,
    /// The same of the first run, when nothing is warm.
    pub first_ratio: f64,
    /// Milliseconds of each replay, in order.
    pub replay_ms: Vec<f64>,
    /// Events of one replay: proof that it did the work, and the same on every platform.
    pub events: u64,
    /// Pages that the pool holds at the end.
    pub pages: u64,
}

impl Ratios {
    /// One line that `cargo xtask bench` reads, the same natively and in a browser: milliseconds of the first
    /// replay, of the median replay, and of the bare loop.
    pub fn line(&self) -> String {
        let first = self.replay_ms.first().copied().unwrap_or_default();
        let bare = OPERATIONS as f64 * 1000.0 / self.bare_per_second;
        format!("replay-ms {first:.2} {:.2} {bare:.2} events {}", median(&self.replay_ms), self.events)
    }
}

/// Replays a million operations on the default pool (6.12, 4 KiB, 8 pages) beside the bare loop, in turns.
///
/// `now` gives milliseconds, as `performance.now()` does. Budget: a ratio of at least 0.30, aim 0.45.
///
/// How the pool stays within it, in the order of what it gained (from 0.27 to between 0.35 and 0.38 on
/// the machine it was written on; with 5,000 objects live, where all fits a near cache, 0.47):
/// * No second look-up of what an operation has at hand: a class's counts and constants are one record, read
///   once; indexing vectors had been a third of all instructions.
/// * Lists run through anchors and free lists are written out when a zspage is made, so that neither has a
///   condition; a wrongly guessed condition costs as much as relinking. Some 0.9 guesses fail in an operation,
///   half of them whether it allocates or frees.
/// * Small records: twelve bytes an object, sixteen a zspage, eight a list node, four a place; the class of a
///   request from a table of 512 entries.
///
/// What did not help: link-time optimisation, and touching the records of coming operations ahead of time.
///
/// # Errors
/// The default configuration is refused, which would be a fault of the model.
pub fn replay_ratio(now: impl Fn() -> f64) -> Result<Ratios, ConfigError> {
    let geometry = Geometry::new(&Config::default_for(Era::V6_12))?;
    let ops = churn(OPERATIONS, LIVE, 1);
    let mut bare = BareLoop::new();
    let (mut bare_ms, mut replay_ms) = (Vec::new(), Vec::new());
    let (mut events, mut pages) = (0, 0);
    for _ in 0..RUNS {
        let start = now();
        bare.run(OPERATIONS);
        bare_ms.push(now() - start);
        let pool = Pool::new(geometry.clone());
        let start = now();
        (events, pages) = replay(pool, &ops);
        replay_ms.push(now() - start);
    }
    let ratios: Vec<f64> = bare_ms.iter().zip(&replay_ms).map(|(bare, replay)| bare / replay).collect();
    let per_second = |ms: &[f64]| OPERATIONS as f64 * 1000.0 / median(ms);
    Ok(Ratios {
        bare_per_second: per_second(&bare_ms),
        replay_per_second: per_second(&replay_ms),
        ratio: median(&ratios),
        first_ratio: ratios.first().copied().unwrap_or_default(),
        replay_ms,
        events,
        pages,
    })
}

/// Applies every operation; gives the events and the pages held at the end.
///
/// A function of its own in every build: engines of WebAssembly put the better code in place when a function is
/// called again. Inlined into its caller, which link-time optimisation does, it would run in the first code for
/// ever, half as fast.
#[inline(never)]
pub(crate) fn replay(mut pool: Pool, ops: &Ops) -> (u64, u64) {
    let mut count = Count::default();
    for op in ops.iter() {
        apply(&mut pool, op, &mut count);
    }
    (count.0, pool.totals().pages)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
