//! Tables for mail: aligned, at most 72 columns wide.

use slabscope_lab::document::Sheet;

/// Columns of a line of mail.
pub(crate) const WIDTH: usize = 72;

/// Longest cell that stands in a column; longer ones stand below their row.
const CELL: usize = 34;

/// A table as text. Columns that do not fit beside the others follow in a block of their own, each with the first
/// column again; a column of prose stands below each row.
pub(crate) fn aligned(sheet: &Sheet) -> String {
    let widths: Vec<usize> = (0..sheet.columns.len()).map(|column| width(sheet, column)).collect();
    let is_prose = |column: &usize| *column > 0 && widths[*column] > CELL;
    let first = widths.first().copied().unwrap_or(0).min(CELL);
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = WIDTH;
    for column in (1..widths.len()).filter(|column| !is_prose(column)) {
        let needed = widths[column] + 2;
        if used + needed > WIDTH {
            blocks.push(Vec::new());
            used = first;
        }
        used += needed;
        if let Some(block) = blocks.last_mut() {
            block.push(column);
        }
    }
    if blocks.is_empty() {
        blocks.push(Vec::new());
    }
    let prose: Vec<usize> = (1..widths.len()).filter(is_prose).collect();
    let mut out = String::new();
    for (number, block) in blocks.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        line(&mut out, &sheet.columns, block, first, &widths);
        for row in &sheet.rows {
            line(&mut out, row, block, first, &widths);
            if number == 0 {
                for text in prose.iter().filter_map(|column| row.get(*column)).filter(|text| !text.is_empty())
                {
                    wrapped(&mut out, text, "    ");
                }
            }
        }
    }
    out
}

fn width(sheet: &Sheet, column: usize) -> usize {
    let cells = std::iter::once(&sheet.columns).chain(&sheet.rows).filter_map(|row| row.get(column));
    cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
}

/// The first cell to the left, the others of a block to the right.
fn line(out: &mut String, row: &[String], block: &[usize], first: usize, widths: &[usize]) {
    let head = row.first().map_or("", String::as_str);
    let mut text = head.to_owned();
    pad(&mut text, first.saturating_sub(head.chars().count()));
    for &column in block {
        let cell = row.get(column).map_or("", String::as_str);
        pad(&mut text, 2 + widths[column].saturating_sub(cell.chars().count()));
        text.push_str(cell);
    }
    out.push_str(text.trim_end());
    out.push('\n');
}

fn pad(text: &mut String, blanks: usize) {
    text.extend(std::iter::repeat_n(' ', blanks));
}

/// Prose, indented and broken between words.
pub(crate) fn wrapped(out: &mut String, text: &str, indent: &str) {
    let mut length = WIDTH;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length + 1 + letters > WIDTH {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(indent);
            length = indent.len();
        } else {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += letters;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(columns: &[&str], rows: &[&[&str]]) -> Sheet {
        let mut sheet = Sheet::new("", columns);
        for row in rows {
            sheet.push(row.iter().map(|&cell| cell.to_owned()).collect());
        }
        sheet
    }

    #[test]
    fn a_narrow_table_is_aligned() {
        let text = aligned(&sheet(&["Side", "Pages"], &[&["a", "7"], &["long name", "1,234"]]));
        assert_eq!(text, "Side       Pages\na              7\nlong name  1,234\n");
    }

    #[test]
    fn a_wide_table_is_cut_into_blocks_and_prose_stands_below() {
        let wide = "x".repeat(30);
        let prose = "word ".repeat(30);
        let text =
            aligned(&sheet(&["K", "A", "B", "C", "Note"], &[&["k", &wide, &wide, &wide, prose.trim()]]));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!(text.matches('k').count(), 2, "the first column stands in both blocks: {text}");
        assert_eq!(text.matches("word").count(), 30, "{text}");
        assert!(text.contains("\n    word"), "{text}");
    }
}
