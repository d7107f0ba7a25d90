//! Budgets, measured and printed as a table.

use anyhow::{Context, Result, bail};

use crate::browser::Browser;
use crate::page;
use crate::process::{cargo, run_keeping, say};
use crate::setup::{self, Need};
use crate::test::in_browser;

/// Milliseconds of a replay of a million operations.
struct Replay {
    first: f64,
    warm: f64,
    bare: f64,
    events: u64,
}

/// Measures what there is a budget for.
///
/// # Errors
/// A build or a run fails.
pub(crate) fn run() -> Result<()> {
    setup::ensure(&Need::ALL)?;
    let is_figure =
        |line: &str| ["replay-ms ", "seek-ms ", "sweep-ms "].iter().any(|head| line.trim().starts_with(head));
    let native = cargo(&["run", "--release", "--package", "slabscope-bench"])?;
    let native = replay(&run_keeping(native, is_figure)?)?;
    let mut page = cargo(&[
        "test",
        "--release",
        "--package",
        "slabscope-bench",
        "--target",
        "wasm32-unknown-unknown",
        "--test",
        "in_browser",
        "--",
        "--nocapture",
    ])?;
    in_browser(&mut page, Browser::Chromium)?;
    let figures = run_keeping(page, is_figure)?;
    let wasm = replay(&figures)?;
    if native.events != wasm.events {
        bail!("{} events natively, {} in the browser", native.events, wasm.events);
    }
    say("\nbudgets");
    row("native replay / bare loop, rate", native.bare / native.warm, "at least 0.30, aim 0.45");
    row("wasm replay / native, time, warm", wasm.warm / native.warm, "at most 1.25");
    row("wasm replay / native, time, first", wasm.first / native.warm, "at most 2.5");
    for line in figures.iter().filter_map(|line| line.trim().strip_prefix("seek-ms ")) {
        if let Some(last) = line.split(' ').next_back().and_then(|word| word.parse().ok()) {
            row("wasm seek, 1 M operations, p95 ms", last, "native at most 4");
        }
    }
    for line in figures.iter().filter_map(|line| line.trim().strip_prefix("sweep-ms ")) {
        if let Ok(figure) = line.parse() {
            row("wasm what-if, 80 settings, ms", figure, "at most 1");
        }
    }
    page::build()?.check()
}

fn row(what: &str, figure: f64, budget: &str) {
    say(&format!("{what:<36}{figure:>8.2}  {budget}"));
}

fn replay(lines: &[String]) -> Result<Replay> {
    let line = lines.iter().find_map(|line| line.trim().strip_prefix("replay-ms "));
    let words: Vec<&str> = line.context("no replay was measured")?.split(' ').collect();
    let [first, warm, bare, _, events] = words[..] else { bail!("unexpected figures: {words:?}") };
    Ok(Replay { first: first.parse()?, warm: warm.parse()?, bare: bare.parse()?, events: events.parse()? })
}
