//! Running a case in slices.

use std::ops::ControlFlow;

use crate::{Case, Data, DataError, Options, Outcome};

/// How far a run is, in slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Slices done.
    pub done: u32,
    /// Slices in all.
    pub total: u32,
}

impl Progress {
    /// True when there is nothing left to do.
    pub const fn is_done(self) -> bool {
        self.done >= self.total
    }
}

/// The work of a case, in slices of some tens of milliseconds.
pub(crate) trait Job {
    /// Slices in all.
    fn total(&self) -> u32;

    /// Does one; they come in order, from 0.
    fn work(&mut self, slice: u32);

    /// What is known so far. Figures of slices that have not been done are missing.
    fn outcome(&self) -> Outcome;
}

/// A case that runs. Dropping it cancels it.
pub struct Run {
    job: Box<dyn Job>,
    done: u32,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run({:?})", self.progress())
    }
}

impl Run {
    /// A job of which nothing is done.
    pub(crate) fn of(job: impl Job + 'static) -> Self {
        Self { job: Box::new(job), done: 0 }
    }

    /// Reads the data of a case; nothing is computed yet.
    ///
    /// # Errors
    /// A file that the case [needs](Self::needs) is missing or malformed.
    pub fn new(case: Case, options: &Options, data: &Data) -> Result<Self, DataError> {
        (case.part().start)(options, data)
    }

    /// Names of the files that a case needs.
    pub fn needs(case: Case) -> Vec<String> {
        (case.part().needs)()
    }

    /// Does the next slice.
    pub fn advance(&mut self) -> Progress {
        if self.done < self.job.total() {
            self.job.work(self.done);
            self.done += 1;
        }
        self.progress()
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress { done: self.done, total: self.job.total() }
    }

    /// What is known so far.
    pub fn outcome(&self) -> Outcome {
        self.job.outcome()
    }
}

/// Runs a case to its end, unless `on_progress` breaks it off: then the outcome is that of what was done.
///
/// # Errors
/// A file that the case needs is missing or malformed.
pub fn run_with(
    case: Case,
    options: &Options,
    data: &Data,
    on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Outcome, DataError> {
    let mut run = Run::new(case, options, data)?;
    while !run.progress().is_done() {
        if on_progress(run.advance()).is_break() {
            break;
        }
    }
    Ok(run.outcome())
}
