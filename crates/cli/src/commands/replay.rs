//! `slabscope replay`.

use std::io::Write as _;

use slabscope_core::zsmalloc::{Geometry, Pool};
use slabscope_formats::replay::{Output, replay_zsmalloc};

use super::options::{Allocator, Setting};
use crate::fail::Failure;
use crate::output::{open, stdout};

/// Replay a trace of allocations and report what the kernel would
///
/// A trace has one operation per line: `a ID SIZE` allocates, `f ID` frees, `c` compacts the pool, `s`
/// prints a report, `#` starts a comment. It is read as it comes: its length does not matter.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setting: Setting,
    /// Print a line for every operation instead of reports
    #[arg(long)]
    log: bool,
    /// The trace; - reads standard input
    trace: String,
}

/// Replays it.
///
/// # Errors
/// The configuration is impossible or the trace malformed.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = stdout();
    let output = if args.log { Output::Log } else { Output::Report };
    match args.setting.allocator {
        Allocator::Zsmalloc => {
            let geometry = Geometry::new(&args.setting.zsmalloc()?).map_err(Failure::input)?;
            let input = open(&args.trace)?;
            let result = replay_zsmalloc(Pool::new(geometry), input, output, &mut out);
            // What was replayed before a bad line is worth seeing.
            out.flush()?;
            result.map_err(|error| {
                Failure::replay(if args.trace == "-" { "standard input" } else { &args.trace }, error)
            })
        }
        Allocator::Zblock => Err(Failure::Input("zblock: not modelled yet".to_owned())),
    }
}
