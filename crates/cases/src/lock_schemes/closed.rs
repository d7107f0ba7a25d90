//! The engine against a closed form: one lock and exponential times make the machine-repair queue, M/M/1//N.

use slabscope_core::locks::{Scheme, machine_repair_utilisation, simulate};

use crate::figure::say;
use crate::{Row, Step, Unit};

use super::{Assumed, UNIT};

/// Threads, and their own work in units of the time under the lock.
const SETTINGS: [(u16, f64); 6] = [(1, 10.0), (4, 20.0), (8, 10.0), (32, 40.0), (32, 10.0), (128, 40.0)];
/// Operations of a check: enough that chance stays well below 1 %.
const OPERATIONS: u32 = 400_000;

/// The checks, as far as they have run.
pub(super) struct Closed {
    measured: Vec<f64>,
}

impl Closed {
    pub(super) const fn new() -> Self {
        Self { measured: Vec::new() }
    }

    pub(super) fn slices(&self) -> u32 {
        SETTINGS.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        let Some(&(threads, think)) = SETTINGS.get(slice as usize) else { return };
        let assumed = Assumed { threads, ..Assumed::with(vec![1]) };
        let report = simulate(&assumed.spec(Scheme::Pool, think, UNIT, 1, OPERATIONS)).ok();
        self.measured.push(report.map_or(0.0, |report| report.hold() as f64 / report.elapsed.max(1) as f64));
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        let mut worst: f64 = 0.0;
        for ((threads, think), &measured) in SETTINGS.into_iter().zip(&self.measured) {
            let exact = machine_repair_utilisation(threads.into(), think);
            let name = format!("{threads} threads, own work {} times the lock", say(think, 0));
            let difference = (measured / exact - 1.0) * 100.0;
            worst = worst.max(difference.abs());
            let row = |metric| Row::new(&name, metric, Unit::Ratio);
            rows.push(row("utilisation_closed_form").predicted(exact).digits(4));
            rows.push(row("utilisation_simulated").predicted(measured).digits(4));
            rows.push(
                Row::new(&name, "simulated_above_exact_percent", Unit::Percent)
                    .predicted(difference)
                    .digits(3)
                    .note(format!("{} operations", say(OPERATIONS.into(), 0))),
            );
        }
        let text = format!(
            "With one lock and exponential times there is a closed form, the queue of machines that wait for one repairer. Over {} \
             operations of {} nanoseconds under the lock the engine is within {} % of it in each of these settings.",
            say(OPERATIONS.into(), 0),
            say(UNIT as f64, 0),
            say(worst, 2)
        );
        Step { title: "The engine against a closed form", text, rows, plots: Vec::new() }
    }
}
