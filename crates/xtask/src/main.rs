//! Chores of the project: `cargo xtask setup | serve | build | docs | dist | test | fuzz | bench`.
//!
//! Everything a fresh machine needs beyond Rust, Node and a Debian-like package manager is installed
//! into `.tools` by [`setup`], which the other commands call for what they use.

mod bench;
mod browser;
mod dist;
mod docs;
mod http;
mod offline;
mod page;
mod paths;
mod places;
mod process;
mod scripts;
mod serve;
mod setup;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install the tools that are missing
    Setup,
    /// Build the page and the guide and serve them on this machine
    Serve {
        /// Port on 127.0.0.1; the next free one is taken if it is in use
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Serve what was built last
        #[arg(long)]
        no_build: bool,
    },
    /// Build the page into `dist`, ready for any static server and any path
    Build,
    /// Build the guide into `dist/guide` and check its links
    Docs,
    /// Make a release: site with compressed copies, guide and command-line program in one archive
    Dist,
    /// Run everything that CI runs, or only the steps named
    Test {
        /// Steps to run
        steps: Vec<test::Step>,
        /// Browser of the steps wasm and journeys, if not both; in Firefox only those that depend on it run
        #[arg(long, value_enum)]
        browser: Option<browser::Browser>,
    },
    /// Damage fixtures and give them to every reader and to the link codec
    Fuzz {
        /// How long
        #[arg(long, default_value_t = 600)]
        seconds: u64,
        /// Another seed damages otherwise
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Measure the budgets and print them as a table
    Bench,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Setup => setup::all(),
        Command::Serve { port, no_build } => {
            if !no_build {
                page::build()?;
                docs::build()?;
            }
            serve::run(port)
        }
        Command::Build => page::build().map(drop),
        Command::Docs => docs::build(),
        Command::Dist => dist::build(),
        Command::Test { steps, browser } => test::run_all(&steps, browser),
        Command::Fuzz { seconds, seed } => test::fuzz(seconds, seed),
        Command::Bench => bench::run(),
    }
}
