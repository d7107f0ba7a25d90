//! The lab's desk: the task in hand.

use crate::compare::Comparison;
use crate::document::Document;
use crate::locks::Contention;
use crate::reading::Reading;
use crate::task::Task;

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// So much is done, of a thousand.
    Going(u16),
    /// The result.
    Done(Document),
    /// Why there is none.
    Failed(String),
}

/// Work that is done in steps of some milliseconds.
pub(crate) trait Job {
    /// Does a step.
    fn step(&mut self) -> Step;
}

/// The task in hand, and what is kept of the one before.
#[derive(Default)]
pub struct Desk {
    job: Option<Box<dyn Job>>,
    comparison: Option<Comparison>,
    /// True while the comparison is the job.
    compares: bool,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("works", &self.job.is_some()).finish_non_exhaustive()
    }
}

impl Desk {
    /// Takes a task; the one before is dropped.
    ///
    /// # Errors
    /// It cannot be done; the text says why.
    pub fn take(&mut self, task: &Task) -> Result<(), String> {
        (self.job, self.compares) = (None, false);
        match task {
            Task::Compare { sides, at } => {
                let kept = self.comparison.take().filter(|kept| kept.is_of(sides));
                let mut comparison = match kept {
                    Some(kept) => kept,
                    None => Comparison::new(sides)?,
                };
                comparison.go_to(*at);
                (self.comparison, self.compares) = (Some(comparison), true);
            }
            Task::Read(text) => self.read(text.clone().unwrap_or_default()),
            Task::Locks(setup) => self.job = Some(Box::new(Contention::new(setup)?)),
        }
        Ok(())
    }

    /// Takes the text of a file.
    pub fn read(&mut self, text: String) {
        self.job = Some(Box::new(Reading::new(text)));
        self.compares = false;
    }

    /// Does a step of the task; `None` if there is none.
    pub fn step(&mut self) -> Option<Step> {
        let step = if self.compares { self.comparison.as_mut()?.step() } else { self.job.as_mut()?.step() };
        if !matches!(step, Step::Going(_)) {
            // A comparison is kept for its next step.
            (self.job, self.compares) = (None, false);
        }
        Some(step)
    }
}
