//! `slabscope slub-whatif`.

use std::io::{self, Write};

use serde_json::{Map, Value};
use slabscope_answers::percent;
use slabscope_answers::select::numbers;
use slabscope_answers::slub::{
    Answer, COLUMNS, Present, SlabRow, answer, command_line, from_paste, present, read_options, readings,
    twins,
};
use slabscope_core::slub::Config;
use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_formats::read;
use slabscope_formats::zsmalloc_tables::write_aligned;

use super::slub::generation;
use crate::fail::Failure;
use crate::output::{Format, name_of, read_text, stdout};

/// Say what the caches of a slabinfo would have under other settings
///
/// Reads /proc/slabinfo 2.1. The present page size, CPUs and maximum order are found from the orders that the caches
/// have. pages_low packs the objects in use without a gap, pages_expected keeps as many places, pages_high as many
/// slabs. The last row of each setting has the sums.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Generation of the other kernel: 2.6.26, 2.6.26+rfc-order, 2.6.26+rfc-skip, classic or modern [default: the
    /// present one]
    #[arg(long, value_name = "ERA")]
    era: Option<String>,
    /// PAGE_SHIFT: numbers and ranges from 12 to 16
    #[arg(long, value_name = "LIST", value_parser = list)]
    page_shift: Option<List>,
    /// CPUs present; nr_cpu_ids where one is
    #[arg(long, value_name = "NUMBER")]
    cpus: Option<u32>,
    /// Objects that a slab should hold; 0: from the CPUs
    #[arg(long, value_name = "NUMBER")]
    min_objects: Option<u32>,
    /// Lowest order
    #[arg(long, value_name = "ORDER")]
    min_order: Option<u8>,
    /// Highest order that is looked for: numbers and ranges
    #[arg(long, value_name = "LIST", value_parser = list)]
    max_order: Option<List>,
    /// A kernel command line with slub_ or slab_ options, in the place of one in the file; other options win over it
    #[arg(long, value_name = "TEXT")]
    cmdline: Option<String>,
    /// Generation of the kernel that printed it, where its orders do not tell
    #[arg(long, value_name = "ERA")]
    from_era: Option<String>,
    /// CPUs of that machine
    #[arg(long, value_name = "NUMBER")]
    from_cpus: Option<u32>,
    /// PAGE_SHIFT of that machine
    #[arg(long, value_name = "SHIFT", value_parser = clap::value_parser!(u8).range(12..=16))]
    from_page_shift: Option<u8>,
    /// How to print the rows
    #[arg(long, value_enum, default_value = "tsv")]
    format: Format,
    /// The slabinfo; - reads standard input
    #[arg(default_value = "-")]
    file: String,
}

#[derive(Clone, Debug)]
struct List(Vec<u8>);

fn list(text: &str) -> Result<List, String> {
    numbers(text).map(List)
}

impl Args {
    /// The settings asked for, each checked.
    fn settings(&self, now: &Config, pasted: Option<&str>) -> Result<Vec<Config>, Failure> {
        let mut base = *now;
        if let Some(name) = &self.era {
            base.generation = generation(name)?;
        }
        base.cpus = self.cpus.unwrap_or(base.cpus);
        if let Some(line) = self.cmdline.as_deref().or(pasted) {
            let options = read_options(line, base.generation);
            for note in &options.notes {
                eprintln!("slabscope: {note}");
            }
            base = options.over(base);
        }
        base.min_objects = self.min_objects.unwrap_or(base.min_objects);
        base.min_order = self.min_order.unwrap_or(base.min_order);
        let or = |list: &Option<List>, own: u8| list.as_ref().map_or(vec![own], |list| list.0.clone());
        let mut settings = Vec::new();
        for page_shift in or(&self.page_shift, base.page_shift) {
            for max_order in or(&self.max_order, base.max_order) {
                let config = Config { page_shift, max_order, ..base };
                slabscope_core::slub::calculate_order(&config.order_params(8)).map_err(Failure::input)?;
                settings.push(config);
            }
        }
        Ok(settings)
    }
}

/// Prints the rows of every setting.
///
/// # Errors
/// The file is no slabinfo, or an option is bad.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let name = name_of(&args.file);
    let paste = read(&read_text(&args.file)?);
    let found = from_paste(&paste).map_err(|why| Failure::Input(format!("{name}: {why}")))?;
    for (line, why) in &found.skipped {
        eprintln!("slabscope: {name}: line {line} skipped: {why}");
    }
    let from_era = args.from_era.as_deref().map(generation).transpose()?;
    let present = present(&found.rows, from_era, args.from_cpus, args.from_page_shift);
    let answers: Vec<Answer> = args
        .settings(&present.config, command_line(paste.tables()).as_deref())?
        .iter()
        .map(|then| answer(&found.rows, &present.config, then))
        .collect();
    let mut out = stdout();
    match args.format {
        Format::Tsv => {
            writeln!(out, "{}", COLUMNS.join("\t"))?;
            for row in answers.iter().flat_map(Answer::cells) {
                writeln!(out, "{}", row.join("\t"))?;
            }
        }
        Format::Json => {
            for row in answers.iter().flat_map(Answer::cells) {
                writeln!(out, "{}", json(name, row))?;
            }
        }
        Format::Text => write_text(name, &present, &found.rows, &answers, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

fn json(name: &str, row: [String; COLUMNS.len()]) -> Value {
    let mut object = Map::from_iter([("file".to_owned(), Value::from(name))]);
    for (column, cell) in COLUMNS.iter().zip(row) {
        let value = match *column {
            "era" | "cache" | "note" if cell != "-" => Value::from(cell),
            "change_percent" => cell.parse::<f64>().ok().map_or(Value::Null, Value::from),
            _ => cell.parse::<u64>().ok().map_or(Value::Null, Value::from),
        };
        object.insert((*column).to_owned(), value);
    }
    Value::Object(object)
}

/// Caches that are shown of each setting.
const SHOWN: usize = 12;

fn write_text<W: Write>(
    name: &str,
    present: &Present,
    rows: &[SlabRow],
    answers: &[Answer],
    out: &mut W,
) -> io::Result<()> {
    let Config { generation, page_shift, cpus, max_order, .. } = present.config;
    writeln!(
        out,
        "{name}: {} of {} have the orders of era {} with page shift {page_shift}, max order {max_order} and as many CPUs as {cpus}",
        present.matching,
        counted(present.rows as u64, "cache", "caches"),
        generation.name()
    )?;
    for reading in readings(rows).iter().take(SHOWN) {
        writeln!(out, "  {}", reading.sentence)?;
    }
    for twins in twins(rows) {
        writeln!(out, "  {}", twins.sentence())?;
    }
    answers.iter().try_for_each(|answer| write_answer(answer, out))
}

fn write_answer<W: Write>(answer: &Answer, out: &mut W) -> io::Result<()> {
    let Config { generation, page_shift, cpus, min_objects, min_order, max_order, .. } = answer.then;
    writeln!(
        out,
        "\nera {}, page shift {page_shift}, {}, min objects {min_objects}, orders {min_order} to {max_order}",
        generation.name(),
        counted(cpus.into(), "CPU", "CPUs")
    )?;
    let sums = &answer.sums;
    writeln!(
        out,
        "  {} in place of {} ({} to {}, {} %)",
        counted(sums.pages.expected, "page", "pages"),
        grouped(sums.pages_now),
        grouped(sums.pages.low),
        grouped(sums.pages.high),
        answer.change_of_sums().map_or_else(|| "-".to_owned(), percent::text)
    )?;
    writeln!(out, "  behind last objects {} in place of {}", bytes(sums.waste), bytes(sums.waste_now))?;
    writeln!(
        out,
        "  caches in use of order 3 and more: {} with {} in place of {} with {}",
        sums.high_orders,
        counted(sums.high_pages, "page", "pages"),
        sums.high_orders_now,
        counted(sums.high_pages_now, "page", "pages")
    )?;
    if let Some(line) = answer.boot_line() {
        writeln!(out, "  boot with {line}")?;
    }
    // The caches that change most, and no others.
    let mut caches: Vec<_> = answer.cells();
    caches.pop();
    let moved = |row: &[String; COLUMNS.len()]| {
        let number = |column: usize| row[column].parse::<i64>().unwrap_or(0);
        let bytes = |pages: i64, shift: u8| pages.saturating_mul(1 << shift.min(16));
        (bytes(number(16), page_shift) - bytes(number(12), answer.now.page_shift)).unsigned_abs()
    };
    caches.sort_by_cached_key(|row| std::cmp::Reverse(moved(row)));
    caches.retain(|row| moved(row) > 0);
    caches.truncate(SHOWN);
    if caches.is_empty() {
        return Ok(());
    }
    write_aligned(&COLUMNS[6..21], caches.iter().map(|row| &row[6..21]), out)
}
