//! How the schemes scale: threads, pools, and how unequal the classes are.

use slabscope_core::locks::Scheme;

use crate::figure::say;
use crate::{Line, Plot, Row, Step, Unit};

use super::calibrate::simulated;
use super::predict::Predict;
use super::{Assumed, Calibration, PER_CLASS, UNIT};

const SCHEMES: [(&str, Scheme); 5] = [
    ("one pool lock", Scheme::Pool),
    ("32 pools, a lock each", Scheme::Pools(32)),
    ("per class", Scheme::PerClass),
    ("per class and pool", Scheme::PerClassAndPool),
    ("per type, as zblock", Scheme::PerType),
];
/// Threads, each with a core.
const THREADS: [u16; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Pools with a lock each.
pub(super) const POOLS: [u16; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Percent of the operations that go to one class; the others share the rest alike.
const HOTTEST: [u32; 6] = [1, 5, 10, 20, 40, 80];
const CLASSES: u32 = 100;

const OPERATIONS: u32 = 60_000;
const SEED: u64 = 1;

/// The sweeps, as far as they have run.
pub(super) struct Sweeps {
    /// Share of the operations of each of zblock's block types.
    types: Vec<u32>,
    /// Operations a second and percent of the time spent waiting, by scheme and threads.
    threads: Vec<Vec<(f64, f64)>>,
    /// Real and system seconds by pools.
    pools: Vec<(f64, f64)>,
    /// Real and system seconds by share of the hottest class.
    skew: Vec<(f64, f64)>,
    lock_free: Vec<f64>,
}

impl Sweeps {
    pub(super) fn new(types: Vec<u32>) -> Self {
        Self {
            types,
            threads: vec![Vec::new(); SCHEMES.len()],
            pools: Vec::new(),
            skew: Vec::new(),
            lock_free: Vec::new(),
        }
    }

    pub(super) fn slices(&self) -> u32 {
        (THREADS.len() + POOLS.len() + HOTTEST.len()) as u32
    }

    pub(super) fn work(&mut self, slice: u32, predict: &Predict) {
        let Some((assumed, calibration)) = predict.usual() else { return };
        let slice = slice as usize;
        if let Some(&threads) = THREADS.get(slice) {
            return self.with_threads(threads, assumed, calibration);
        }
        let seconds = |assumed: &Assumed, scheme| {
            let (wait, lookup) = simulated(assumed, scheme, calibration.think, SEED, OPERATIONS);
            let found = calibration.seconds(wait, lookup);
            (found.real, found.system)
        };
        if let Some(&pools) = POOLS.get(slice - THREADS.len()) {
            self.pools.push(seconds(assumed, Scheme::Pools(pools)));
        } else if let Some(&hottest) = HOTTEST.get(slice - THREADS.len() - POOLS.len()) {
            let mut traffic = vec![100 - hottest; CLASSES as usize - 1];
            traffic.push(hottest * (CLASSES - 1));
            self.skew.push(seconds(&Assumed { traffic, ..assumed.clone() }, PER_CLASS.scheme));
        }
    }

    fn with_threads(&mut self, threads: u16, assumed: &Assumed, calibration: &Calibration) {
        let per_class = Assumed { threads, ..assumed.clone() };
        let per_type = Assumed { traffic: self.types.clone(), ..per_class.clone() };
        self.lock_free.push(calibration.lock_free_rate(threads.into()));
        for (found, (_, scheme)) in self.threads.iter_mut().zip(SCHEMES) {
            let assumed = if scheme == Scheme::PerType { &per_type } else { &per_class };
            let (wait, lookup) = simulated(assumed, scheme, calibration.think, SEED, OPERATIONS);
            let cycle = calibration.think + 1.0 + wait + lookup;
            let rate = f64::from(threads) / (cycle * calibration.under_lock);
            found.push((rate, wait * 100.0 / cycle));
        }
    }

    pub(super) fn threads(&self) -> Step {
        let mut rows = Vec::new();
        for (threads, rate) in THREADS.into_iter().zip(&self.lock_free) {
            let name = format!("{threads} threads, lock-free bound");
            rows.push(Row::new(name, "operations_per_second", Unit::Count).predicted(*rate));
        }
        for ((name, _), found) in SCHEMES.into_iter().zip(&self.threads) {
            for (threads, (rate, waiting)) in THREADS.into_iter().zip(found) {
                let row = |metric, unit| Row::new(format!("{threads} threads, {name}"), metric, unit);
                rows.push(row("operations_per_second", Unit::Count).predicted(*rate));
                rows.push(row("waiting_percent", Unit::Percent).predicted(*waiting));
            }
        }
        let share = |scheme: usize, threads: u16| {
            let index = THREADS.iter().position(|&other| other == threads)?;
            let (rate, bound) = (self.threads.get(scheme)?.get(index)?.0, self.lock_free.get(index)?);
            Some(say(rate * 100.0 / bound, 0))
        };
        let told: Vec<String> = SCHEMES
            .into_iter()
            .enumerate()
            .filter_map(|(index, (name, _))| {
                Some(format!("{name} {} % at 32 and {} % at 256", share(index, 32)?, share(index, 256)?))
            })
            .collect();
        let text = format!(
            "With the same operations and more threads, each on a core of its own, of what would be reached without locks: {}. \
             Simulated with {} ns under a lock and everything else in proportion.",
            told.join("; "),
            say(UNIT as f64, 0)
        );
        let line = |name: &str, rates: &[f64]| Line {
            name: name.to_owned(),
            points: THREADS.into_iter().map(f64::from).zip(rates.iter().map(|rate| rate / 1000.0)).collect(),
            published: false,
        };
        let mut lines = vec![line("lock-free bound", &self.lock_free)];
        lines.extend(
            SCHEMES.into_iter().zip(&self.threads).map(|((name, _), found)| {
                line(name, &found.iter().map(|(rate, _)| *rate).collect::<Vec<_>>())
            }),
        );
        let plot = Plot {
            title: "Operations by threads",
            x: "threads",
            x_by_factors: true,
            y: "operations in a millisecond",
            lines,
        };
        Step { title: "From 1 to 256 threads", text, rows, plots: vec![plot] }
    }

    pub(super) fn pools(&self, predict: &Predict) -> Step {
        let rows = POOLS
            .into_iter()
            .zip(&self.pools)
            .flat_map(|(pools, &found)| seconds_rows(format!("{pools} pools with a lock each"), found));
        let waits = |pools: u16| {
            let index = POOLS.iter().position(|&other| other == pools)?;
            let (_, calibration) = predict.usual()?;
            Some(say(self.pools.get(index)?.1 - calibration.lock_free, 1))
        };
        let told: Vec<String> = [1, 4, 32]
            .into_iter()
            .filter_map(|pools| Some(format!("{} s with {pools}", waits(pools)?)))
            .collect();
        let text = format!(
            "Waiting falls faster than the number of pools grows: {}. The posting's 32 are more than its own machine needs.",
            told.join(", ")
        );
        Step { title: "From 1 to 64 pools", text, rows: rows.collect(), plots: Vec::new() }
    }

    pub(super) fn skew(&self, predict: &Predict) -> Step {
        let rows = HOTTEST.into_iter().zip(&self.skew).flat_map(|(hottest, &found)| {
            seconds_rows(format!("per class and pool, {hottest} % to one of {CLASSES} classes"), found)
        });
        let rows: Vec<Row> = rows.collect();
        let bound = predict.usual().map_or(0.0, |(_, calibration)| calibration.lock_free);
        let told: Vec<String> = HOTTEST
            .into_iter()
            .zip(&self.skew)
            .map(|(hottest, (_, system))| format!("{} s at {hottest} %", say(system - bound, 1)))
            .collect();
        let text = format!(
            "A lock per class is as good as its hottest class is cool. If one of {CLASSES} classes gets this share of the \
             operations and the others the rest alike, waiting and looking up take: {}.",
            told.join(", ")
        );
        Step { title: "How unequal the sizes are", text, rows, plots: Vec::new() }
    }
}

fn seconds_rows(name: String, (real, system): (f64, f64)) -> [Row; 2] {
    [
        Row::new(name.clone(), "real_seconds", Unit::Seconds).predicted(real),
        Row::new(name, "sys_seconds", Unit::Seconds).predicted(system),
    ]
}
