//! Prints the native replay rate beside the bare loop.

use std::io::{self, Write};
use std::time::Instant;

use slabscope_bench::{replay_ratio, seeks, sweep_ms};
use slabscope_core::zsmalloc::Era;

fn main() -> io::Result<()> {
    let start = Instant::now();
    let now = || start.elapsed().as_secs_f64() * 1000.0;
    let measured = replay_ratio(now).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    writeln!(out, "zsmalloc 6.12, 4 KiB pages, max pages 8, 1,000,000 operations, 100,000 objects live")?;
    writeln!(out, "{:<28}{:>10.1} million/s", "bare loop", measured.bare_per_second / 1e6)?;
    writeln!(out, "{:<28}{:>10.1} million/s", "native replay", measured.replay_per_second / 1e6)?;
    writeln!(out, "{:<28}{:>10.2} (budget 0.30, aim 0.45)", "ratio, warm", measured.ratio)?;
    writeln!(out, "{:<28}{:>10.2}", "ratio, first run", measured.first_ratio)?;
    writeln!(out, "{:<28}{:>10} events, {} pages", "result", measured.events, measured.pages)?;
    writeln!(out, "{}", measured.line())?;
    for era in [Era::V6_12, Era::V6_1] {
        let measured = sweep_ms(era, now);
        writeln!(out, "what-if of a 250-class table, era {}, {} settings", era.name(), measured.settings)?;
        writeln!(out, "{:<28}{:>10.3} ms (budget 1 in a page)", "sweep, median", measured.warm_ms)?;
    }
    for (operations, mebibytes, budget_ms) in [(1_000_000, 64, 4.0), (10_000_000, 144, 16.7)] {
        let measured = seeks(operations, mebibytes << 20, 500, now).map_err(io::Error::other)?;
        writeln!(out, "timeline, {operations} operations, {mebibytes} MiB for copies")?;
        writeln!(out, "{:<28}{:>10.0} ms", "record", measured.record_ms)?;
        writeln!(out, "{:<28}{:>10.2} ms", "seek, median", measured.percentile(50))?;
        writeln!(
            out,
            "{:<28}{:>10.2} ms (budget {budget_ms})",
            "seek, 95th percentile",
            measured.percentile(95)
        )?;
        let (millions, seek) = (operations / 1_000_000, |percent| measured.percentile(percent));
        writeln!(out, "seek-ms {millions} {:.2} {:.2}", seek(50), seek(95))?;
        let [used, pool] =
            [measured.snapshot_bytes, measured.pool_bytes].map(|bytes| bytes as f64 / 1048576.0);
        writeln!(out, "{:<28}{:>10} of {pool:.2} MiB in {used:.1} MiB", "copies", measured.snapshots)?;
    }
    Ok(())
}
