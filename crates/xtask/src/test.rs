//! The steps of the tests, all of which CI runs with Chromium; and damaged fixtures for longer than it has time for.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::browser::Browser;
use crate::paths::{dist, root};
use crate::process::{cargo, run, run_tests, say};
use crate::setup::{self, Need};
use crate::{browser, docs, page, serve};

/// One step of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// Formatting
    Fmt,
    /// Lints for this machine
    Clippy,
    /// Lints for the page
    ClippyWasm,
    /// Unit, data-driven and property tests
    Native,
    /// Documentation without warnings
    Docs,
    /// Models and components in a headless browser
    Wasm,
    /// The page, and what its first load takes
    Build,
    /// The guide, and where its links lead
    Guide,
    /// Journeys through the built page
    Journeys,
}

/// Crates that the page is made of.
const WASM_CRATES: [&str; 18] = [
    "-p",
    "slabscope-cases",
    "-p",
    "slabscope-core",
    "-p",
    "slabscope-formats",
    "-p",
    "slabscope-scenario",
    "-p",
    "slabscope-charts",
    "-p",
    "slabscope-worker",
    "-p",
    "slabscope-lab",
    "-p",
    "slabscope-exporter",
    "-p",
    "slabscope-web",
];

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

/// Runs steps and notes how each ended; the first failure ends it.
///
/// # Errors
/// A step fails.
fn run_steps(steps: &[Step], which: Browser, report: &mut Vec<(Step, Duration, Vec<String>)>) -> Result<()> {
    for &step in steps {
        say(&format!("\n== {}", name(step)));
        let start = Instant::now();
        let closing = step.run(which).with_context(|| format!("step {} failed", name(step)))?;
        report.push((step, start.elapsed(), closing));
    }
    Ok(())
}

/// Runs the steps named, or all, and says how each ended.
///
/// # Errors
/// A step fails.
pub(crate) fn run_all(steps: &[Step], which: Browser) -> Result<()> {
    let steps = match (steps.is_empty(), which) {
        (false, _) => steps,
        (true, Browser::Chromium) => Step::value_variants(),
        // Everything else is the same whatever the browser.
        (true, Browser::Firefox) => &[Step::Wasm, Step::Build, Step::Guide, Step::Journeys],
    };
    setup::ensure(&needs(steps, which))?;
    let mut report = Vec::new();
    let result = run_steps(steps, which, &mut report);
    say("\n== closing lines");
    for (step, took, closing) in &report {
        for line in closing.iter().filter(|line| !line.contains(" 0 passed; 0 failed; 0 ignored")) {
            say(&format!("{:>12}  {line}", name(*step)));
        }
        say(&format!("{:>12}  ok after {} s", name(*step), took.as_secs()));
    }
    result
}

fn name(step: Step) -> String {
    step.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn needs(steps: &[Step], which: Browser) -> Vec<Need> {
    let browser = which.need();
    let mut needs = Vec::new();
    for step in steps {
        let of_step: &[Need] = match step {
            Step::Fmt | Step::Clippy => &[Need::Components],
            Step::ClippyWasm => &[Need::Components, Need::WasmTarget],
            Step::Native | Step::Docs => &[],
            Step::Wasm => &[Need::WasmTarget, Need::WasmBindgen, browser],
            Step::Build => &Need::PAGE,
            Step::Guide => &[Need::Book],
            Step::Journeys => &[browser, Need::Axe],
        };
        for &need in of_step {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    needs
}

impl Step {
    fn run(self, which: Browser) -> Result<Vec<String>> {
        match self {
            Self::Fmt => run(cargo(&["fmt", "--all", "--check"])?)?,
            Self::Clippy => run(cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--all-features",
                "--",
                "-D",
                "warnings",
            ])?)?,
            Self::ClippyWasm => {
                // Without their tests, which are linted natively: property tests need a source of chance
                // that is not there in a browser.
                let arguments = [&["clippy"], &WASM_CRATES[..], &WASM, &["--", "-D", "warnings"]];
                let mut clippy = cargo(&arguments.concat())?;
                clippy.env("CLIPPY_CONF_DIR", root().join("web"));
                run(clippy)?;
            }
            Self::Native => return run_tests(cargo(&["test", "--workspace"])?),
            Self::Docs => {
                let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])?;
                docs.env("RUSTDOCFLAGS", "-D warnings");
                run(docs)?;
            }
            Self::Wasm => return in_wasm(which),
            Self::Build => page::build()?.check()?,
            Self::Guide => docs::build()?,
            Self::Journeys => return journeys(which),
        }
        Ok(Vec::new())
    }
}

/// A long run of what the native tests do for some seconds.
///
/// # Errors
/// Something does not hold; the input is written out and named.
pub(crate) fn fuzz(seconds: u64, seed: u64) -> Result<()> {
    let mut run = cargo(&["test", "--release", "-p", "slabscope-tests", "--test", "fuzz"])?;
    run.args(["damaged_fixtures", "--", "--nocapture"])
        .env("SLABSCOPE_FUZZ_SECONDS", seconds.to_string())
        .env("SLABSCOPE_FUZZ_SEED", seed.to_string());
    run_tests(run).map(drop)
}

fn in_wasm(which: Browser) -> Result<Vec<String>> {
    let arguments = [&["test", "-p", "slabscope-tests", "-p", "slabscope-web"], &WASM[..]];
    let mut tests = cargo(&arguments.concat())?;
    in_browser(&mut tests, which)?;
    run_tests(tests)
}

/// Tells the runner of browser tests which driver to use, and to be patient.
///
/// # Errors
/// There is no driver.
pub(crate) fn in_browser(command: &mut std::process::Command, which: Browser) -> Result<()> {
    let driver = which.driver().with_context(|| format!("the driver of {} is missing", which.name()))?;
    command
        .env(which.driver_variable(), driver)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    Ok(())
}

fn journeys(which: Browser) -> Result<Vec<String>> {
    let driver = browser::start(which)?;
    let server = serve::background(dist(), "/sub/dir/")?;
    // Another port is another origin: the pages of other people.
    let hosts = serve::background(root().join("tests/hosts"), "/")?;
    let mut arguments = vec!["test", "--no-fail-fast", "-p", "slabscope-tests", "--features", "browser"];
    arguments.extend(["--test", "journeys", "--test", "journeys_share"]);
    let mut tests = cargo(&arguments)?;
    tests
        .env("SLABSCOPE_DRIVER", &driver.url)
        .env("SLABSCOPE_BROWSER", which.name())
        .env("SLABSCOPE_PAGE", &server.url)
        .env("SLABSCOPE_HOSTS", &hosts.url)
        .env("SLABSCOPE_AXE", setup::axe())
        .env("SLABSCOPE_DIST", dist());
    if which == Browser::Firefox {
        // Its driver has one session at a time.
        tests.args(["--", "--test-threads=1"]);
    }
    run_tests(tests)
}
