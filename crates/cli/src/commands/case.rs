//! `slabscope case`.

use std::io::{IsTerminal as _, Write};
use std::ops::ControlFlow;

use slabscope_cases::{COLUMNS, Case, Data, Options, Outcome, Progress, Row, run_with, tsv_rows};
use slabscope_formats::zsmalloc_tables::write_tsv;

use crate::fail::Failure;
use crate::output::stdout;

/// Compute a published result anew and put it beside the published figures
///
/// Every figure of ours comes from running the models now; the published ones come from a table with their sources.
/// What depends on chance is the mean of several seeds, always the same ones.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The case, or its year alone
    #[arg(value_parser = which, value_name = "CASE|all", long_help = long_help())]
    case: Which,
    /// How to print it
    #[arg(long, value_enum, default_value = "tsv")]
    format: Format,
    /// Seeds for what depends on chance, instead of the case's usual number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    /// An assumption of the case with another value; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", long_help = assumptions())]
    changed: Vec<String>,
}

/// How a case is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tab-separated values with a heading, single runs last
    Tsv,
    /// Question, finding, and the steps with their figures
    Text,
}

#[derive(Clone, Copy, Debug)]
enum Which {
    All,
    One(Case),
}

fn which(name: &str) -> Result<Which, String> {
    if name == "all" {
        return Ok(Which::All);
    }
    Case::from_name(name).map(Which::One).ok_or_else(|| {
        let names = Case::ALL.map(Case::name).join(", ");
        format!("there are {names} and all")
    })
}

fn long_help() -> String {
    let lines: Vec<String> =
        Case::ALL.iter().map(|case| format!("  {:<22} {}", case.name(), case.title())).collect();
    format!("The case, or its year alone:\n{}\n  {:<22} every one of them", lines.join("\n"), "all")
}

fn assumptions() -> String {
    let mut text = "An assumption of the case with another value; may be repeated. With all it holds for every case that \
        has an assumption of this name, and one of them must:"
        .to_owned();
    for case in Case::ALL {
        text.push_str(&format!("\n  {}:", case.name()));
        for assumption in case.assumptions() {
            let (_, usual) = Options::default().shown(assumption);
            text.push_str(&format!("\n    {:<12} {}; usually {usual}", assumption.name, assumption.label));
        }
    }
    text
}

/// The cases meant, each with its assumptions.
fn chosen(args: &Args) -> Result<Vec<(Case, Options)>, Failure> {
    let cases = match args.case {
        Which::All => Case::ALL.to_vec(),
        Which::One(case) => vec![case],
    };
    let mut chosen: Vec<(Case, Options)> = cases.into_iter().map(|case| (case, Options::default())).collect();
    let seeds = args.seeds.map(|seeds| format!("seeds={seeds}"));
    for change in seeds.iter().chain(&args.changed) {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        if let [(case, options)] = &mut chosen[..] {
            options.set(*case, name, value).map_err(Failure::input)?;
            continue;
        }
        let mut is_known = false;
        for (case, options) in &mut chosen {
            if case.assumptions().iter().any(|assumption| assumption.name == name) {
                is_known = true;
                let told = |why| Failure::Input(format!("{}: {why}", case.name()));
                options.set(*case, name, value).map_err(told)?;
            }
        }
        if !is_known {
            return Err(Failure::Input(format!("{name} is an assumption of no case")));
        }
    }
    Ok(chosen)
}

/// Runs and prints.
///
/// # Errors
/// An assumption is not one of the case, or the output fails.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let cases = chosen(args)?;
    let data = Data::embedded();
    let mut out = stdout();
    if args.format == Format::Tsv {
        write_tsv(&COLUMNS, &[] as &[[String; COLUMNS.len()]], &mut out)?;
    }
    for (case, options) in cases {
        let mut told = progress(case);
        let outcome = run_with(case, &options, &data, &mut told).map_err(Failure::input)?;
        match args.format {
            Format::Tsv => {
                for row in tsv_rows(&outcome) {
                    writeln!(out, "{}", row.join("\t"))?;
                }
            }
            Format::Text => write_text(&outcome, &mut out)?,
        }
        out.flush()?;
    }
    Ok(())
}

/// Says on a terminal how far a case is.
fn progress(case: Case) -> impl FnMut(Progress) -> ControlFlow<()> {
    let is_seen = std::io::stderr().is_terminal();
    move |progress: Progress| {
        if is_seen {
            let end = if progress.is_done() { "\r\x1b[K" } else { "" };
            eprint!("\r{}: {} of {}{end}", case.name(), progress.done, progress.total);
        }
        ControlFlow::Continue(())
    }
}

/// Rows of a step that a reader gets; the text sums the others up.
const ROWS_OF_A_STEP: usize = 48;

fn write_text<W: Write>(outcome: &Outcome, out: &mut W) -> std::io::Result<()> {
    let case = outcome.case;
    writeln!(out, "{} {}\n", case.year(), case.title())?;
    writeln!(out, "{}\n", wrapped(case.question()))?;
    writeln!(out, "{}", wrapped(&outcome.finding))?;
    for (number, step) in outcome.steps.iter().enumerate() {
        writeln!(out, "\n{}. {}\n\n{}\n", number + 1, step.title, wrapped(&step.text))?;
        let shown = step.rows.len().min(ROWS_OF_A_STEP);
        write_rows(&step.rows[..shown], out)?;
        if shown < step.rows.len() {
            writeln!(out, "  ... {} more rows: --format tsv has all", step.rows.len() - shown)?;
        }
    }
    writeln!(out)
}

fn write_rows<W: Write>(rows: &[Row], out: &mut W) -> std::io::Result<()> {
    let heading = ["", "", "published", "ours", "difference", ""].map(str::to_owned);
    let cells: Vec<[String; 6]> = std::iter::once(heading)
        .chain(rows.iter().map(|row| {
            let figure = |figure: Option<slabscope_cases::Figure>| {
                figure.map_or_else(String::new, |figure| figure.grouped())
            };
            let difference = row.difference_percent();
            [
                row.row.clone(),
                row.metric.replace('_', " "),
                figure(row.published),
                figure(row.predicted),
                difference.map_or_else(String::new, |figure| format!("{figure} %")),
                row.notes(),
            ]
        }))
        .collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    for [row, metric, published, ours, difference, note] in &cells {
        let line = format!(
            "  {row:<0$}  {metric:<1$}  {published:>2$}  {ours:>3$}  {difference:>4$}  {note}",
            widths[0], widths[1], widths[2], widths[3], widths[4]
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn with_all_an_assumption_holds_for_the_cases_that_have_it() {
        let told = |line: &[&str]| {
            let chosen = chosen(&Line::try_parse_from(line).ok()?.args).ok()?;
            Some(chosen.iter().map(|(case, options)| options.text(*case)).collect::<Vec<_>>())
        };
        let of_all = told(&["case", "all", "--set", "threads=4", "--set", "rewrites=3", "--seeds", "2"]);
        let expected = [
            "seeds:2",
            "rewrites:3,seeds:2",
            "rewrites:3,seeds:2",
            "seeds:2,threads:4",
            "rewrites:3,seeds:2",
        ];
        assert_eq!(of_all, Some(expected.map(str::to_owned).to_vec()));
        assert_eq!(told(&["case", "2024", "--set", "threads=4"]), Some(vec!["threads:4".to_owned()]));
        assert_eq!(told(&["case", "2008", "--set", "threads=4"]), None);
    }
}
