//! How the schemes do with more threads, more pools and more unequal classes, beside what there would be without locks, and
//! the check of the engine against a closed form.

use slabscope_core::locks::{Draw, Scheme, Spec, Times, machine_repair_utilisation, simulate};
use slabscope_core::tell::{counted, hundredths, tenths};

use super::{CORES, OPERATIONS, TIMES, schemes, spec};
use crate::document::{Block, Document, LinePlot, PlotLine};
use crate::task::LockSetup;

/// Numbers of threads.
const THREADS: [u16; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Numbers of pools.
const POOLS: [u16; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Hundredths of the exponent by which traffic falls.
const SKEWS: [u16; 6] = [0, 40, 80, 120, 160, 200];
/// Schemes whose locks belong to classes or types.
const SKEWED: [usize; 3] = [2, 3, 4];
const SCHEMES: usize = 5;

const BY_THREADS: usize = SCHEMES * THREADS.len();
const BY_POOLS: usize = BY_THREADS + POOLS.len();
const BY_SKEW: usize = BY_POOLS + SKEWED.len() * SKEWS.len();
/// The check comes last.
const POINTS: usize = BY_SKEW + 1;

/// Under the lock and outside of it, in the check: own work takes four times as long for each thread.
const CHECKED: (u64, u64) = (1_000, 4_000);
const CHECK_OPERATIONS: u32 = 100_000;

/// Operations in a millisecond of each point, in the order of the constants above; of the check the share of time that
/// the lock is held.
#[derive(Default)]
pub(super) struct Sweeps {
    points: Vec<f32>,
}

impl Sweeps {
    /// Simulates the next point. How much is done, of a thousand; `None` once all is.
    pub(super) fn step(&mut self, setup: &LockSetup) -> Option<u16> {
        let next = self.points.len();
        if next >= POINTS {
            return None;
        }
        let operations = OPERATIONS.1;
        let spec = if next < BY_THREADS {
            spec(setup, next / THREADS.len(), THREADS[next % THREADS.len()], operations)
        } else if next < BY_POOLS {
            spec(&LockSetup { pools: POOLS[next - BY_THREADS], ..*setup }, 1, setup.threads, operations)
        } else if next < BY_SKEW {
            let (scheme, skew) = ((next - BY_POOLS) / SKEWS.len(), (next - BY_POOLS) % SKEWS.len());
            spec(&LockSetup { skew: SKEWS[skew], ..*setup }, SKEWED[scheme], setup.threads, operations)
        } else {
            check(setup)
        };
        let point = simulate(&spec).map_or(0.0, |report| {
            let elapsed = report.elapsed.max(1) as f32;
            if next < BY_SKEW {
                report.operations as f32 * 1e6 / elapsed
            } else {
                report.hold() as f32 / elapsed
            }
        });
        self.points.push(point);
        Some((self.points.len() * 1000 / POINTS) as u16)
    }

    fn line(&self, name: &str, from: usize, along: &[f32]) -> PlotLine {
        let points = along.iter().copied().zip(self.points.iter().skip(from).copied());
        PlotLine { name: name.to_owned(), points: points.collect() }
    }

    /// The plots, as far as they are known, and the check.
    pub(super) fn document(&self, setup: &LockSetup) -> Document {
        let plot = |caption: &str, along: &str, lines: Vec<PlotLine>, cursor: f32| {
            Block::Plot(LinePlot {
                caption: caption.to_owned(),
                along: along.to_owned(),
                up: "operations in a millisecond".to_owned(),
                lines,
                cursor: Some(cursor),
            })
        };
        let doublings = |number: u16| number.max(1).ilog2() as f32;
        let names = schemes(setup.pools);
        let threads = THREADS.map(doublings);
        let mut by_threads: Vec<PlotLine> =
            (0..SCHEMES).map(|scheme| self.line(names[scheme].1, scheme * THREADS.len(), &threads)).collect();
        let bound = |threads: u16| f32::from(threads.min(CORES.max(setup.threads))) * lock_free_rate();
        by_threads.push(PlotLine {
            name: "without locks".to_owned(),
            points: THREADS.map(|threads| (doublings(threads), bound(threads))).to_vec(),
        });
        let pools = POOLS.map(doublings);
        let by_pools = vec![
            self.line("several pools", BY_THREADS, &pools),
            PlotLine {
                name: "without locks".to_owned(),
                points: pools.map(|along| (along, bound(setup.threads))).to_vec(),
            },
        ];
        let skews = SKEWS.map(f32::from);
        let by_skew = SKEWED
            .iter()
            .enumerate()
            .map(|(at, &scheme)| self.line(names[scheme].1, BY_POOLS + at * SKEWS.len(), &skews));
        let mut document = vec![
            plot(
                "How it grows with threads",
                "doublings of threads, from 1 to 256",
                by_threads,
                doublings(setup.threads),
            ),
            plot(
                "How it grows with pools",
                "doublings of pools, from 1 to 64",
                by_pools,
                doublings(setup.pools.min(64)),
            ),
            plot(
                "How unequal traffic takes it back",
                "skew, hundredths",
                by_skew.collect(),
                setup.skew.into(),
            ),
        ];
        if let Some(&held) = self.points.get(BY_SKEW) {
            let exact = machine_repair_utilisation(setup.threads.into(), think(setup));
            document.push(Block::Text(format!(
                "Check: for one lock and exponential times there is a formula (the queue of machines that wait for one repairer, M/M/1//N). With {} and own work of {} times an operation under the lock, it says that the lock is held {} % of the time; this engine says {} %.",
                counted(setup.threads.into(), "thread", "threads"),
                tenths(think(setup)),
                hundredths(exact * 100.0),
                hundredths(f64::from(held) * 100.0)
            )));
        }
        document
    }
}

/// Operations that a thread finishes in a millisecond if it never waits.
fn lock_free_rate() -> f32 {
    let Times { compress, decompress, malloc, free, .. } = TIMES;
    2e6 / (compress + malloc + decompress + free) as f32
}

/// A thread's own work in units of its time under the lock: more with more threads, so that the lock is neither idle nor
/// always held.
fn think(setup: &LockSetup) -> f64 {
    CHECKED.1 as f64 * f64::from(setup.threads) / 4.0 / CHECKED.0 as f64
}

fn check(setup: &LockSetup) -> Spec {
    let own = CHECKED.1 * u64::from(setup.threads) / 4;
    Spec {
        cores: setup.threads,
        traffic: vec![1],
        times: Times { compress: own, decompress: own, malloc: CHECKED.0, free: CHECKED.0, lookup: 0 },
        draw: Draw::Exponential,
        operations: CHECK_OPERATIONS,
        lane_segments: 0,
        ..Spec { scheme: Scheme::Pool, ..spec(setup, 0, setup.threads, CHECK_OPERATIONS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within 1 % over a long run, whatever the number of threads.
    #[test]
    fn the_engine_agrees_with_the_closed_form() {
        for threads in [1, 2, 8, 64, 256] {
            let setup = LockSetup { scheme: 0, pools: 1, threads, skew: 0, seed: 7, classes: 1 };
            let mut sweeps = Sweeps { points: vec![0.0; BY_SKEW] };
            assert!(sweeps.step(&setup).is_some() && sweeps.step(&setup).is_none());
            let exact = machine_repair_utilisation(threads.into(), think(&setup));
            let held = f64::from(sweeps.points.last().copied().unwrap_or_default());
            assert!((held / exact - 1.0).abs() < 0.01, "{threads} threads: {held} against {exact}");
        }
    }
}
