//! `slabscope replay`.

use std::io::Write as _;

use slabscope_core::{zblock, zsmalloc};
use slabscope_formats::replay::{Output, replay_zblock, replay_zsmalloc};

use super::options::{Allocator, Setting};
use super::zblock::config;
use crate::fail::Failure;
use crate::output::{open, stdout};

/// Replay a trace of allocations and report what the kernel would
///
/// A trace has one operation per line: `a ID SIZE` allocates, `f ID` frees, `c` compacts the pool, `s`
/// prints a report, `#` starts a comment. zblock prints every operation and cannot compact. It is read as it comes: its length does not matter.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setting: Setting,
    /// Print a line for every operation and no reports
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
    let result = match args.setting.allocator {
        Allocator::Zsmalloc => {
            let geometry = zsmalloc::Geometry::new(&args.setting.zsmalloc()?).map_err(Failure::input)?;
            replay_zsmalloc(zsmalloc::Pool::new(geometry), open(&args.trace)?, output, &mut out)
        }
        Allocator::Zblock => {
            let geometry = zblock::Geometry::new(&config(&args.setting)?).map_err(Failure::input)?;
            replay_zblock(zblock::Pool::new(geometry), open(&args.trace)?, output, &mut out)
        }
    };
    // What was replayed before a bad line is worth seeing.
    out.flush()?;
    let name = if args.trace == "-" { "standard input" } else { &args.trace };
    result.map_err(|error| Failure::replay(name, error))
}
