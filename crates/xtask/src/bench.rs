//! Budgets, measured and printed as a table.

use anyhow::{Context, Result, bail};

use crate::browser::Browser;
use crate::paths::{dist, root};
use crate::process::{cargo, run_keeping, say};
use crate::setup::{self, Need};
use crate::test::in_browser;
use crate::{browser, page, serve};

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
    let is_figure = |line: &str| {
        ["replay-ms ", "seek-ms ", "sweep-ms ", "frame-ms "].iter().any(|head| line.trim().starts_with(head))
    };
    let native = cargo(&["run", "--release", "--package", "slabscope-bench"])?;
    let seeks = run_keeping(native, is_figure)?;
    let native = replay(&seeks)?;
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
    row("native replay / bare loop, rate", native.bare / native.warm, Budget::Least(0.30));
    for line in seeks.iter().filter_map(|line| line.trim().strip_prefix("seek-ms ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let [millions, _, p95] = words[..] else { bail!("unexpected figures: {line}") };
        let budget = Budget::Most(if millions == "1" { 4.0 } else { 16.7 });
        row(&format!("native seek, {millions} M operations, p95 ms"), p95.parse()?, budget);
    }
    row("wasm replay / native, time, warm", wasm.warm / native.warm, Budget::Most(1.25));
    row("wasm replay / native, time, first", wasm.first / native.warm, Budget::Most(2.5));
    for line in figures.iter().filter_map(|line| line.trim().strip_prefix("seek-ms ")) {
        if let Some(last) = line.split(' ').next_back().and_then(|word| word.parse().ok()) {
            row("wasm seek, 1 M operations, p95 ms", last, Budget::Most(4.0));
        }
    }
    for line in figures.iter().filter_map(|line| line.trim().strip_prefix("sweep-ms ")) {
        if let Ok(figure) = line.parse() {
            row("wasm what-if, 80 settings, ms", figure, Budget::Most(1.0));
        }
    }
    for line in figures.iter().filter_map(|line| line.trim().strip_prefix("frame-ms ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let [side, bare, changed, whole] = words[..] else { bail!("unexpected figures: {line}") };
        let (bare, changed): (f64, f64) = (bare.parse()?, changed.parse()?);
        let budget = Budget::Most(if side == "3" { 2.0 } else { 3.5 });
        row(&format!("map, cells of {side} px, frame / bare put"), changed / bare, budget);
        row(
            &format!("map, cells of {side} px, whole, ms"),
            whole.parse()?,
            if side == "3" { Budget::Most(4.0) } else { Budget::None },
        );
    }
    let sizes = page::build()?;
    in_the_page()?;
    sizes.check()
}

/// What the built page takes, as its journeys measure it.
fn in_the_page() -> Result<()> {
    let folder = root().join("target/empty");
    page::build_empty(&folder)?;
    let driver = browser::start(Browser::Chromium)?;
    let (server, empty) = (serve::background(dist(), "/sub/dir/")?, serve::background(folder, "/sub/dir/")?);
    let mut tests = cargo(&[
        "test",
        "-p",
        "slabscope-tests",
        "--features",
        "browser",
        "--test",
        "journeys",
        "--",
        "--ignored",
        "--nocapture",
        "--test-threads",
        "1",
    ])?;
    tests
        .env("SLABSCOPE_DRIVER", &driver.url)
        .env("SLABSCOPE_PAGE", &server.url)
        .env("SLABSCOPE_EMPTY", &empty.url);
    let figures = run_keeping(tests, |line| line.contains("page-"))?;
    say("\nin the page, software rendering; milliseconds");
    for line in &figures {
        // Names of tests may stand before what they print.
        let Some((_, line)) = line.split_once("page-") else { continue };
        let parts: Vec<&str> = line.split(" | ").collect();
        let (kind, _) = line.split_once(' ').unwrap_or_default();
        let named = |what: &str| what.trim_start_matches(kind).trim_start().to_owned();
        match (kind, &parts[..]) {
            ("ms", [what, spans, median, p95, framed, drawn]) => {
                say(&format!("{}, zspages {spans}", named(what)));
                row("    until drawn and told, median", median.parse()?, Budget::None);
                row("    p95", p95.parse()?, Budget::Most(16.7));
                row("    until the frame after that is made, p95", framed.parse()?, Budget::None);
                row("    of it, the worker tells and draws, p95", drawn.parse()?, Budget::None);
            }
            ("tasks", [what, count, longest]) => {
                say(&format!("{}: {count} tasks of the main thread over 50 ms", named(what)));
                row("    the longest", longest.parse()?, Budget::Most(50.0));
            }
            ("worker", _) => row("memory of the worker, MiB", figure(line, 1)?, Budget::Most(256.0)),
            ("memory", _) => row("memory of the main thread, MiB", figure(line, 1)?, Budget::None),
            ("ready", _) => {
                let (ours, bare) = (figure(line, 1)?, figure(line, 2)?);
                row("first paint / that of an empty Yew page", ours / bare, Budget::Most(1.5));
                row("    the page's own", ours, Budget::None);
            }
            _ => {}
        }
    }
    Ok(())
}

/// A word of a line as a number.
fn figure(line: &str, at: usize) -> Result<f64> {
    line.split(' ').nth(at).and_then(|word| word.parse().ok()).with_context(|| format!("no figure: {line}"))
}

/// What a figure may be.
#[derive(Clone, Copy)]
enum Budget {
    /// It is only told.
    None,
    Most(f64),
    Least(f64),
}

/// A line of the table: what, measured, budget, and whether it holds.
fn row(what: &str, figure: f64, budget: Budget) {
    let (said, holds) = match budget {
        Budget::None => return say(&format!("{what:<46}{figure:>8.2}")),
        Budget::Most(most) => (format!("at most {most}"), figure <= most),
        Budget::Least(least) => (format!("at least {least}"), figure >= least),
    };
    say(&format!("{what:<46}{figure:>8.2}  {said:<14}{}", if holds { "ok" } else { "over" }));
}

fn replay(lines: &[String]) -> Result<Replay> {
    let line = lines.iter().find_map(|line| line.trim().strip_prefix("replay-ms "));
    let words: Vec<&str> = line.context("no replay was measured")?.split(' ').collect();
    let [first, warm, bare, _, events] = words[..] else { bail!("unexpected figures: {words:?}") };
    Ok(Replay { first: first.parse()?, warm: warm.parse()?, bare: bare.parse()?, events: events.parse()? })
}
