//! 2024: one pool lock, 32 pools, or a lock per size class.
//!
//! Threads go round: some work of their own, then an operation under the allocator's locks. Two unknowns are set by the
//! first two rows of the posting, and the third is a prediction.

mod calibrate;
mod closed;
mod predict;
mod sweeps;
mod waste;

use slabscope_core::locks::{Draw, Scheme, Spec, Times};
use slabscope_core::packing::{Packing, Places as _};
use slabscope_core::zblock;
use slabscope_core::zsmalloc::{Config, Era, Geometry};

use crate::data::sizes_file;
use crate::run::Job;
use crate::{Assumption, Case, Data, DataError, Histogram, Options, Outcome, Values};

pub(crate) use calibrate::{Calibration, calibrate};

/// Sizes that traffic can be counted by, the usual ones first.
const SIZES: [&str; 3] = ["procmem_4k_lzo", "libs_4k_lzo", "source_4k_zstd3"];

const SEEDS: Assumption = Assumption::seeds(10);
const THREADS: Assumption = Assumption::number("threads", "Threads, each on a core", [2, 256, 32]);
const SIZES_OF: Assumption =
    Assumption { name: "sizes", label: "Sizes of the stored pages", values: Values::OneOf(&SIZES) };
const OUTSIDE: Assumption = Assumption::number("outside", "System time outside the locks, µs", [1, 1000, 20]);
const ELSEWHERE: Assumption = Assumption::number("elsewhere", "System time elsewhere, s", [0, 1000, 0]);
const LOOKUP: Assumption = Assumption::number("lookup", "Look-up, percent of an operation", [0, 100, 10]);
const ALLOCATIONS: Assumption =
    Assumption::number("allocations", "Operations that allocate, percent", [1, 99, 50]);

/// What may be changed.
pub(crate) const ASSUMPTIONS: &[Assumption] =
    &[THREADS, SIZES_OF, OUTSIDE, ELSEWHERE, LOOKUP, ALLOCATIONS, SEEDS];

/// The sizes that are used unless others are asked for.
pub(crate) const USUAL_SIZES: &str = SIZES[0];

/// The three rows of the posting.
pub(crate) const MANY_POOLS: Posted = Posted { row: "32 pools, a lock each", scheme: Scheme::Pools(32) };
pub(crate) const ONE_POOL: Posted = Posted { row: "one pool lock", scheme: Scheme::Pool };
const PER_CLASS: Posted = Posted { row: "per class and pool", scheme: Scheme::PerClassAndPool };

/// A row of the posting and the locks behind it.
#[derive(Clone, Copy)]
pub(crate) struct Posted {
    row: &'static str,
    scheme: Scheme,
}

impl Posted {
    fn seconds(&self, metric: &str) -> Option<f64> {
        crate::published::mean(Case::Locks, self.row, metric)
    }
}

/// What is not in the posting and has to be assumed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assumed {
    /// Threads that do the work, each on a core of its own.
    pub(crate) threads: u16,
    /// CPU seconds of an operation outside the locks that count as system time: fault or reclaim, compression or
    /// decompression, the swap itself.
    pub(crate) outside: f64,
    /// System seconds that have nothing to do with swapping.
    pub(crate) elsewhere: f64,
    /// Part of an operation's time under its lock that finding an object under the pool-wide lock takes.
    pub(crate) lookup: f64,
    /// Of 1000 operations, how many allocate.
    pub(crate) allocations_per_mille: u16,
    /// How times are drawn.
    pub(crate) draw: Draw,
    /// Share of the operations of each class.
    pub(crate) traffic: Vec<u32>,
}

impl Assumed {
    /// The usual setting with the traffic of some sizes.
    pub(crate) fn with(traffic: Vec<u32>) -> Self {
        Self {
            threads: 32,
            outside: 20e-6,
            elsewhere: 0.0,
            lookup: 0.1,
            allocations_per_mille: 500,
            draw: Draw::Exponential,
            traffic,
        }
    }

    /// What the engine is asked: `think` is a thread's own work in units of the time under a lock, for which the engine
    /// is told `unit` nanoseconds.
    pub(crate) fn spec(&self, scheme: Scheme, think: f64, unit: u64, seed: u64, operations: u32) -> Spec {
        let think = (think * unit as f64).round().max(0.0) as u64;
        Spec {
            scheme,
            threads: self.threads,
            cores: self.threads,
            traffic: self.traffic.clone(),
            allocations_per_mille: self.allocations_per_mille,
            times: Times {
                compress: think,
                decompress: think,
                malloc: unit,
                free: unit,
                lookup: (self.lookup * unit as f64).round() as u64,
            },
            draw: self.draw,
            operations,
            seed,
            lane_segments: 0,
        }
    }
}

/// Nanoseconds that the engine is told for an operation under its lock: only ratios of times matter to it.
pub(crate) const UNIT: u64 = 10_000;

/// The class table that traffic is counted by: zsmalloc of the posting's time.
pub(crate) fn geometry() -> Option<Geometry> {
    Geometry::new(&Config::default_for(Era::V6_12)).ok()
}

/// zblock's block types as they were last in the mm tree.
pub(crate) fn zblock_geometry() -> Option<zblock::Geometry> {
    zblock::Geometry::new(&zblock::Config::default()).ok()
}

/// How many objects of these sizes go to each class or block type.
pub(crate) fn traffic<P: slabscope_core::packing::Places>(geometry: &P, sizes: &Histogram) -> Vec<u32> {
    let stored = sizes.below(geometry.page_bytes());
    let packing = Packing::new(geometry, stored.counts());
    packing.classes.iter().map(|share| u32::try_from(share.objects).unwrap_or(u32::MAX)).collect()
}

/// The case, as far as it has run.
pub(crate) struct LockSchemes {
    geometry: Geometry,
    closed: closed::Closed,
    predict: predict::Predict,
    sweeps: sweeps::Sweeps,
    waste: waste::Waste,
}

impl LockSchemes {
    pub(crate) fn needs() -> Vec<String> {
        SIZES.map(sizes_file).to_vec()
    }

    pub(crate) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        let chosen = options.get(&SIZES_OF) as usize;
        let name = SIZES.get(chosen).copied().unwrap_or(USUAL_SIZES);
        let geometry = geometry().ok_or_else(|| DataError::Malformed(name.to_owned()))?;
        let sizes = data.sizes(name)?;
        let others = SIZES.into_iter().filter(|other| *other != name);
        let others = others.map(|name| Ok((name, traffic(&geometry, &data.sizes(name)?))));
        let assumed = Assumed {
            threads: u16::try_from(options.get(&THREADS)).unwrap_or(u16::MAX),
            outside: f64::from(options.get(&OUTSIDE)) / 1e6,
            elsewhere: options.get(&ELSEWHERE).into(),
            lookup: f64::from(options.get(&LOOKUP)) / 100.0,
            allocations_per_mille: (options.get(&ALLOCATIONS) * 10) as u16,
            ..Assumed::with(traffic(&geometry, &sizes))
        };
        let types = zblock_geometry().map(|geometry| traffic(&geometry, &sizes)).unwrap_or_default();
        let seeds = options.get(&SEEDS);
        Ok(Self {
            closed: closed::Closed::new(),
            predict: predict::Predict::new((name, &assumed), others.collect::<Result<_, _>>()?, seeds),
            sweeps: sweeps::Sweeps::new(types),
            waste: waste::Waste::new(sizes.below(geometry.page_bytes()), seeds),
            geometry,
        })
    }
}

impl Job for LockSchemes {
    fn total(&self) -> u32 {
        self.predict.slices() + self.sweeps.slices() + self.waste.slices() + self.closed.slices()
    }

    fn work(&mut self, slice: u32) {
        let mut slice = slice;
        if slice < self.predict.slices() {
            return self.predict.work(slice);
        }
        slice -= self.predict.slices();
        if slice < self.sweeps.slices() {
            return self.sweeps.work(slice, &self.predict);
        }
        slice -= self.sweeps.slices();
        if slice < self.waste.slices() {
            return self.waste.work(slice, &self.geometry);
        }
        self.closed.work(slice - self.waste.slices());
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            case: Case::Locks,
            finding: format!("{} {}", self.predict.told(), self.waste.told()),
            lanes: self.predict.lanes(),
            steps: vec![
                self.predict.step(),
                self.predict.sensitivity(),
                self.predict.hottest(&self.geometry),
                self.sweeps.threads(),
                self.sweeps.pools(&self.predict),
                self.sweeps.skew(&self.predict),
                self.waste.step(),
                self.closed.step(),
            ],
        }
    }
}
