//! Budgets, measured and printed as a table.

use anyhow::Result;

use crate::page;
use crate::run::{self, cargo};

/// Measures what there is a budget for.
///
/// # Errors
/// A build or a run fails.
pub(crate) fn run() -> Result<()> {
    run::run(cargo(&["run", "--release", "--package", "slabscope-bench"])?)?;
    page::build()?.check()
}
