//! `slabscope inspect`.

use std::io::{Read as _, Write as _};

use serde_json::{Map, Value, json};
use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_formats::classes::{Table, guess, occupancy, read_classes};

use crate::fail::Failure;
use crate::output::{open, stdout};

/// Say what a pasted file is, and what it says
///
/// Reads zsmalloc's debugfs classes files of every kernel, also quoted, wrapped in log times, or with rows
/// left out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The files; - reads standard input
    #[arg(required = true)]
    files: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For reading
    Text,
    /// One JSON object per table and line
    Json,
}

/// Files above this are refused.
const LARGEST: u64 = 100 << 20;

/// Inspects each file; a bad one does not stop the others.
///
/// # Errors
/// In one of them nothing was recognised, or it cannot be read.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = stdout();
    let mut bad = Vec::new();
    for file in &args.files {
        match read(file) {
            Ok((text, table)) => match args.format {
                Format::Text => write_text(file, &table, &mut out)?,
                Format::Json => writeln!(out, "{}", to_json(file, &text, &table))?,
            },
            Err(why) => bad.push(why),
        }
    }
    out.flush()?;
    if bad.is_empty() { Ok(()) } else { Err(Failure::Input(bad.join("; "))) }
}

fn read(file: &str) -> Result<(String, Table), String> {
    let name = if file == "-" { "standard input" } else { file };
    let mut content = Vec::new();
    let input = open(file).map_err(|error| error.to_string())?;
    input.take(LARGEST + 1).read_to_end(&mut content).map_err(|error| format!("{name}: {error}"))?;
    if content.len() as u64 > LARGEST {
        return Err(format!("{name}: larger than 100 MB"));
    }
    let text = String::from_utf8_lossy(&content).into_owned();
    let table = read_classes(&text)
        .map_err(|why| format!("{name}: nothing recognised; as a zsmalloc classes file: {why}"))?;
    Ok((text, table))
}

fn write_text<W: std::io::Write>(file: &str, table: &Table, out: &mut W) -> std::io::Result<()> {
    writeln!(out, "{file}: zsmalloc classes, {}", counted(table.rows.len() as u64, "row", "rows"))?;
    match guess(table) {
        Some(guess) => {
            let sums = occupancy(table, &guess);
            writeln!(out, "  taken for era {}: {}", guess.config.era.name(), guess.evidence())?;
            writeln!(
                out,
                "  {} hold {} in {}",
                counted(sums.pages, "page", "pages"),
                counted(sums.used, "object", "objects"),
                counted(sums.allocated, "place", "places")
            )?;
            for (name, amount) in [
                ("objects, rounding included", sums.objects),
                ("handles", sums.handles),
                ("empty places", sums.empty),
                ("tails of zspages", sums.tails),
                ("total", sums.total),
            ] {
                writeln!(out, "  {name:<28} {:>18}", bytes(amount))?;
            }
            writeln!(out, "  compaction would return {}", counted(sums.freeable_pages, "page", "pages"))?;
        }
        None => writeln!(out, "  no known kernel has these classes")?,
    }
    for (line, why) in table.skipped() {
        writeln!(out, "  line {} skipped: {why}", grouped(line as u64))?;
    }
    for warning in &table.warnings {
        writeln!(out, "  warning: {warning}")?;
    }
    Ok(())
}

fn to_json(file: &str, text: &str, table: &Table) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let fields = table.columns.iter().zip(&row.values);
            Value::Object(fields.map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>())
        })
        .collect();
    let totals: Map<String, Value> =
        table.total.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let lines: Vec<&str> = text.lines().collect();
    let skipped: Vec<Value> = table
        .skipped()
        .map(|(line, why)| json!({"line": line, "text": lines.get(line - 1).copied().unwrap_or_default(), "why": why}))
        .collect();
    json!({
        "file": file,
        "format": "zsmalloc-classes",
        "era": guess(table).map(|guess| guess.config.era.name()),
        "rows": rows,
        "totals": totals,
        "skipped": skipped,
        "warnings": table.warnings,
    })
}
