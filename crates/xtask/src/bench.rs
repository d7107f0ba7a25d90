//! Budgets, measured and printed as a table.

use anyhow::Result;

use crate::page;
use crate::process::{cargo, run as run_command};

/// Measures what there is a budget for.
///
/// # Errors
/// A build or a run fails.
pub(crate) fn run() -> Result<()> {
    run_command(cargo(&["run", "--release", "--package", "slabscope-bench"])?)?;
    page::build()?.check()
}
