//! The operations on which compiled kernels were compared: the final pages are known.

use slabscope_core::ops::{Op, Ops};

use crate::figure::say;
use crate::published;
use crate::{Case, Data, DataError, Row, Step, Unit};

use super::lockstep::{Ran, lockstep};
use super::{BASE, ERAS, POSTED};

/// The whole trace and its beginning, which was run alone too.
const LENGTHS: [usize; 2] = [100_000, 16_000];

/// The trace, and what became of it.
pub(super) struct Traces {
    ops: Ops,
    /// By length.
    ran: Vec<Vec<Ran>>,
}

impl Traces {
    pub(super) fn new(data: &Data) -> Result<Self, DataError> {
        Ok(Self { ops: data.churn()?, ran: Vec::new() })
    }

    pub(super) fn slices(&self) -> u32 {
        LENGTHS.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        let length = LENGTHS.get(slice as usize).copied().unwrap_or(0);
        let ops: Vec<Op> = self.ops.iter().take(length).collect();
        self.ran.push(lockstep(ops.into_iter(), [BASE; ERAS.len()]));
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (length, ran) in LENGTHS.into_iter().zip(&self.ran) {
            let length = say(length as f64, 0);
            for (era, ran) in ERAS.iter().zip(ran) {
                let name = format!("{length} operations, {}", era.name());
                let published = published::mean(Case::PartialOrdering, &name, "pages_used");
                let row =
                    Row::new(&name, "pages_used", Unit::Pages).published(published).predicted(ran.pages());
                let source = "published: kernel code compiled for user space on the same operations";
                rows.push(if published.is_some() { row.note(source) } else { row });
                rows.push(Row::new(&name, "pages_peak", Unit::Pages).predicted(ran.peak()));
            }
            let (Some(base), Some(posted)) = (ran.get(BASE), ran.get(POSTED)) else { continue };
            let more = (posted.pages() / base.pages() - 1.0) * 100.0;
            rows.push(
                Row::new(
                    format!("{length} operations, 4.2-rfc3 less 4.2"),
                    "pages_used_change_percent",
                    Unit::Percent,
                )
                .predicted(more),
            );
            told.push(format!(
                "after {length} operations {} pages against {} ({} % more), with the same peak of {}",
                say(posted.pages(), 0),
                say(base.pages(), 0),
                say(more, 2),
                say(base.peak(), 0)
            ));
        }
        let text = format!(
            "On random operations, which compiled kernels were run on too, the posted order ends with more pages than the base: {}.",
            told.join("; ")
        );
        Step { title: "Random operations that compiled kernels ran", text, rows, plots: Vec::new() }
    }
}
