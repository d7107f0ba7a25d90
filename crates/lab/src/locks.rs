//! Threads that contend for the locks of an allocator, and how that grows with their number.

use slabscope_core::locks::{Draw, LockKey, Report, Scheme, Spec, State, Times, simulate};
use slabscope_core::tell::{counted, grouped};

use crate::desk::{Job, Step};
use crate::document::{Block, Document, Doing, Lanes, LinePlot, PlotLine, Segment, Sheet};
use crate::task::LockSetup;

/// Cores of the machine, unless there are more threads to draw.
const CORES: u16 = 32;
/// What an operation takes, in nanoseconds: assumptions, not measurements.
const TIMES: Times = Times { compress: 12_000, decompress: 4_000, malloc: 900, free: 600, lookup: 60 };
/// Operations of the run that is drawn, and of each point of the sweep.
const OPERATIONS: (u32, u32) = (20_000, 12_000);
/// Numbers of threads of the sweep.
const THREADS: [u16; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Threads that are drawn at most.
const DRAWN: usize = 32;

/// A run in hand and the sweep around it.
pub(crate) struct Contention {
    setup: LockSetup,
    report: Option<Report>,
    /// Operations in a millisecond, by scheme and number of threads.
    sweep: Vec<(usize, u16, f32)>,
    next: usize,
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
    pub(crate) fn new(setup: &LockSetup) -> Result<Self, String> {
        spec(setup, setup.scheme.into(), setup.threads, OPERATIONS.0)
            .check()
            .map_err(|why| why.to_string())?;
        Ok(Self { setup: *setup, report: None, sweep: Vec::new(), next: 0 })
    }

    fn document(&self, report: &Report) -> Document {
        let [compute, wait, hold] = [report.compute(), report.wait(), report.hold()];
        let all = (compute + wait + hold).max(1);
        let name = schemes(self.setup.pools)[usize::from(self.setup.scheme).min(4)].1;
        let share = |part: u64| (part * 100 + all / 2) / all;
        vec![
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
            Block::Plot(self.scaling()),
            Block::Sheet(hottest(report)),
            Block::Sheet(waits(report)),
            Block::Text(format!(
                "Assumed, not measured: {CORES} cores; on average {} ns to compress, {} ns to decompress, {} ns for an allocation and {} ns for a free under the lock, {} ns for a look-up under the pool's; half of the operations allocate; {} size classes. Waiting is spinning. Shares follow from these, so compare schemes with each other, not with a stopwatch.",
                grouped(TIMES.compress),
                grouped(TIMES.decompress),
                TIMES.malloc,
                TIMES.free,
                TIMES.lookup,
                self.setup.classes
            )),
        ]
    }

    fn scaling(&self) -> LinePlot {
        let lines = schemes(self.setup.pools).into_iter().enumerate().map(|(scheme, (_, name))| {
            let of_scheme = self.sweep.iter().filter(|point| point.0 == scheme);
            // Doublings lie equally far apart.
            let points = of_scheme.map(|&(_, threads, rate)| (threads.ilog2() as f32, rate)).collect();
            PlotLine { name: name.to_owned(), points }
        });
        LinePlot {
            caption: "How it grows with threads".to_owned(),
            along: "doublings of threads, from 1 to 256".to_owned(),
            up: "operations in a millisecond".to_owned(),
            lines: lines.collect(),
            cursor: Some(self.setup.threads.max(1).ilog2() as f32),
        }
    }
}

impl Job for Contention {
    fn step(&mut self) -> Step {
        let points = THREADS.len() * 5;
        if self.report.is_none() {
            let spec = spec(&self.setup, self.setup.scheme.into(), self.setup.threads, OPERATIONS.0);
            match simulate(&spec) {
                Ok(report) => self.report = Some(report),
                Err(why) => return Step::Failed(why.to_string()),
            }
        } else if self.next < points {
            let (scheme, threads) = (self.next / THREADS.len(), THREADS[self.next % THREADS.len()]);
            self.next += 1;
            if let Ok(report) = simulate(&spec(&self.setup, scheme, threads, OPERATIONS.1)) {
                let rate = report.operations as f32 * 1e6 / report.elapsed.max(1) as f32;
                self.sweep.push((scheme, threads, rate));
            }
        }
        match &self.report {
            Some(report) if self.next >= points => Step::Done(self.document(report)),
            _ => Step::Going((self.next * 1000 / points) as u16),
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

fn lanes(report: &Report) -> Lanes {
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

    #[test]
    fn a_run_ends_with_its_sweep() {
        let mut job = Contention::new(&SETUP).unwrap();
        let document = loop {
            match job.step() {
                Step::Going(_) => {}
                Step::Done(document) => break document,
                other => panic!("{other:?}"),
            }
        };
        let plot = document.iter().find_map(|block| match block {
            Block::Plot(plot) => Some(plot),
            _ => None,
        });
        let lines = &plot.unwrap().lines;
        assert!(lines.len() == 5 && lines.iter().all(|line| line.points.len() == THREADS.len()));
        let at_most = |line: usize| lines[line].points.last().unwrap().1;
        assert!(at_most(2) > at_most(0), "locks per class outgrow one lock");
    }

    #[test]
    fn no_threads_are_refused() {
        assert!(Contention::new(&LockSetup { threads: 0, ..SETUP }).is_err());
        assert!(Contention::new(&LockSetup { scheme: 1, pools: 0, ..SETUP }).is_err());
    }

    #[test]
    fn traffic_falls_with_the_rank() {
        assert_eq!(traffic(3, 0), [1_000_000; 3]);
        assert_eq!(traffic(4, 100), [1_000_000, 500_000, 333_333, 250_000]);
    }
}
