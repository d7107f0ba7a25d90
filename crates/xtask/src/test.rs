//! Everything that CI runs, step by step.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::paths::{dist, root};
use crate::process::{cargo, run, run_tests, say};
use crate::setup::{self, Need};
use crate::{browser, page, serve};

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
    /// Journeys through the built page
    Journeys,
}

/// Crates that the page is made of.
const WASM_CRATES: [&str; 16] = [
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
    "slabscope-web",
];

const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

/// Runs the steps named, or all; the first failure ends it.
///
/// # Errors
/// A step fails.
fn run_steps(steps: &[Step], report: &mut Vec<(Step, Duration, Vec<String>)>) -> Result<()> {
    for &step in steps {
        say(&format!("\n== {}", name(step)));
        let start = Instant::now();
        let closing = step.run().with_context(|| format!("step {} failed", name(step)))?;
        report.push((step, start.elapsed(), closing));
    }
    Ok(())
}

/// Runs the steps named, or all, and says how each ended.
///
/// # Errors
/// A step fails.
pub(crate) fn run_all(steps: &[Step]) -> Result<()> {
    let steps = if steps.is_empty() { Step::value_variants() } else { steps };
    setup::ensure(&needs(steps))?;
    let mut report = Vec::new();
    let result = run_steps(steps, &mut report);
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

fn needs(steps: &[Step]) -> Vec<Need> {
    let mut needs = Vec::new();
    for step in steps {
        let of_step: &[Need] = match step {
            Step::Fmt | Step::Clippy => &[Need::Components],
            Step::ClippyWasm => &[Need::Components, Need::WasmTarget],
            Step::Native | Step::Docs => &[],
            Step::Wasm => &[Need::WasmTarget, Need::WasmBindgen, Need::Browser],
            Step::Build => &Need::PAGE,
            Step::Journeys => &[Need::Browser, Need::Axe],
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
    fn run(self) -> Result<Vec<String>> {
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
            Self::Wasm => return in_wasm(),
            Self::Build => page::build()?.check()?,
            Self::Journeys => return journeys(),
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

fn in_wasm() -> Result<Vec<String>> {
    let arguments = [&["test", "-p", "slabscope-tests", "-p", "slabscope-web"], &WASM[..]];
    let mut tests = cargo(&arguments.concat())?;
    in_browser(&mut tests)?;
    run_tests(tests)
}

/// Tells the runner of browser tests which driver to use, and to be patient.
///
/// # Errors
/// There is no driver.
pub(crate) fn in_browser(command: &mut std::process::Command) -> Result<()> {
    let driver = setup::chromedriver().context("ChromeDriver is missing")?;
    command
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    Ok(())
}

fn journeys() -> Result<Vec<String>> {
    let driver = browser::start()?;
    let server = serve::background(dist(), "/sub/dir/")?;
    let mut tests = cargo(&["test", "-p", "slabscope-tests", "--features", "browser", "--test", "journeys"])?;
    tests
        .env("SLABSCOPE_DRIVER", &driver.url)
        .env("SLABSCOPE_PAGE", &server.url)
        .env("SLABSCOPE_AXE", setup::axe());
    run_tests(tests)
}
