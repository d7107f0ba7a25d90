//! `slabscope`: the models of the page for scripts and CI.
//!
//! Exit status 0: done. 1: the input is bad; one line on standard error says where and why. 2: the
//! command line is bad.

mod commands;
mod fail;
mod memory;
mod output;
mod parallel;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::fail::Failure;

/// Exact models of the Linux kernel's zsmalloc, zblock and SLUB
#[derive(Parser)]
#[command(name = "slabscope", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  slabscope classes --max-pages 4
  slabscope classes --era 5.15 --format text
  slabscope constants --bits 32 --phys-bits 40 --max-pages 8
  slabscope classes --allocator zblock --era v4 --page-shift 14
  slabscope replay --era 4.5 trace.txt
  zcat trace.gz | slabscope replay --log -
  slabscope slub-orders --era 2.6.26 < parameters.tsv
  slabscope inspect /sys/kernel/debug/zsmalloc/zram0/classes
  slabscope case 2016-more-pages --format text
  slabscope whatif /sys/kernel/debug/zsmalloc/zram0/classes --format text
  slabscope slub-whatif --max-order 0..3 --format text /proc/slabinfo
  slabscope link 'v=1&view=pool&mp=4'
  slabscope svg --max-pages 4 --also 8 > loss.svg
  slabscope svg --allocator slub --max-order 4 > orders.svg

Exit status: 0 done, 1 bad input (one line on standard error says where and why), 2 bad command line.";

#[derive(Subcommand)]
enum Command {
    /// Size classes or block types of a configuration
    Classes(commands::classes::Args),
    /// Constants that follow from a zsmalloc configuration
    Constants(commands::constants::Args),
    /// Replay a trace of allocations and report what the kernel would
    Replay(commands::replay::Args),
    // Without a word here the long help of their arguments is shown.
    SlubOrders(commands::slub::OrderArgs),
    SlubLayout(commands::slub::LayoutArgs),
    /// Say what a pasted file is, and what it says
    Inspect(commands::inspect::Args),
    /// Compute a published result anew and put it beside the published figures
    Case(commands::case::Args),
    /// Say what a machine's objects would take under other settings
    Whatif(commands::whatif::Args),
    SlubWhatif(commands::slub_whatif::Args),
    /// Read a link of the page
    Link(commands::link::Args),
    /// Draw a plot as SVG, on standard output
    Svg(commands::svg::Args),
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Classes(args) => commands::classes::run(&args),
        Command::Constants(args) => commands::constants::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::SlubOrders(args) => commands::slub::orders(&args),
        Command::SlubLayout(args) => commands::slub::layouts(&args),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Case(args) => commands::case::run(&args),
        Command::Whatif(args) => commands::whatif::run(&args),
        Command::SlubWhatif(args) => commands::slub_whatif::run(&args),
        Command::Link(args) => commands::link::run(&args),
        Command::Svg(args) => commands::svg::run(&args),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "slabscope", &mut std::io::stdout());
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough, such as head, is no failure.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("slabscope: {failure}");
            ExitCode::FAILURE
        }
    }
}
