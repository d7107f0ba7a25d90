//! The third row as a prediction, and how it moves with everything that was assumed.

use slabscope_core::locks::{Draw, LockKey, Report, Scheme, Spec, simulate};
use slabscope_core::zsmalloc::Geometry;

use crate::figure::say;
use crate::{Row, Sample, Step, Unit};

use super::calibrate::{Seconds, simulated};
use super::{Assumed, Calibration, MANY_POOLS, ONE_POOL, PER_CLASS, Posted, calibrate};

/// Operations of a simulation.
const OPERATIONS: u32 = 200_000;
/// Seeds of a setting with another assumption.
const VARIANT_SEEDS: u64 = 2;

/// Rows of the posting, and locks that it does not have.
const ROWS: [(&str, Scheme); 4] = [
    (MANY_POOLS.row, MANY_POOLS.scheme),
    (ONE_POOL.row, ONE_POOL.scheme),
    (PER_CLASS.row, PER_CLASS.scheme),
    ("per class, as up to 6.1", Scheme::PerClass),
];
const POSTED: [Posted; 3] = [MANY_POOLS, ONE_POOL, PER_CLASS];

/// Another assumption.
struct Variant {
    name: String,
    assumed: Assumed,
}

/// The prediction, as far as it has run.
pub(super) struct Predict {
    /// Whose sizes the traffic is counted by.
    sizes: &'static str,
    seeds: u32,
    variants: Vec<Variant>,
    /// The usual setting and each variant, once calibrated.
    calibrated: Vec<Option<Calibration>>,
    /// Real and system seconds by row, seed by seed.
    samples: Vec<[Sample; 2]>,
    /// Third row of each variant: real and system seconds.
    moved: Vec<[Sample; 2]>,
    hottest: Option<Report>,
}

impl Predict {
    pub(super) fn new(
        (sizes, assumed): (&'static str, &Assumed),
        others: Vec<(&'static str, Vec<u32>)>,
        seeds: u32,
    ) -> Self {
        let mut variants = vec![Variant { name: "as assumed".to_owned(), assumed: assumed.clone() }];
        let mut add = |name: String, assumed: Assumed| variants.push(Variant { name, assumed });
        for threads in [24, 48, 64] {
            add(format!("{threads} threads and cores"), Assumed { threads, ..assumed.clone() });
        }
        for micros in [5u32, 80] {
            let outside = f64::from(micros) / 1e6;
            add(format!("{micros} µs outside the locks"), Assumed { outside, ..assumed.clone() });
        }
        add("300 s of system time elsewhere".to_owned(), Assumed { elsewhere: 300.0, ..assumed.clone() });
        for percent in [0u32, 30] {
            let lookup = f64::from(percent) / 100.0;
            add(format!("look-up {percent} % of an operation"), Assumed { lookup, ..assumed.clone() });
        }
        for allocations_per_mille in [300, 700] {
            let name = format!("{} % allocations", allocations_per_mille / 10);
            add(name, Assumed { allocations_per_mille, ..assumed.clone() });
        }
        add("times always the mean".to_owned(), Assumed { draw: Draw::Fixed, ..assumed.clone() });
        for (name, traffic) in others {
            add(format!("sizes of {name}"), Assumed { traffic, ..assumed.clone() });
        }
        Self {
            sizes,
            seeds,
            calibrated: vec![None; variants.len()],
            samples: vec![Default::default(); ROWS.len()],
            moved: vec![Default::default(); variants.len()],
            variants,
            hottest: None,
        }
    }

    /// The usual setting and its unknowns, once they are set.
    pub(super) fn usual(&self) -> Option<(&Assumed, &Calibration)> {
        Some((&self.variants.first()?.assumed, self.calibrated.first()?.as_ref()?))
    }

    pub(super) fn slices(&self) -> u32 {
        1 + self.seeds + self.variants.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        match slice.checked_sub(1) {
            None => self.calibrate(0),
            Some(seed) if seed < self.seeds => self.predict(u64::from(seed) + 1),
            Some(rest) => {
                let variant = (rest - self.seeds) as usize;
                if variant > 0 {
                    self.calibrate(variant);
                }
                self.vary(variant);
            }
        }
    }

    fn calibrate(&mut self, variant: usize) {
        if let (Some(slot), Some(variant)) = (self.calibrated.get_mut(variant), self.variants.get(variant)) {
            *slot = calibrate(&variant.assumed);
        }
    }

    fn predict(&mut self, seed: u64) {
        let Some((assumed, calibration)) = self.usual() else { return };
        let run = |scheme| {
            let (wait, lookup) = simulated(assumed, scheme, calibration.think, seed, OPERATIONS);
            calibration.seconds(wait, lookup)
        };
        let found = ROWS.map(|(_, scheme)| run(scheme));
        let hottest = (seed == 1).then(|| simulate(&self.spec(PER_CLASS.scheme)?).ok()).flatten();
        for (samples, Seconds { real, system }) in self.samples.iter_mut().zip(found) {
            samples[0].push(real);
            samples[1].push(system);
        }
        self.hottest = hottest.or(self.hottest.take());
    }

    fn vary(&mut self, index: usize) {
        let (Some(variant), Some(Some(calibration)), Some(samples)) =
            (self.variants.get(index), self.calibrated.get(index), self.moved.get_mut(index))
        else {
            return;
        };
        for seed in 1..=VARIANT_SEEDS {
            let (wait, lookup) =
                simulated(&variant.assumed, PER_CLASS.scheme, calibration.think, seed, OPERATIONS);
            let Seconds { real, system } = calibration.seconds(wait, lookup);
            samples[0].push(real);
            samples[1].push(system);
        }
    }

    /// What to simulate for lanes and locks of a scheme, in nanoseconds as calibrated.
    fn spec(&self, scheme: Scheme) -> Option<Spec> {
        let (assumed, calibration) = self.usual()?;
        let unit = (calibration.under_lock * 1e9).round().max(1.0) as u64;
        Some(assumed.spec(scheme, calibration.think, unit, 1, OPERATIONS))
    }

    /// The rows as threads to be looked at.
    pub(super) fn lanes(&self) -> Vec<(String, Spec)> {
        let rows = ROWS.into_iter().filter_map(|(name, scheme)| Some((name.to_owned(), self.spec(scheme)?)));
        rows.collect()
    }

    fn mean(&self, row: usize, column: usize) -> Option<f64> {
        self.samples.get(row)?.get(column)?.mean()
    }

    pub(super) fn told(&self) -> String {
        let (Some(system), Some(real)) = (self.mean(2, 1), self.mean(2, 0)) else { return String::new() };
        let published = |metric| PER_CLASS.seconds(metric).unwrap_or_default();
        format!(
            "With two unknowns set by the first two rows, the model predicts {} s of system time and {} s of real time for one \
             pool with a lock per class; published are {} and {}. So one pool is enough.",
            say(system, 1),
            say(real, 1),
            say(published("sys_seconds"), 2),
            say(published("real_seconds"), 2)
        )
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for (index, ((name, _), samples)) in ROWS.into_iter().zip(&self.samples).enumerate() {
            let published = |metric| POSTED.get(index).and_then(|row| row.seconds(metric));
            for (sample, metric) in samples.iter().zip(["real_seconds", "sys_seconds"]) {
                let what = match (index, metric) {
                    (0, _) | (1, "sys_seconds") => "set by calibration",
                    (3, _) => "not in the posting",
                    _ => "predicted",
                };
                rows.push(
                    Row::new(name, metric, Unit::Seconds)
                        .published(published(metric))
                        .mean_of(sample)
                        .note(what),
                );
            }
            if index < POSTED.len() {
                rows.push(
                    Row::new(name, "user_seconds", Unit::Seconds)
                        .published(published("user_seconds"))
                        .note("no locks in it: not modelled"),
                );
            }
        }
        let mut text = String::new();
        if let Some((assumed, calibration)) = self.usual() {
            rows.push(
                Row::new("lock-free bound", "sys_seconds", Unit::Seconds)
                    .predicted(calibration.lock_free)
                    .note("the same operations without any waiting"),
            );
            rows.push(
                Row::new("calibrated", "under_lock_microseconds", Unit::Microseconds)
                    .predicted(calibration.under_lock * 1e6)
                    .note("first unknown; goes with the assumed time outside the locks"),
            );
            rows.push(
                Row::new("calibrated", "operations_per_second", Unit::Count)
                    .predicted(MANY_POOLS.seconds("real_seconds").map(|real| calibration.operations / real))
                    .note("second unknown; swap-outs and swap-ins together"),
            );
            rows.push(
                Row::new("calibrated", "lock_held_percent_of_real_time", Unit::Percent)
                    .predicted(
                        MANY_POOLS
                            .seconds("real_seconds")
                            .map(|real| calibration.operations * calibration.under_lock * 100.0 / real),
                    )
                    .note(
                        "what one lock for all would be held if nobody waited: the only product that matters",
                    ),
            );
            text = format!(
                "Assumed: {} threads, each on a core of its own; sizes of {}; {} µs of system time of an operation outside the \
                 locks, and {} s elsewhere, so that the lock-free bound is all system time but the waiting; {} % of the operations \
                 allocate; a look-up takes {} % of an operation; times are exponential. Set by the first two rows: {} µs under \
                 the lock and {} operations a second. The real time of the second row and all of the third are predictions. Only \
                 the product of the two unknowns acts on them, {} % of the time; how it divides depends on the time outside the \
                 locks, which is a guess.",
                assumed.threads,
                self.sizes,
                say(assumed.outside * 1e6, 0),
                say(assumed.elsewhere, 0),
                assumed.allocations_per_mille / 10,
                say(assumed.lookup * 100.0, 0),
                say(calibration.under_lock * 1e6, 2),
                say(calibration.operations / MANY_POOLS.seconds("real_seconds").unwrap_or(1.0), 0),
                say(
                    calibration.operations * calibration.under_lock * 100.0
                        / MANY_POOLS.seconds("real_seconds").unwrap_or(1.0),
                    0
                )
            );
        }
        Step { title: "Three rows, two unknowns", text, rows, plots: Vec::new() }
    }

    pub(super) fn sensitivity(&self) -> Step {
        let mut rows = Vec::new();
        let mut range: Option<(f64, f64)> = None;
        for ((variant, samples), calibration) in self.variants.iter().zip(&self.moved).zip(&self.calibrated) {
            for (sample, metric) in samples.iter().zip(["real_seconds", "sys_seconds"]) {
                let mean = sample.mean();
                rows.push(
                    Row::new(format!("{}, {}", PER_CLASS.row, variant.name), metric, Unit::Seconds)
                        .published(PER_CLASS.seconds(metric))
                        .mean_of(sample)
                        .note("calibrated anew"),
                );
                if let (Some(mean), "sys_seconds") = (mean, metric) {
                    let (low, high) = range.unwrap_or((mean, mean));
                    range = Some((low.min(mean), high.max(mean)));
                }
            }
            if let Some(calibration) = calibration {
                rows.push(
                    Row::new(
                        format!("calibrated, {}", variant.name),
                        "under_lock_microseconds",
                        Unit::Microseconds,
                    )
                    .predicted(calibration.under_lock * 1e6),
                );
            }
        }
        let text = range.map_or_else(String::new, |(low, high)| {
            format!(
                "Each assumption is changed alone, both unknowns are set anew, and the third row is predicted again: its system time \
                 moves between {} and {} s, against {} published. Not in the model: the price of a cache line that moves between \
                 cores, which the pool-wide lock has too, and the page allocator's locks.",
                say(low, 1),
                say(high, 1),
                say(PER_CLASS.seconds("sys_seconds").unwrap_or_default(), 2)
            )
        });
        Step { title: "What the prediction depends on", text, rows, plots: Vec::new() }
    }

    pub(super) fn hottest(&self, geometry: &Geometry) -> Step {
        let mut rows = Vec::new();
        let mut text = String::new();
        if let Some(report) = &self.hottest {
            let time = (report.compute() + report.wait() + report.hold()).max(1) as f64;
            for (name, part) in
                [("compute", report.compute()), ("wait", report.wait()), ("hold", report.hold())]
            {
                rows.push(
                    Row::new(format!("time of a thread, {name}"), "percent", Unit::Percent)
                        .predicted(part as f64 * 100.0 / time),
                );
            }
            let hottest = report.hottest();
            let name = |lock: LockKey| match lock {
                LockKey::Class(class) => {
                    let size = geometry.classes().get(usize::from(class)).map_or(0, |class| class.size);
                    format!("class {size}")
                }
                LockKey::Migrate => "the pool's read-write lock".to_owned(),
                LockKey::Pool(pool) => format!("pool {pool}"),
            };
            for (rank, lock) in hottest.iter().take(5).enumerate() {
                let row = |metric, unit| {
                    Row::new(format!("hottest lock {}, {}", rank + 1, name(lock.lock)), metric, unit)
                };
                let elapsed = report.elapsed.max(1) as f64;
                rows.push(row("held_percent", Unit::Percent).predicted(lock.hold as f64 * 100.0 / elapsed));
                rows.push(
                    row("share_of_waiting_percent", Unit::Percent)
                        .predicted(lock.wait as f64 * 100.0 / report.wait().max(1) as f64),
                );
                rows.push(row("longest_queue", Unit::Count).predicted(f64::from(lock.longest_queue)));
            }
            if let Some(first) = hottest.first() {
                text = format!(
                    "With a lock per class the hottest is that of {}: held {} % of the time, it has {} % of all waiting. Sizes of real \
                     memory lie close together, but not so close that one class would be a bottleneck.",
                    name(first.lock),
                    say(first.hold as f64 * 100.0 / report.elapsed.max(1) as f64, 1),
                    say(first.wait as f64 * 100.0 / report.wait().max(1) as f64, 0)
                );
            }
        }
        Step { title: "The hottest locks", text, rows, plots: Vec::new() }
    }
}
