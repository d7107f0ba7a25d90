//! Tables in their formats.

use slabscope_core::tell::grouped;
use slabscope_core::told::plain;
use slabscope_lab::document::{READ_FROM, Sheet};

use crate::mail;
use crate::origin::Origin;

/// A table in a format; `None` if there is no such format.
pub(crate) fn written(sheet: &Sheet, format: &str, origin: &Origin) -> Option<String> {
    match format {
        "csv" => Some(format!("# {}\n{}", origin.line(), sheet.csv())),
        "json" => Some(json(sheet, origin)),
        "txt" => {
            let mut text = String::new();
            mail::wrapped(&mut text, &sheet.caption, "");
            let (table, program) = (mail::aligned(sheet), origin.program());
            let mut source = String::new();
            if !origin.file.is_empty() {
                mail::wrapped(&mut source, &format!("{READ_FROM}{}", origin.file), "");
            }
            Some(format!("{text}\n{table}\n{source}{}\n{program}\n", origin.link))
        }
        _ => None,
    }
}

/// A row: what it is called by, and numbers. One for all tables, since each length of its own weighs some bytes.
#[inline(never)]
pub(crate) fn row(name: String, numbers: &[u64]) -> Vec<String> {
    let mut cells = vec![name];
    cells.extend(numbers.iter().map(|&number| grouped(number)));
    cells
}

/// A table as the page sends it: a line with its caption, one with its columns, then its rows; cells end in tabs.
pub(crate) fn read(text: &str) -> Sheet {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    let mut lines = text.lines();
    let caption = lines.next().unwrap_or_default().to_owned();
    let columns = lines.next().map(cells).unwrap_or_default();
    Sheet { caption, columns, rows: lines.map(cells).collect() }
}

/// Rows as objects; what is a number in the table is one.
fn json(sheet: &Sheet, origin: &Origin) -> String {
    let mut out = format!(
        "{{\n  \"caption\": {},\n  \"link\": {},\n  \"exporter\": {},\n",
        quoted(&sheet.caption),
        quoted(&origin.link),
        quoted(&origin.program())
    );
    if !origin.file.is_empty() {
        out.push_str(&format!("  \"file\": {},\n", quoted(&origin.file)));
    }
    out.push_str("  \"rows\": [");
    for (index, row) in sheet.rows.iter().enumerate() {
        out.push_str(if index == 0 { "\n    {" } else { ",\n    {" });
        for (place, (name, cell)) in sheet.columns.iter().zip(row).enumerate() {
            if place > 0 {
                out.push_str(", ");
            }
            out.push_str(&quoted(name));
            out.push_str(": ");
            out.push_str(&plain(cell).unwrap_or_else(|| quoted(cell)));
        }
        out.push('}');
    }
    out.push_str("\n  ]\n}\n");
    out
}

pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                out.push_str("\\u00");
                for digit in [(c as u32) >> 4, (c as u32) & 15] {
                    out.push(char::from_digit(digit, 16).unwrap_or('0'));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_the_page_is_written_in_every_format() {
        let sheet = read("Pages\nSide\tPages\na \"x\"\t1,234\n");
        let origin = Origin::new("https://h/#v=1", "1.0+ff\nlight\n");
        let json = written(&sheet, "json", &origin).unwrap_or_default();
        assert!(json.contains("{\"Side\": \"a \\\"x\\\"\", \"Pages\": 1234}"), "{json}");
        assert!(json.contains("\"exporter\": \"Slabscope 1.0+ff\""), "{json}");
        let csv = written(&sheet, "csv", &origin).unwrap_or_default();
        assert_eq!(csv, "# Slabscope 1.0+ff: https://h/#v=1\nSide,Pages\n\"a \"\"x\"\"\",1234\n");
        let mail = written(&sheet, "txt", &origin).unwrap_or_default();
        assert!(
            mail.starts_with("Pages\n\nSide   Pages\n")
                && mail.ends_with("https://h/#v=1\nSlabscope 1.0+ff\n"),
            "{mail}"
        );
        assert_eq!(written(&sheet, "doc", &origin), None);
    }
}
