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

/// Steps that depend on the browser.
const OF_BROWSERS: [Step; 2] = [Step::Wasm, Step::Journeys];

/// How a step ended.
struct Ended {
    name: String,
    took: Duration,
    closing: Vec<String>,
}

/// Runs steps in their order; the first failure ends it.
///
/// # Errors
/// A step fails.
fn run_steps(plan: &[(Step, Browser)], report: &mut Vec<Ended>) -> Result<()> {
    for &(step, which) in plan {
        let name = match which {
            Browser::Chromium => name(step),
            Browser::Firefox => format!("{} in {}", name(step), which.name()),
        };
        say(&format!("\n== {name}"));
        let start = Instant::now();
        let closing = step.run(which).with_context(|| format!("step {name} failed"))?;
        report.push(Ended { name, took: start.elapsed(), closing });
    }
    Ok(())
}

/// What to run when steps and a browser are named, or not.
fn plan(steps: &[Step], which: Option<Browser>) -> Vec<(Step, Browser)> {
    let all = |steps: &[Step], which| steps.iter().map(|&step| (step, which)).collect::<Vec<_>>();
    match (steps, which) {
        ([], None) => {
            [all(Step::value_variants(), Browser::Chromium), all(&OF_BROWSERS, Browser::Firefox)].concat()
        }
        ([], Some(Browser::Chromium)) => all(Step::value_variants(), Browser::Chromium),
        // Everything else is the same whatever the browser.
        ([], Some(Browser::Firefox)) => {
            all(&[Step::Wasm, Step::Build, Step::Guide, Step::Journeys], Browser::Firefox)
        }
        (steps, which) => all(steps, which.unwrap_or(Browser::Chromium)),
    }
}

/// Runs the steps named, or all, and says how each ended. Where the second browser was not asked for and cannot be had,
/// the rest is run, and it is said that this was not: that a mirror lacks it is no fault of what is tested.
///
/// # Errors
/// A step fails.
pub(crate) fn run_all(steps: &[Step], which: Option<Browser>) -> Result<()> {
    let mut plan = plan(steps, which);
    let mut missing = None;
    if which.is_none() && plan.iter().any(|(_, browser)| *browser == Browser::Firefox) {
        missing = setup::ensure(&[Need::Firefox]).err();
        if missing.is_some() {
            plan.retain(|(_, browser)| *browser != Browser::Firefox);
        }
    }
    setup::ensure(&needs(&plan))?;
    let mut report = Vec::new();
    let result = run_steps(&plan, &mut report);
    say("\n== closing lines");
    for Ended { name, took, closing } in &report {
        for line in closing.iter().filter(|line| !line.contains(" 0 passed; 0 failed; 0 ignored")) {
            say(&format!("{name:>19}  {line}"));
        }
        say(&format!("{name:>19}  ok after {} s", took.as_secs()));
    }
    if let Some(why) = missing {
        say(&format!("{:>19}  NOT RUN, nothing was tested there: {why:#}", Browser::Firefox.name()));
    }
    result
}

fn name(step: Step) -> String {
    step.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn needs(plan: &[(Step, Browser)]) -> Vec<Need> {
    let mut needs = Vec::new();
    for &(step, which) in plan {
        let browser = which.need();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_everything_runs_and_what_depends_on_a_browser_in_both() {
        let of = |plan: &[(Step, Browser)], which| {
            plan.iter().filter(|one| one.1 == which).map(|one| one.0).collect::<Vec<_>>()
        };
        let whole = plan(&[], None);
        assert_eq!(of(&whole, Browser::Chromium), Step::value_variants());
        assert_eq!(of(&whole, Browser::Firefox), OF_BROWSERS);
        assert!(needs(&whole).contains(&Need::Firefox) && needs(&whole).contains(&Need::Browser));
        assert_eq!(plan(&[Step::Journeys], None), [(Step::Journeys, Browser::Chromium)]);
        let second = plan(&[], Some(Browser::Firefox));
        assert!(
            second.iter().all(|one| one.1 == Browser::Firefox) && !needs(&second).contains(&Need::Browser)
        );
    }
}
