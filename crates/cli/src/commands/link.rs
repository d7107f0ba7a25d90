//! `slabscope link`.

use std::io::Write as _;

use slabscope_scenario::parse_fragment;

use crate::fail::Failure;
use crate::output::stdout;

/// Read a link: its canonical form, the scenario as JSON, and what has to be said about it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A link of the page, or only its fragment
    link: String,
}

/// Prints them.
///
/// # Errors
/// The output fails.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (scenario, notices) = parse_fragment(&args.link);
    let mut out = stdout();
    writeln!(out, "{}", scenario.to_fragment())?;
    writeln!(out, "{}", scenario.to_json())?;
    for notice in notices {
        writeln!(out, "{notice}")?;
    }
    out.flush()?;
    Ok(())
}
