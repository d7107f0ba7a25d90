//! What was found, for reading.

use std::io::{self, Write};

use slabscope_answers::change::{ClassChange, changes, signed};
use slabscope_answers::figures::{Figures, figures, nearest};
use slabscope_answers::input::{ClassHeld, Machine, from_classes};
use slabscope_answers::ratio::{beside_meminfo, sentences};
use slabscope_answers::slub::{Twins, from_slabtop, from_tables, readings, twins};
use slabscope_answers::waterfall::{waterfall, without_classes};
use slabscope_core::tell::{counted, grouped};
use slabscope_formats::zsmalloc_tables::write_aligned;
use slabscope_formats::{Format, Table, Value};

use super::File;
use crate::memory::write_memory;

/// Rows of a table that are shown, and lines that were left out.
const SHOWN: usize = 12;

/// Writes every table of a file.
pub(super) fn write<W: Write>(file: &File, out: &mut W) -> io::Result<()> {
    let found = figures(file.paste.tables());
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
            classes(table, &found, out)?;
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
    said(file.paste.tables(), &found, out)
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

/// Where the memory of a class table goes, and what compaction would return.
fn classes<W: Write>(table: &Table, figures: &[Figures], out: &mut W) -> io::Result<()> {
    let Ok(input) = from_classes(table, &Machine::default()) else { return Ok(()) };
    let sum = |part: fn(&ClassHeld) -> u64| input.classes.iter().map(part).fold(0, u64::saturating_add);
    let pages = sum(|class| class.pages);
    writeln!(
        out,
        "  {} hold {} in {}",
        counted(pages, "page", "pages"),
        counted(sum(|class| class.objects), "object", "objects"),
        counted(sum(|class| class.places), "place", "places")
    )?;
    if let Some(found) =
        waterfall(&input, nearest(figures, pages.saturating_mul(input.own.page_bytes().into())))
    {
        write_memory(&found, out)?;
    }
    writeln!(out, "  compaction would return {}", counted(sum(|class| class.freeable), "page", "pages"))
}

/// What zram, zswap and meminfo say, and where their memory goes as far as that tells.
fn said<W: Write>(tables: &[Table], figures: &[Figures], out: &mut W) -> io::Result<()> {
    let has_classes = tables.iter().any(|table| table.format() == Format::ZsmallocClasses);
    for figures in figures.iter().take(SHOWN) {
        for sentence in sentences(figures) {
            writeln!(out, "  {sentence}")?;
        }
        if !has_classes && figures.total > 0 {
            write_memory(&without_classes(figures), out)?;
        }
    }
    beside_meminfo(tables, figures).iter().try_for_each(|sentence| writeln!(out, "  {sentence}"))?;
    caches(tables, out)?;
    before_and_after(tables, out)
}

/// Leak or fragmentation: how full the caches of a slabinfo or a slabtop are.
fn caches<W: Write>(tables: &[Table], out: &mut W) -> io::Result<()> {
    let mut rows = from_tables(tables).rows;
    if rows.is_empty() {
        rows = from_slabtop(tables);
    }
    let large = readings(&rows).into_iter().take(SHOWN).map(|reading| reading.sentence);
    large
        .chain(twins(&rows).iter().map(Twins::sentence))
        .try_for_each(|sentence| writeln!(out, "  {sentence}"))
}

/// The first and the last class table of several, class by class.
fn before_and_after<W: Write>(tables: &[Table], out: &mut W) -> io::Result<()> {
    let mut classes = tables.iter().filter(|table| table.format() == Format::ZsmallocClasses);
    let (Some(before), Some(after)) = (classes.next(), classes.next_back()) else { return Ok(()) };
    let input = |table| from_classes(table, &Machine::default()).ok();
    let (Some(before), Some(after)) = (input(before), input(after)) else { return Ok(()) };
    let (found, sums) = changes(&before, &after);
    writeln!(
        out,
        "\nFrom the first class table to the last: {} pages, {} objects",
        signed(sums.pages),
        signed(sums.objects)
    )?;
    let row = |change: &ClassChange| {
        let [before, after] = change.pages;
        [
            change.size.to_string(),
            before.to_string(),
            after.to_string(),
            signed(change.pages),
            signed(change.objects),
        ]
    };
    write_aligned(
        &["class_size", "pages_before", "pages_after", "pages", "objects"],
        found.iter().map(row),
        out,
    )
}
