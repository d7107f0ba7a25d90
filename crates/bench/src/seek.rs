//! Seeks of a timeline to steps chosen at random.

use std::sync::Arc;

use slabscope_core::model::{AnyConfig, AnyConfigError};
use slabscope_core::ops::Ops;
use slabscope_core::pool::Pool as _;
use slabscope_core::rng::Rng;
use slabscope_core::timeline::Timeline;
use slabscope_core::zsmalloc::{Config, Era};

use crate::churn::churn;

/// Objects that live.
const LIVE: usize = 100_000;
/// Operations recorded at a time, as a worker does between two messages.
const SLICE: u32 = 50_000;

/// How long it takes to go to a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Seeks {
    /// Milliseconds to record the whole run.
    pub record_ms: f64,
    /// Milliseconds of each seek, ascending.
    pub seek_ms: Vec<f64>,
    /// Copies of the pool that the timeline keeps.
    pub snapshots: usize,
    /// Bytes that they take.
    pub snapshot_bytes: usize,
    /// Bytes of the pool at the end.
    pub pool_bytes: usize,
    /// Sum of the pages at the steps visited: proof that it went there, and the same on every platform.
    pub pages: u64,
}

impl Seeks {
    /// The time that `percent` of the seeks do not exceed, in milliseconds.
    pub fn percentile(&self, percent: usize) -> f64 {
        let rank = (self.seek_ms.len() * percent).div_ceil(100).saturating_sub(1);
        self.seek_ms.get(rank).copied().unwrap_or_default()
    }
}

/// Records a run of the replay budget's stream on the default zsmalloc and goes to `seeks` steps of it.
///
/// `now` gives milliseconds. Budget: at the 95th percentile 4 ms, with a million operations and 64 MiB.
///
/// # Errors
/// The default configuration is refused, which would be a fault of the model.
pub fn seeks(
    operations: usize,
    budget_bytes: usize,
    seeks: u32,
    now: impl Fn() -> f64,
) -> Result<Seeks, AnyConfigError> {
    let pool = AnyConfig::Zsmalloc(Config::default_for(Era::V6_12)).pool()?;
    let ops: Arc<Ops> = Arc::new(churn(operations, LIVE, 1));
    let start = now();
    let mut timeline = Timeline::new(pool, ops, budget_bytes);
    while !timeline.record(SLICE).done() {}
    let record_ms = now() - start;
    let mut rng = Rng::new(1);
    let (mut seek_ms, mut pages) = (Vec::new(), 0);
    for _ in 0..seeks {
        let step = rng.below(timeline.len() + 1);
        let start = now();
        timeline.seek(step);
        seek_ms.push(now() - start);
        pages += timeline.pool().totals().pages;
    }
    seek_ms.sort_by(f64::total_cmp);
    timeline.seek(timeline.len());
    Ok(Seeks {
        record_ms,
        seek_ms,
        snapshots: timeline.snapshots(),
        snapshot_bytes: timeline.snapshot_bytes(),
        pool_bytes: timeline.pool().memory_bytes(),
        pages,
    })
}

#[cfg(test)]
mod tests {
    use super::seeks;

    #[test]
    fn pages_do_not_depend_on_the_budget() {
        let run = |budget_bytes| seeks(20_000, budget_bytes, 20, || 0.0).map(|seeks| seeks.pages);
        assert!(run(0).is_ok_and(|pages| pages > 0));
        assert_eq!(run(0), run(1 << 20));
    }
}
