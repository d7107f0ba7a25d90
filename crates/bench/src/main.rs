//! Prints the native replay rate beside the bare loop.

use std::io::{self, Write};
use std::time::Instant;

use slabscope_bench::replay_ratio;

fn main() -> io::Result<()> {
    let start = Instant::now();
    let measured = replay_ratio(|| start.elapsed().as_secs_f64() * 1000.0).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    writeln!(out, "zsmalloc 6.12, 4 KiB pages, max pages 8, 1,000,000 operations, 100,000 objects live")?;
    writeln!(out, "{:<28}{:>10.1} million/s", "bare loop", measured.bare_per_second / 1e6)?;
    writeln!(out, "{:<28}{:>10.1} million/s", "native replay", measured.replay_per_second / 1e6)?;
    writeln!(out, "{:<28}{:>10.2} (budget 0.30, aim 0.45)", "ratio, warm", measured.ratio)?;
    writeln!(out, "{:<28}{:>10.2}", "ratio, first run", measured.first_ratio)?;
    writeln!(out, "{:<28}{:>10} events, {} pages", "result", measured.events, measured.pages)
}
