//! What many pools waste: partly filled zspages, classes times pools.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::rng::Rng;
use slabscope_core::zsmalloc::{Geometry, Pool};

use crate::figure::say;
use crate::mib::mib;
use crate::stream::{Rewrites, of, partly_filled};
use crate::{Histogram, Line, Plot, Row, Sample, Step, Unit};

use super::sweeps::POOLS;

/// Pages stored.
const LIVE: u32 = 100_000;
/// Rewrites after they are.
const REWRITES: u32 = 100_000;

/// When the pools are looked at, and what is counted.
const METRICS: [(&str, Unit); 4] = [
    ("partly_filled", Unit::Spans),
    ("pages", Unit::Pages),
    ("partly_filled_after_rewrites", Unit::Spans),
    ("pages_after_rewrites", Unit::Pages),
];
const PARTLY: usize = 0;
const PAGES: usize = 1;
const REWRITTEN: usize = 3;

/// The same data in 1 to 64 pools, seed by seed.
pub(super) struct Waste {
    seeds: u32,
    sizes: Histogram,
    /// By number of pools and metric.
    samples: Vec<[Sample; METRICS.len()]>,
}

impl Waste {
    pub(super) fn new(sizes: Histogram, seeds: u32) -> Self {
        Self { seeds, sizes, samples: vec![Default::default(); POOLS.len()] }
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds * POOLS.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32, geometry: &Geometry) {
        let index = slice as usize % POOLS.len();
        let seed = u64::from(slice / POOLS.len() as u32) + 1;
        let (Some(&count), Some(samples)) = (POOLS.get(index), self.samples.get_mut(index)) else { return };
        let mut pools = vec![Pool::new(geometry.clone()); usize::from(count)];
        let mut found = Vec::with_capacity(METRICS.len());
        let mut look = |pools: &[Pool]| {
            found.push(pools.iter().map(partly_filled).sum::<u64>() as f64);
            found.push(pools.iter().map(|pool| pool.totals().pages).sum::<u64>() as f64);
        };
        for (done, op) in (0..).zip(Rewrites::new(of(&self.sizes), LIVE, REWRITES, seed)) {
            if done == LIVE {
                look(&pools);
            }
            let (Op::Alloc { object, .. } | Op::Free { object }) = op else { continue };
            if let Some(pool) = pools.get_mut(pool_of(object, count)) {
                apply(pool, op, &mut Ignore);
            }
        }
        look(&pools);
        for (sample, value) in samples.iter_mut().zip(found) {
            sample.push(value);
        }
    }

    fn mean(&self, pools: u16, metric: usize) -> Option<f64> {
        let index = POOLS.iter().position(|&other| other == pools)?;
        self.samples.get(index)?.get(metric)?.mean()
    }

    /// Mebibytes that a number of pools takes more than one.
    fn more(&self, pools: u16, metric: usize) -> Option<f64> {
        Some(mib((self.mean(pools, metric)? - self.mean(1, metric)?) * 4096.0))
    }

    pub(super) fn told(&self) -> String {
        let (Some(more), Some(partly), Some(one)) =
            (self.more(32, PAGES), self.mean(32, PARTLY), self.mean(1, PARTLY))
        else {
            return String::new();
        };
        format!(
            "What 32 pools cost instead: {} partly filled zspages where one pool has {}, {} MiB more for {} stored pages.",
            say(partly, 0),
            say(one, 0),
            say(more, 1),
            say(LIVE.into(), 0)
        )
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for (pools, samples) in POOLS.into_iter().zip(&self.samples) {
            for ((metric, unit), sample) in METRICS.into_iter().zip(samples) {
                rows.push(Row::new(format!("{pools} pools"), metric, unit).mean_of(sample));
            }
            for (metric, name) in [(PAGES, "wasted_mib"), (REWRITTEN, "wasted_mib_after_rewrites")] {
                rows.push(
                    Row::new(format!("{pools} pools"), name, Unit::MiB)
                        .predicted(self.more(pools, metric))
                        .digits(2)
                        .note("more than one pool takes"),
                );
            }
        }
        let used = self.mean(1, PAGES).map_or(0.0, |pages| mib(pages * 4096.0));
        let share =
            |metric| self.more(32, metric).map_or_else(String::new, |more| say(more * 100.0 / used, 1));
        let megabytes = |metric| self.more(32, metric).map_or_else(String::new, |more| say(more, 1));
        let text = format!(
            "The posting says that many pools waste memory and gives no number. Every pool has a partly filled zspage in nearly \
             every class. {} stored pages of the sizes assumed take {} MiB in one pool; in 32 pools, chosen by hash, {} MiB or {} % \
             more while they fill up, and {} MiB or {} % after as many rewrites. The larger the store, the smaller the share.",
            say(LIVE.into(), 0),
            say(used, 1),
            megabytes(PAGES),
            share(PAGES),
            megabytes(REWRITTEN),
            share(REWRITTEN)
        );
        let line = |name: &str, metric: usize| Line {
            name: name.to_owned(),
            points: POOLS
                .into_iter()
                .filter_map(|pools| Some((f64::from(pools), self.more(pools, metric)?)))
                .collect(),
            published: false,
        };
        let plot = Plot {
            title: "More than one pool takes",
            x: "pools",
            x_by_factors: true,
            y: "MiB",
            lines: vec![line("filled", PAGES), line("after rewrites", REWRITTEN)],
        };
        Step { title: "What many pools waste", text, rows, plots: vec![plot] }
    }
}

/// The pool that an object's hash chooses.
fn pool_of(object: ObjectId, pools: u16) -> usize {
    Rng::new(object.0.into()).below(pools.into()) as usize
}
