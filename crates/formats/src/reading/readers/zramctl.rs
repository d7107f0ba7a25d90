//! The table of the tool `zramctl`.

use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount};
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Every column that it can print.
const COLUMNS: [&str; 13] = [
    "NAME",
    "ALGORITHM",
    "DISKSIZE",
    "DATA",
    "COMPR",
    "TOTAL",
    "STREAMS",
    "MOUNTPOINT",
    "ZERO-PAGES",
    "MEM-LIMIT",
    "MEM-USED",
    "MIGRATED",
    "COMP-RATIO",
];

/// The columns it prints if not told otherwise.
const DEFAULT: usize = 8;

/// A line as words with the place of each.
fn words_at(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut rest = 0;
    for word in text.split_ascii_whitespace() {
        let start = text[rest..].find(word).map_or(rest, |at| rest + at);
        found.push((start, word));
        rest = start + word.len();
    }
    found
}

fn is_device(word: &str) -> bool {
    word.trim_start_matches("/dev/").trim_start_matches("block/").starts_with("zram")
}

/// Finds a table for each heading, and rows without one.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut near = None;
    let mut at = 0;
    while let Some(line) = sheet.line(at) {
        let Some(data) = sheet.data(at) else {
            at += 1;
            continue;
        };
        let words = words_at(data.text);
        let is_heading = words.len() >= 3 && words.iter().all(|(_, word)| COLUMNS.contains(word));
        let sizes =
            words.iter().skip(2).take(4).filter(|(_, word)| amount(word, Kilo::Binary).is_some()).count();
        let is_row = words.first().is_some_and(|(_, word)| is_device(word)) && sizes == 4;
        if is_heading || is_row {
            let first = if is_heading { at + 1 } else { at };
            let columns =
                if is_heading { words } else { COLUMNS[..DEFAULT].iter().map(|name| (0, *name)).collect() };
            let end = table(sheet, first, is_heading.then_some(at), &columns);
            if end > first {
                found = true;
                at = end;
                continue;
            }
            near = near.or(Some(line.number));
        }
        at += 1;
    }
    if found {
        return Verdict::Mine;
    }
    match near {
        Some(_) => Verdict::near(3, near, "the heading of zramctl, but no device follows".to_owned()),
        None => Verdict::far("no line has the columns NAME, ALGORITHM, DISKSIZE, DATA, COMPR and TOTAL"),
    }
}

/// Adds the rows from a position on; the position behind them.
fn table(sheet: &mut Sheet<'_>, first: usize, heading: Option<usize>, columns: &[(usize, &str)]) -> usize {
    let mut table = Table::new(Format::Zramctl, columns.iter().map(|column| column.1));
    table.set_title(sheet.title(heading.unwrap_or(first)));
    let mut end = first;
    let mut rounded = false;
    while let Some(line) = sheet.data(end) {
        let words = words_at(line.text);
        if !words.first().is_some_and(|(_, word)| is_device(word)) {
            break;
        }
        let mut values = vec![Value::Blank; columns.len()];
        for (index, (start, word)) in words.iter().enumerate() {
            let place = if words.len() == columns.len() || heading.is_none() {
                index
            } else {
                place(columns, *start, word)
            };
            let is_text = columns
                .get(place)
                .is_some_and(|column| matches!(column.1, "NAME" | "ALGORITHM" | "MOUNTPOINT"));
            let number = if is_text { None } else { amount(word, Kilo::Binary) };
            rounded |= number.is_some_and(|number| number.rounded);
            if let Some(value) = values.get_mut(place).filter(|value| **value == Value::Blank) {
                *value = number.map_or(Value::Text(word), |number| Value::Int(number.value));
            }
        }
        table.push(line.number, values);
        end += 1;
    }
    if end == first {
        return end;
    }
    if heading.is_none() {
        table.warn(
            None,
            "the line of column names is missing; the columns are taken in zramctl's usual order".to_owned(),
        );
    }
    if rounded {
        table.tell(
            "sizes are in bytes here, from units of 1024 rounded to a tenth: --bytes prints them whole"
                .to_owned(),
        );
    }
    let id = sheet.add(table, first);
    if let Some(at) = heading {
        sheet.heading(at, id);
    }
    for at in first..end {
        sheet.row(at, id);
    }
    end
}

/// The column under which a word stands. Names stand left, numbers right.
fn place(columns: &[(usize, &str)], start: usize, word: &str) -> usize {
    let end = start + word.len();
    let distance = |column: &(usize, &str)| {
        let (left, right) = (column.0, column.0 + column.1.len());
        left.abs_diff(start).min(right.abs_diff(end))
    };
    let nearest = columns.iter().enumerate().min_by_key(|(_, column)| distance(column));
    nearest.map_or(0, |(index, _)| index)
}
