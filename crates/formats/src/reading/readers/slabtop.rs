//! The table of the tool `slabtop`, with its summary.

use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount, int};
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

const COLUMNS: [&str; 8] = ["OBJS", "ACTIVE", "USE", "OBJ SIZE", "SLABS", "OBJ/SLAB", "CACHE SIZE", "NAME"];

/// Words of the heading, in which two names have a blank.
const HEADING: &str = "OBJS ACTIVE USE OBJ SIZE SLABS OBJ/SLAB CACHE SIZE NAME";

/// The numbers of a row, sizes in bytes, and where the name begins.
fn row(text: &str) -> Option<([u64; 7], &str)> {
    let mut rest = text;
    let mut numbers = [0; 7];
    for (index, number) in numbers.iter_mut().enumerate() {
        let (word, after) = rest.split_at(rest.find(' ')?);
        rest = after.trim_start();
        *number = match index {
            2 => int(word.strip_suffix('%')?)?,
            // A unit tells these columns from plain numbers.
            3 | 6 => amount(word, Kilo::Binary).filter(|amount| amount.rounded)?.value,
            _ => int(word)?,
        };
    }
    (!rest.is_empty()).then_some((numbers, rest))
}

/// `Active / Total Objects (% used) : 1 / 2 (50.0%)` as name, active and total.
fn summary(text: &str) -> Option<(&str, u64, u64)> {
    let (names, values) = text.split_once(':')?;
    let rest = names.trim().strip_prefix("Active / Total ")?;
    let (active, total) = values.split_once('/')?;
    let value =
        |text: &str| amount(text.split_ascii_whitespace().next()?, Kilo::Binary).map(|amount| amount.value);
    Some((rest.split(' ').next()?, value(active)?, value(total)?))
}

/// What stands above the rows of one screen.
#[derive(Default)]
struct Screen {
    summary: Vec<usize>,
    heading: Option<usize>,
    totals: Vec<(String, u64)>,
    rows: Vec<(usize, u32, [u64; 7], String)>,
}

/// Finds a table for each screen.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut screen = Screen::default();
    let mut near = None;
    for at in 0..sheet.len() {
        let Some(line) = sheet.data(at) else { continue };
        if let Some((name, active, total)) = summary(line.text) {
            if !screen.rows.is_empty() {
                found |= screen.add(sheet);
            }
            screen.totals.push((format!("Active {name}"), active));
            screen.totals.push((format!("Total {name}"), total));
            screen.summary.push(at);
        } else if line.text.starts_with("Minimum / Average / Maximum Object") {
            screen.summary.push(at);
        } else if line.words().eq(HEADING.split(' ')) {
            if !screen.rows.is_empty() {
                found |= screen.add(sheet);
            }
            screen.heading = Some(at);
        } else if let Some((numbers, name)) = row(line.text) {
            screen.rows.push((at, line.number, numbers, name.to_owned()));
        } else if line.text.contains("OBJ/SLAB") {
            near = near.or(Some(line.number));
        }
    }
    near = near.or_else(|| screen.heading.and_then(|at| sheet.line(at)).map(|line| line.number));
    found |= screen.add(sheet);
    if found {
        return Verdict::Mine;
    }
    match near {
        Some(_) => Verdict::near(
            3,
            near,
            "the heading of slabtop, but no row of its eight columns follows".to_owned(),
        ),
        None => Verdict::far("no line has the eight columns of slabtop"),
    }
}

impl Screen {
    fn add(&mut self, sheet: &mut Sheet<'_>) -> bool {
        let Self { summary, heading, totals, rows } = std::mem::take(self);
        let Some(first_row) = rows.first() else { return false };
        let first = summary.first().copied().or(heading).unwrap_or(first_row.0).min(first_row.0);
        let mut table = Table::new(Format::Slabtop, COLUMNS);
        table.set_title(sheet.title(first));
        for (_, line, numbers, name) in &rows {
            table.push(*line, numbers.iter().map(|number| Value::Int(*number)).chain([Value::Text(name)]));
        }
        if heading.is_none() {
            table.warn(
                None,
                "the line of column names is missing; the columns are known by their units".to_owned(),
            );
        }
        table.tell("OBJ SIZE and CACHE SIZE are in bytes here, from K rounded to two places".to_owned());
        let printed = !totals.is_empty();
        let sums = ["OBJS", "ACTIVE", "SLABS", "CACHE SIZE"].map(|name| (name.to_owned(), table.sum(name)));
        table.set_totals(if printed { totals } else { sums.to_vec() }, printed);
        let id = sheet.add(table, first);
        if let Some(at) = heading {
            sheet.heading(at, id);
        }
        for at in summary {
            sheet.total(at, id);
        }
        for (at, ..) in rows {
            sheet.row(at, id);
        }
        true
    }
}
