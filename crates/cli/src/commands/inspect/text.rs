//! What was found, for reading.

use std::io::{self, Write};

use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_formats::classes::{guess, occupancy};
use slabscope_formats::zsmalloc_tables::write_aligned;
use slabscope_formats::{Format, Table, Value};

use super::File;

/// Rows of a table that are shown, and lines that were left out.
const SHOWN: usize = 12;

/// Writes every table of a file.
pub(super) fn write<W: Write>(file: &File, out: &mut W) -> io::Result<()> {
    for (index, table) in file.paste.tables().iter().enumerate() {
        write!(out, "{}: {}", file.name, table.format().label())?;
        if let Some(title) = table.title() {
            write!(out, " ({})", title.chars().take(80).collect::<String>())?;
        }
        writeln!(out, ", {}", counted(table.len() as u64, "row", "rows"))?;
        if let Some(era) = table.era() {
            writeln!(out, "  taken for era {era}")?;
        }
        for sentence in table.evidence() {
            writeln!(out, "  {sentence}")?;
        }
        rows(table, out)?;
        totals(table, out)?;
        if table.format() == Format::ZsmallocClasses {
            memory(table, out)?;
        }
        let skipped: Vec<(u32, String)> = file.paste.skipped(index).take(SHOWN + 1).collect();
        for (line, why) in skipped.iter().take(SHOWN) {
            writeln!(out, "  line {} skipped: {why}", grouped(u64::from(*line)))?;
        }
        if skipped.len() > SHOWN {
            let rest = file.paste.skipped(index).skip(SHOWN).count() as u64;
            writeln!(out, "  {} more skipped", counted(rest, "line", "lines"))?;
        }
        for warning in table.warnings() {
            writeln!(out, "  warning: {warning}")?;
        }
    }
    Ok(())
}

/// The first rows.
fn rows<W: Write>(table: &Table, out: &mut W) -> io::Result<()> {
    let cell = |value: Value<'_>| match value {
        Value::Blank => "-".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Text(text) => text.to_owned(),
    };
    let shown = table.rows().take(SHOWN).map(|row| row.values().map(cell).collect::<Vec<_>>());
    let columns: Vec<&str> = table.columns().iter().map(String::as_str).collect();
    // A single row of many columns reads better from top to bottom.
    if table.len() == 1 && columns.len() > 6 {
        let values = shown.flatten();
        return columns
            .iter()
            .zip(values)
            .try_for_each(|(name, value)| writeln!(out, "  {name:<28} {value:>18}"));
    }
    if table.is_empty() {
        return Ok(());
    }
    let mut lines = Vec::new();
    write_aligned(&columns, shown, &mut lines)?;
    for line in String::from_utf8_lossy(&lines).lines() {
        writeln!(out, "  {}", line.trim_end())?;
    }
    if table.len() > SHOWN {
        writeln!(out, "  and {}", counted((table.len() - SHOWN) as u64, "more row", "more rows"))?;
    }
    Ok(())
}

fn totals<W: Write>(table: &Table, out: &mut W) -> io::Result<()> {
    if table.totals().is_empty() {
        return Ok(());
    }
    let source = if table.totals_printed() { "total, as printed" } else { "total of the rows" };
    let sums: Vec<String> =
        table.totals().iter().map(|(name, value)| format!("{name} {}", grouped(*value))).collect();
    writeln!(out, "  {source}: {}", sums.join(", "))
}

/// Where the memory of a class table goes.
fn memory<W: Write>(table: &Table, out: &mut W) -> io::Result<()> {
    let Some(guess) = guess(table) else { return Ok(()) };
    let sums = occupancy(table, &guess);
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
    writeln!(out, "  compaction would return {}", counted(sums.freeable_pages, "page", "pages"))
}
