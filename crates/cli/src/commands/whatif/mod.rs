//! `slabscope whatif`.

mod print;
mod text;

use std::collections::BTreeSet;
use std::io::Write as _;

use slabscope_answers::figures::figures;
use slabscope_answers::histogram::read_sizes;
use slabscope_answers::input::{Machine, from_paste};
use slabscope_answers::select::{Candidate, Selection, candidates, numbers, zblock_version, zsmalloc_era};
use slabscope_answers::sweep::{COLUMNS, sweep};
use slabscope_core::zsmalloc::{Bits, Era};

use super::options::Allocator;
use crate::fail::Failure;
use crate::output::{Format, name_of, read_text, stdout};
use crate::parallel::in_order;

/// Say what a machine's objects would take under other settings
///
/// Reads zsmalloc's debugfs classes file, or a list of stored sizes: a size and a count on each line. pages_low,
/// pages_expected and pages_high are pages of the target's size, packed without a gap, for the smallest, the evenly
/// spread and the largest sizes that each class of the input allows. change_percent compares with the input's own
/// setting, packed likewise; pages_churned is as fragmented as the input. Many files are read in parallel and
/// answered in order.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Most pages of a zspage: numbers and ranges, such as 4,8 or 1..16
    #[arg(long, value_name = "LIST", default_value = "1..16", value_parser = list)]
    max_pages: List,
    /// PAGE_SHIFT: numbers and ranges from 12 to 16 [default: the input's]
    #[arg(long, value_name = "LIST", value_parser = list)]
    page_shift: Option<List>,
    /// Allocators with their generation [default: zsmalloc with the input's, and zblock:mm0508]
    #[arg(long, value_name = "LIST", value_parser = models, conflicts_with_all = ["allocator", "era"])]
    models: Option<Models>,
    /// One allocator only
    #[arg(long, value_enum)]
    allocator: Option<Allocator>,
    /// Its generation, or for zsmalloc a kernel version
    #[arg(long, value_name = "ERA")]
    era: Option<String>,
    /// Bytes between zsmalloc's size classes, instead of a 256th of a page
    #[arg(long, value_name = "BYTES")]
    class_delta: Option<u32>,
    #[command(flatten)]
    from: Source,
    /// How to print the rows
    #[arg(long, value_enum, default_value = "tsv")]
    format: Format,
    /// The files; - reads standard input
    #[arg(required = true)]
    files: Vec<String>,
}

/// What is known of the machine that the input comes from.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What the input comes from, where its text does not tell")]
struct Source {
    /// Generation or kernel version of the input
    #[arg(long, value_name = "ERA")]
    from_era: Option<String>,
    /// Max pages of the input
    #[arg(long, value_name = "PAGES")]
    from_max_pages: Option<u8>,
    /// PAGE_SHIFT of the input
    #[arg(long, value_name = "SHIFT")]
    from_page_shift: Option<u8>,
    /// Bits of a word: 32 or 64
    #[arg(long, value_name = "BITS")]
    bits: Option<u64>,
    /// Bits of a physical address
    #[arg(long, value_name = "BITS")]
    phys_bits: Option<u8>,
}

#[derive(Clone, Debug)]
struct List(Vec<u8>);

fn list(text: &str) -> Result<List, String> {
    numbers(text).map(List)
}

#[derive(Clone, Debug)]
struct Models {
    text: String,
    candidates: Vec<Candidate>,
}

fn models(text: &str) -> Result<Models, String> {
    Ok(Models { text: text.to_owned(), candidates: candidates(text)? })
}

/// Says on standard error which era a kernel version was taken for, and how sure that is.
fn tell_kernel(name: &str) {
    if let (None, Ok(found)) = (Era::from_name(name), Era::for_kernel(name)) {
        eprintln!("slabscope: {found}");
    }
}

impl Args {
    fn selection(&self) -> Result<Selection, Failure> {
        let era = self.era.as_deref();
        let of_models = self.models.iter().flat_map(|models| models.text.split(','));
        let eras = of_models.filter_map(|part| part.trim().strip_prefix("zsmalloc:"));
        eras.chain(era.filter(|_| self.allocator != Some(Allocator::Zblock))).for_each(tell_kernel);
        let candidates = match (&self.models, self.allocator, era) {
            (Some(models), ..) => models.candidates.clone(),
            (None, None, None) => Selection::default().candidates,
            (None, None | Some(Allocator::Zsmalloc), era) => {
                vec![Candidate::Zsmalloc(era.map(zsmalloc_era).transpose().map_err(Failure::Input)?)]
            }
            (None, Some(Allocator::Zblock), era) => {
                let version = era.map(zblock_version).transpose().map_err(Failure::Input)?;
                vec![Candidate::Zblock(version.unwrap_or_default())]
            }
        };
        let page_shifts = self.page_shift.as_ref().map(|list| list.0.clone()).unwrap_or_default();
        let (max_pages, class_delta) = (self.max_pages.0.clone(), self.class_delta);
        Ok(Selection { candidates, page_shifts, max_pages, class_delta })
    }
}

impl Source {
    fn machine(&self) -> Result<Machine, Failure> {
        let bits = |count| {
            Bits::from_count(count)
                .ok_or_else(|| Failure::Input(format!("bits {count}: 32 or 64 is possible")))
        };
        self.from_era.as_deref().into_iter().for_each(tell_kernel);
        Ok(Machine {
            era: self.from_era.as_deref().map(zsmalloc_era).transpose().map_err(Failure::Input)?,
            max_pages: self.from_max_pages,
            page_shift: self.from_page_shift,
            bits: self.bits.map(bits).transpose()?,
            phys_bits: self.phys_bits,
        })
    }
}

/// What a file gives: the text to print, and warnings.
struct Answer {
    text: String,
    warnings: Vec<String>,
}

/// Prints the rows of every file; a bad file does not stop the others.
///
/// # Errors
/// An option is bad, or so is a file.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (selection, machine) = (args.selection()?, args.from.machine()?);
    let mut out = stdout();
    if args.format == Format::Tsv {
        writeln!(out, "{}", COLUMNS.join("\t"))?;
    }
    let many = args.files.len() > 1;
    let mut bad = Vec::new();
    // A setting that does not exist is told once, and not for every file.
    let mut told = BTreeSet::new();
    in_order(
        &args.files,
        |file| answer(file, many, args.format, &selection, &machine),
        |result| -> Result<(), Failure> {
            match result {
                Ok(answer) => {
                    out.write_all(answer.text.as_bytes())?;
                    for warning in answer.warnings {
                        if !told.contains(&warning) {
                            eprintln!("slabscope: {warning}");
                            told.insert(warning);
                        }
                    }
                }
                Err(Failure::Input(why)) => bad.push(why),
                Err(failure) => return Err(failure),
            }
            Ok(())
        },
    )?;
    out.flush()?;
    Failure::of_files(&bad, args.files.len())
}

fn answer(
    file: &str,
    many: bool,
    format: Format,
    selection: &Selection,
    machine: &Machine,
) -> Result<Answer, Failure> {
    let name = name_of(file);
    let paste = read_sizes(&read_text(file)?);
    let input = from_paste(&paste, machine).map_err(|why| Failure::Input(format!("{name}: {why}")))?;
    let swept = sweep(&input, &selection.settings(&input.own));
    let mut warnings: Vec<String> =
        input.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
    warnings.extend(swept.missing.iter().map(|(setting, why)| format!("no row for {setting}: {why}")));
    if swept.rows.is_empty() {
        let why = swept.missing.first().map_or("none was asked for", |(_, why)| why);
        return Err(Failure::Input(format!("{name}: no setting that was asked for exists: {why}")));
    }
    let text = match format {
        Format::Tsv => print::tsv(many.then_some(name), &swept.rows),
        Format::Json => print::json(name, &swept.rows),
        Format::Text => {
            let mut out = Vec::new();
            text::write_answer(name, &input, &figures(paste.tables()), &swept.rows, &mut out)?;
            String::from_utf8_lossy(&out).into_owned()
        }
    };
    Ok(Answer { text, warnings })
}
