//! One JSON object per table, written as it goes: a table may have millions of rows.

use std::io::{self, Write};

use slabscope_formats::{Table, Value, raw_lines};

use super::{Bad, File};

/// Writes a line for each table.
pub(super) fn write<W: Write>(file: &File, out: &mut W) -> io::Result<()> {
    let lines: Vec<&str> = raw_lines(&file.text).collect();
    for (index, table) in file.paste.tables().iter().enumerate() {
        out.write_all(b"{\"file\":")?;
        string(&file.name, out)?;
        write!(out, ",\"format\":\"{}\",\"era\":", table.format().name())?;
        match table.era() {
            Some(era) => string(era, out)?,
            None => out.write_all(b"null")?,
        }
        rows(table, out)?;
        out.write_all(b",\"totals\":{")?;
        for (at, (name, value)) in table.totals().iter().enumerate() {
            separator(at, out)?;
            string(name, out)?;
            write!(out, ":{value}")?;
        }
        out.write_all(b"},\"skipped\":[")?;
        for (at, (line, why)) in file.paste.skipped(index).enumerate() {
            separator(at, out)?;
            write!(out, "{{\"line\":{line},\"text\":")?;
            string(lines.get(line as usize - 1).copied().unwrap_or_default(), out)?;
            out.write_all(b",\"why\":")?;
            string(&why, out)?;
            out.write_all(b"}")?;
        }
        out.write_all(b"],\"warnings\":[")?;
        for (at, warning) in table.warnings().iter().enumerate() {
            separator(at, out)?;
            string(&warning.to_string(), out)?;
        }
        out.write_all(b"]}\n")?;
    }
    Ok(())
}

/// Writes the line of a file in which nothing was found: the same keys without a table, and why.
pub(super) fn write_bad<W: Write>(bad: &Bad, out: &mut W) -> io::Result<()> {
    out.write_all(b"{\"file\":")?;
    string(&bad.file, out)?;
    out.write_all(br#","format":null,"era":null,"rows":[],"totals":{},"skipped":[],"warnings":[],"error":"#)?;
    string(&bad.why, out)?;
    match &bad.nearest {
        Some(nearest) => writeln!(out, ",\"nearest\":\"{}\"}}", nearest.format.name()),
        None => out.write_all(b",\"nearest\":null}\n"),
    }
}

fn rows<W: Write>(table: &Table, out: &mut W) -> io::Result<()> {
    let names: Vec<String> = table.columns().iter().map(|name| serde_json::json!(name).to_string()).collect();
    out.write_all(b",\"rows\":[")?;
    for (at, row) in table.rows().enumerate() {
        separator(at, out)?;
        out.write_all(b"{")?;
        for (at, (name, value)) in names.iter().zip(row.values()).enumerate() {
            separator(at, out)?;
            write!(out, "{name}:")?;
            match value {
                Value::Blank => out.write_all(b"null")?,
                Value::Int(number) => write!(out, "{number}")?,
                Value::Text(text) => string(text, out)?,
            }
        }
        out.write_all(b"}")?;
    }
    out.write_all(b"]")
}

fn separator<W: Write>(at: usize, out: &mut W) -> io::Result<()> {
    if at > 0 { out.write_all(b",") } else { Ok(()) }
}

fn string<W: Write>(text: &str, out: &mut W) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}
