//! Threads that contend for the locks of an allocator, and how that grows with their number.

mod spread;
mod sweeps;

use slabscope_core::locks::{Draw, LockKey, Report, Scheme, Spec, State, Times, simulate};
use slabscope_core::tell::{counted, grouped};
use slabscope_worker::protocol::Setup;

use self::spread::Spread;
use self::sweeps::Sweeps;
use crate::desk::{Job, Step};
use crate::document::{Block, Document, Doing, Lanes, Segment, Sheet};
use crate::task::LockSetup;

/// Cores of the machine, unless there are more threads to draw.
const CORES: u16 = 32;
/// What an operation takes, in nanoseconds: assumptions, not measurements.
const TIMES: Times = Times { compress: 12_000, decompress: 4_000, malloc: 900, free: 600, lookup: 60 };
/// Operations of the run that is drawn, and of each point of the sweep.
const OPERATIONS: (u32, u32) = (20_000, 12_000);
/// Threads that are drawn at most.
const DRAWN: usize = 32;

/// A run in hand and the sweep around it.
pub(crate) struct Contention {
    setup: LockSetup,
    report: Option<Report>,
    sweeps: Sweeps,
    /// None where the pool is impossible: its locks are still of interest.
    spread: Option<Spread>,
}

/// Schemes in the order in which the page offers them.
fn schemes(pools: u16) -> [(Scheme, &'static str); 5] {
    [
        (Scheme::Pool, "one pool lock"),
        (Scheme::Pools(pools), "several pools"),
        (Scheme::PerClass, "a lock per class"),
        (Scheme::PerClassAndPool, "per class and pool"),
        (Scheme::PerType, "a lock per block type"),
    ]
}

impl Contention {
    /// A run of this setup.
    ///
    /// # Errors
    /// A count in it is 0.
    pub(crate) fn new(setup: &LockSetup, pool: &Setup) -> Result<Self, String> {
        spec(setup, setup.scheme.into(), setup.threads, OPERATIONS.0)
            .check()
            .map_err(|why| why.to_string())?;
        Ok(Self { setup: *setup, report: None, sweeps: Sweeps::default(), spread: Spread::new(pool).ok() })
    }

    fn document(&self, report: &Report) -> Document {
        let [compute, wait, hold] = [report.compute(), report.wait(), report.hold()];
        let all = (compute + wait + hold).max(1);
        let name = schemes(self.setup.pools)[usize::from(self.setup.scheme).min(4)].1;
        let share = |part: u64| (part * 100 + all / 2) / all;
        let mut document = vec![
            Block::Say(
                format!("With {name}, {} spend ", counted(self.setup.threads.into(), "thread", "threads")),
                format!("{} % of their time waiting", share(wait)),
                ".".to_owned(),
                format!(
                    "{} % compressing and decompressing, {} % under locks; {} operations in {} microseconds.",
                    share(compute),
                    share(hold),
                    grouped(report.operations),
                    grouped(report.elapsed / 1000)
                ),
            ),
            Block::Lanes(lanes(report)),
            Block::Sheet(hottest(report)),
            Block::Sheet(waits(report)),
        ];
        document.extend(self.sweeps.document(&self.setup));
        document.extend(self.spread.as_ref().and_then(Spread::block));
        document.push(Block::Text(format!(
                "Assumed, not measured: {CORES} cores; on average {} ns to compress, {} ns to decompress, {} ns for an allocation and {} ns for a free under the lock, {} ns for a look-up under the pool's; half of the operations allocate; {} size classes. Waiting is spinning. Shares follow from these, so compare schemes with each other, not with a stopwatch.",
                grouped(TIMES.compress),
                grouped(TIMES.decompress),
                TIMES.malloc,
                TIMES.free,
                TIMES.lookup,
                self.setup.classes
        )));
        document
    }
}

impl Job for Contention {
    fn step(&mut self) -> Step {
        let Some(report) = &self.report else {
            let spec = spec(&self.setup, self.setup.scheme.into(), self.setup.threads, OPERATIONS.0);
            return match simulate(&spec) {
                Ok(report) => {
                    let document = self.document(&report);
                    self.report = Some(report);
                    Step::Partly(document, Some(0))
                }
                Err(why) => Step::Failed(why.to_string()),
            };
        };
        let (swept, spread) = (self.sweeps.step(&self.setup), self.spread.as_mut().map(Spread::step));
        match (swept, spread) {
            (None, None | Some(None)) => Step::Done(self.document(report)),
            (swept, spread) => Step::Going(swept.unwrap_or(1000).min(spread.flatten().unwrap_or(1000))),
        }
    }
}

fn spec(setup: &LockSetup, scheme: usize, threads: u16, operations: u32) -> Spec {
    Spec {
        scheme: schemes(setup.pools)[scheme.min(4)].0,
        threads,
        cores: CORES,
        traffic: traffic(setup.classes.max(1), setup.skew),
        allocations_per_mille: 500,
        times: TIMES,
        draw: Draw::Exponential,
        operations,
        seed: setup.seed,
        lane_segments: 400,
    }
}

/// Shares of the classes by a Zipf law: the k-th gets 1 / k to the power of `skew` hundredths.
fn traffic(classes: u16, skew: u16) -> Vec<u32> {
    let exponent = f64::from(skew) / 100.0;
    (1..=classes).map(|rank| (1e6 / f64::from(rank).powf(exponent)).max(1.0) as u32).collect()
}

pub(crate) fn lanes(report: &Report) -> Lanes {
    // As long as every lane that is drawn goes.
    let ends = report.lanes.iter().take(DRAWN).filter_map(|lane| lane.segments.last()).map(|last| last.to);
    let until = ends.min().unwrap_or(0).min(400_000);
    let lane = |lane: &slabscope_core::locks::Lane| {
        let shown = lane.segments.iter().take_while(|segment| segment.from < until);
        let doing = |state| match state {
            State::Off => Doing::Off,
            State::Compute => Doing::Compute,
            State::Wait => Doing::Wait,
            State::Hold => Doing::Hold,
        };
        shown.map(|segment| Segment(segment.from, segment.to.min(until), doing(segment.state))).collect()
    };
    let drawn = report.lanes.len().min(DRAWN);
    Lanes {
        caption: format!(
            "The first {} microseconds of {}",
            grouped(until / 1000),
            counted(drawn as u64, "thread", "threads")
        ),
        until,
        lanes: report.lanes.iter().take(DRAWN).map(lane).collect(),
    }
}

/// Locks by the time lost for them.
fn hottest(report: &Report) -> Sheet {
    let mut sheet = Sheet::new(
        "The hottest locks",
        &["Lock", "Taken", "Waited for", "Waiting, µs", "Held, µs", "Longest queue"],
    );
    for lock in report.hottest().into_iter().take(12) {
        let name = match lock.lock {
            LockKey::Pool(pool) => format!("pool {pool}"),
            LockKey::Class(class) => format!("class {class}"),
            LockKey::Migrate => "pool, read and write".to_owned(),
        };
        sheet.push(vec![
            name,
            grouped(lock.taken),
            grouped(lock.contended),
            grouped(lock.wait / 1000),
            grouped(lock.hold / 1000),
            grouped(lock.longest_queue.into()),
        ]);
    }
    sheet
}

/// Waits by their length.
fn waits(report: &Report) -> Sheet {
    let mut sheet = Sheet::new("Waits by length", &["Up to, ns", "Waits"]);
    let last = report.waits.iter().rposition(|count| *count > 0).unwrap_or(0);
    for (power, count) in report.waits.iter().enumerate().take(last + 1) {
        if power == 0 || *count > 0 {
            let upper = if power == 0 { "none".to_owned() } else { grouped(1u64 << power.min(63)) };
            sheet.push(vec![upper, grouped(*count)]);
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    const SETUP: LockSetup =
        LockSetup { scheme: 0, pools: 32, threads: 16, skew: 100, seed: 1, classes: 120 };

    fn pool() -> Setup {
        let config = slabscope_core::zsmalloc::Config::default_for(slabscope_core::zsmalloc::Era::default());
        let stream = slabscope_core::workload::Spec {
            kind: slabscope_core::workload::Kind::Churn,
            dist: slabscope_core::workload::SizeDist::ProcLzo,
            fixed_size: None,
            seed: 1,
            operations: 4000,
            live: 1500,
            compact_every: 0,
        };
        Setup::new(&slabscope_core::model::AnyConfig::Zsmalloc(config), &stream, None)
    }

    #[test]
    fn lanes_come_first_and_sweeps_follow() {
        let mut job = Contention::new(&SETUP, &pool()).unwrap();
        let Step::Partly(first, Some(0)) = job.step() else { panic!("lanes first") };
        assert!(first.iter().any(|block| matches!(block, Block::Lanes(_))));
        let document = loop {
            match job.step() {
                Step::Going(done) | Step::Partly(_, Some(done)) => assert!(done <= 1000),
                Step::Done(document) => break document,
                other => panic!("{other:?}"),
            }
        };
        let plots: Vec<_> = document
            .iter()
            .filter_map(|block| match block {
                Block::Plot(plot) => Some(plot),
                _ => None,
            })
            .collect();
        let last = |plot: usize, line: usize| plots[plot].lines[line].points.last().unwrap().1;
        assert_eq!(plots.len(), 4, "threads, pools, skew, waste");
        let bound = plots[0].lines.len() - 1;
        assert!(last(0, 2) > last(0, 0), "locks per class outgrow one lock");
        let under = |line: usize| {
            let points = plots[0].lines[line].points.iter().zip(&plots[0].lines[bound].points);
            points.filter(|(one, most)| one.1 > most.1 * 1.05).count() == 0
        };
        assert!((0..bound).all(under), "nothing beats the lock-free bound by more than chance");
        let waste = &plots[3].lines[0].points;
        assert!(waste.is_sorted_by(|one, other| one.1 <= other.1) && waste[0].1 < waste.last().unwrap().1);
        let check = document.iter().find_map(|block| match block {
            Block::Text(text) if text.starts_with("Check") => Some(text.clone()),
            _ => None,
        });
        assert!(check.is_some());
    }

    #[test]
    fn no_threads_are_refused() {
        assert!(Contention::new(&LockSetup { threads: 0, ..SETUP }, &pool()).is_err());
        assert!(Contention::new(&LockSetup { scheme: 1, pools: 0, ..SETUP }, &pool()).is_err());
    }

    #[test]
    fn traffic_falls_with_the_rank() {
        assert_eq!(traffic(3, 0), [1_000_000; 3]);
        assert_eq!(traffic(4, 100), [1_000_000, 500_000, 333_333, 250_000]);
    }
}
