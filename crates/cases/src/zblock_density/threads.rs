//! The posting says that the gap grows with threads: zblock's lock per type beside zsmalloc's locks.

use slabscope_core::locks::{Scheme, Spec, simulate};

use crate::figure::say;
use crate::lock_schemes::{self, Assumed, Calibration, UNIT, calibrate, traffic};
use crate::published;
use crate::{Case, Histogram, Row, Step, Unit};

/// Cores of the posting's machine.
const CORES: u16 = 4;
/// Jobs of its builds.
const JOBS: [u16; 3] = [4, 8, 16];
/// Threads with a core each.
const THREADS: [u16; 4] = [16, 64, 128, 256];
const OPERATIONS: u32 = 60_000;

const SCHEMES: [(&str, Scheme); 3] = [
    ("zblock, per type", Scheme::PerType),
    ("zsmalloc from 6.11, per class and pool", Scheme::PerClassAndPool),
    ("zsmalloc 6.2 to 6.10, one pool lock", Scheme::Pool),
];

/// Locks, as far as they have run.
pub(super) struct Threads {
    assumed: Assumed,
    types: Vec<u32>,
    calibration: Option<Calibration>,
    /// Percent of a thread's time that it waits or looks up, by setting and scheme.
    lost: Vec<[f64; SCHEMES.len()]>,
}

impl Threads {
    pub(super) fn new(sizes: &Histogram) -> Self {
        let classes = lock_schemes::geometry().map(|geometry| traffic(&geometry, sizes)).unwrap_or_default();
        let types =
            lock_schemes::zblock_geometry().map(|geometry| traffic(&geometry, sizes)).unwrap_or_default();
        Self { assumed: Assumed::with(classes), types, calibration: None, lost: Vec::new() }
    }

    /// Threads and cores of a setting.
    fn setting(index: usize) -> Option<(u16, u16)> {
        let jobs = JOBS.map(|jobs| (jobs, CORES));
        let threads = THREADS.map(|threads| (threads, threads));
        jobs.into_iter().chain(threads).nth(index)
    }

    pub(super) fn slices(&self) -> u32 {
        1 + (JOBS.len() + THREADS.len()) as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        if slice == 0 {
            self.calibration = calibrate(&self.assumed);
            return;
        }
        let Some((threads, cores)) = Self::setting(slice as usize - 1) else { return };
        let lost = SCHEMES.map(|(_, scheme)| self.lost(scheme, threads, cores).unwrap_or(0.0));
        self.lost.push(lost);
    }

    fn spec(&self, scheme: Scheme, threads: u16, cores: u16, unit: u64) -> Option<Spec> {
        let traffic = if scheme == Scheme::PerType { &self.types } else { &self.assumed.traffic };
        let assumed = Assumed { threads, traffic: traffic.clone(), ..self.assumed.clone() };
        let spec = assumed.spec(scheme, self.calibration.as_ref()?.think, unit, 1, OPERATIONS);
        Some(Spec { cores, ..spec })
    }

    fn lost(&self, scheme: Scheme, threads: u16, cores: u16) -> Option<f64> {
        let spec = self.spec(scheme, threads, cores, UNIT)?;
        let report = simulate(&spec).ok()?;
        let busy = (report.compute() + report.hold() + report.wait()) as f64;
        let useful = report.compute() as f64 + report.operations as f64 * UNIT as f64;
        Some((1.0 - useful / busy).max(0.0) * 100.0)
    }

    /// The posting's largest build as threads to be looked at.
    pub(super) fn lanes(&self) -> Vec<(String, Spec)> {
        let unit =
            self.calibration.as_ref().map_or(UNIT, |found| (found.under_lock * 1e9).round().max(1.0) as u64);
        let jobs = JOBS.into_iter().max().unwrap_or(CORES);
        let specs = SCHEMES.into_iter().filter_map(|(name, scheme)| {
            Some((format!("{jobs} jobs on {CORES} cores, {name}"), self.spec(scheme, jobs, CORES, unit)?))
        });
        specs.collect()
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (index, lost) in self.lost.iter().enumerate() {
            let Some((threads, cores)) = Self::setting(index) else { continue };
            for ((name, _), &lost) in SCHEMES.into_iter().zip(lost) {
                rows.push(
                    Row::new(
                        format!("{threads} threads, {cores} cores, {name}"),
                        "lost_to_locks_percent",
                        Unit::Percent,
                    )
                    .predicted(lost)
                    .digits(3)
                    .note("waiting, and looking up where that is under a lock of its own"),
                );
            }
            let Some(&jobs) = JOBS.get(index) else { continue };
            let real = |backend: &str| {
                published::mean(Case::Zblock, &format!("{jobs} jobs, {backend}"), "real_seconds")
            };
            let theirs = real("zblock")
                .zip(real("zsmalloc"))
                .map(|(zblock, zsmalloc)| (zblock / zsmalloc - 1.0) * 100.0);
            let by_locks = (1.0 - lost[1] / 100.0) / (1.0 - lost[0] / 100.0) * 100.0 - 100.0;
            rows.push(
                Row::new(format!("{jobs} jobs"), "zblock_real_time_more_percent", Unit::Percent)
                    .published(theirs)
                    .predicted(by_locks)
                    .note("ours: by waiting for locks alone"),
            );
            if let Some(theirs) = theirs {
                told.push(format!(
                    "with {jobs} jobs {} % measured, {} % by locks",
                    say(theirs, 2),
                    say(by_locks, 2)
                ));
            }
        }
        let lost = |scheme: usize| {
            let last = self.lost.last().and_then(|lost| lost.get(scheme));
            last.map_or_else(|| "?".to_owned(), |lost| say(*lost, 1))
        };
        let text = format!(
            "Real time of zblock against zsmalloc: {}. The machine has {CORES} cores, so at most {CORES} threads contend at once however \
             many jobs there are, and a lock per type is no gain over a lock per class: the gap must come from elsewhere, such as the \
             work under the locks. With a core for each of 256 threads zblock would lose {} % to its locks, zsmalloc {} % since 6.11 \
             and {} % with the one lock that it had before. Times are those that case 2024 calibrates.",
            told.join("; "),
            lost(0),
            lost(1),
            lost(2)
        );
        Step { title: "Does the gap grow with threads?", text, rows, plots: Vec::new() }
    }
}
