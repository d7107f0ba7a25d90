//! Reading it line by line: each line is used, or skipped with a reason.

use std::fmt;

use super::clean::clean;

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// No groups (3.18 to 4.1).
    Bare,
    /// `almost_full` and `almost_empty` (4.2 to 4.5).
    Quarters,
    /// The same with `freeable` (4.6 to 6.3).
    QuartersFreeable,
    /// `10%` to `100%` (from 6.4).
    Tenths,
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// Nothing on it.
    Blank,
    /// The heading.
    Heading,
    /// A class.
    Class,
    /// The sums.
    Total,
    /// Left out, and why.
    Skipped(String),
}

/// A class as the file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Line, from 1.
    pub line: usize,
    /// A number for each of [`Table::columns`]; `None` where the field was blank.
    pub values: Vec<Option<u64>>,
}

/// A table that was found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Names of the columns as the file has them.
    pub columns: Vec<String>,
    /// Their set.
    pub set: Columns,
    /// True if the heading was missing and the columns were known by their number.
    pub heading_lost: bool,
    /// Classes in the order of the file.
    pub rows: Vec<Row>,
    /// The sums as printed: a number for each column that has one.
    pub total: Vec<(String, u64)>,
    /// What became of each line of the whole text.
    pub lines: Vec<LineUse>,
    /// What does not fit together.
    pub warnings: Vec<String>,
}

/// Why a text is no classes file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotClasses {
    /// Nothing like a heading or a row.
    NoHeading,
    /// A heading without rows.
    NoRows {
        /// Line of the heading, from 1.
        line: usize,
    },
}

impl fmt::Display for NotClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeading => {
                f.write_str("no line has the columns class, size, obj_allocated, obj_used and pages_used")
            }
            Self::NoRows { line } => {
                write!(f, "line {line} is the heading of a classes file, but no class follows")
            }
        }
    }
}

impl std::error::Error for NotClasses {}

impl Row {
    /// The number in a column.
    pub fn get(&self, table: &Table, column: &str) -> Option<u64> {
        let index = table.columns.iter().position(|name| name == column)?;
        self.values.get(index).copied().flatten()
    }
}

impl Table {
    /// A column summed over the classes.
    pub fn sum(&self, column: &str) -> u64 {
        self.rows.iter().filter_map(|row| row.get(self, column)).fold(0, u64::saturating_add)
    }

    /// Lines that were left out, each with its number and the reason.
    pub fn skipped(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines.iter().enumerate().filter_map(|(index, line)| match line {
            LineUse::Skipped(why) => Some((index + 1, why.as_str())),
            _ => None,
        })
    }
}

const NEEDED: [&str; 4] = ["class", "size", "obj_allocated", "obj_used"];

/// Columns by their number, where the heading is lost.
const BARE: &[&str] = &["class", "size", "obj_allocated", "obj_used", "pages_used"];
const QUARTERS: &[&str] = &[
    "class",
    "size",
    "almost_full",
    "almost_empty",
    "obj_allocated",
    "obj_used",
    "pages_used",
    "pages_per_zspage",
];
const FREEABLE: &[&str] = &[
    "class",
    "size",
    "almost_full",
    "almost_empty",
    "obj_allocated",
    "obj_used",
    "pages_used",
    "pages_per_zspage",
    "freeable",
];
const TENTHS: &[&str] = &[
    "class",
    "size",
    "10%",
    "20%",
    "30%",
    "40%",
    "50%",
    "60%",
    "70%",
    "80%",
    "90%",
    "99%",
    "100%",
    "obj_allocated",
    "obj_used",
    "pages_used",
    "pages_per_zspage",
    "freeable",
];

/// Reads the first classes table of a text.
///
/// # Errors
/// There is none.
pub fn read_classes(text: &str) -> Result<Table, NotClasses> {
    let cleaned: Vec<_> = text.lines().map(clean).collect();
    let heading = cleaned.iter().position(|line| is_heading(line));
    let (columns, first, heading_lost) = match heading {
        Some(at) => {
            (cleaned[at].split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>(), at + 1, false)
        }
        None => (columns_by_number(&cleaned).ok_or(NotClasses::NoHeading)?, 0, true),
    };
    let mut table = Table {
        set: set_of(&columns),
        columns,
        heading_lost,
        rows: Vec::new(),
        total: Vec::new(),
        lines: Vec::with_capacity(cleaned.len()),
        warnings: Vec::new(),
    };
    for (index, line) in cleaned.iter().enumerate() {
        let line_use = if Some(index) == heading {
            LineUse::Heading
        } else if index < first {
            before(line)
        } else {
            read_line(&mut table, index + 1, line)
        };
        table.lines.push(line_use);
    }
    if table.rows.is_empty() {
        return Err(heading.map_or(NotClasses::NoHeading, |at| NotClasses::NoRows { line: at + 1 }));
    }
    check(&mut table);
    Ok(table)
}

fn is_heading(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    NEEDED.iter().all(|needed| words.contains(needed))
}

fn before(line: &str) -> LineUse {
    if line.trim().is_empty() { LineUse::Blank } else { LineUse::Skipped("before the table".to_owned()) }
}

fn columns_by_number(lines: &[std::borrow::Cow<'_, str>]) -> Option<Vec<String>> {
    let numbers =
        |line: &str| line.split_ascii_whitespace().map(str::parse::<u64>).collect::<Result<Vec<_>, _>>().ok();
    let rows: Vec<Vec<u64>> =
        lines.iter().filter_map(|line| numbers(line)).filter(|row| row.len() >= 5).collect();
    let width = rows.first()?.len();
    let known = [BARE, QUARTERS, FREEABLE, TENTHS].into_iter().find(|columns| columns.len() == width)?;
    // Class sizes rise with the class index, and three of them are no accident.
    let rises =
        rows.len() >= 3 && rows.windows(2).all(|pair| pair[0].len() == width && pair[0][1] < pair[1][1]);
    rises.then(|| known.iter().map(|&name| name.to_owned()).collect())
}

fn set_of(columns: &[String]) -> Columns {
    let has = |name: &str| columns.iter().any(|column| column == name);
    if has("99%") || has("10%") {
        Columns::Tenths
    } else if !has("almost_full") {
        Columns::Bare
    } else if has("freeable") || has("compact") {
        Columns::QuartersFreeable
    } else {
        Columns::Quarters
    }
}

fn read_line(table: &mut Table, line: usize, text: &str) -> LineUse {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Some(&first) = words.first() else { return LineUse::Blank };
    if first.eq_ignore_ascii_case("total") || first.eq_ignore_ascii_case("total:") {
        return read_total(table, &words[1..]);
    }
    if is_heading(text) {
        return LineUse::Skipped("a further table".to_owned());
    }
    if words.iter().all(|word| word.bytes().all(|byte| matches!(byte, b'.' | b'[' | b']'))) {
        return LineUse::Skipped("rows were left out here".to_owned());
    }
    if first.parse::<u64>().is_err() {
        return LineUse::Skipped("not a class".to_owned());
    }
    match values(table, &words) {
        Ok(values) => {
            table.rows.push(Row { line, values });
            LineUse::Class
        }
        Err(why) => LineUse::Skipped(why),
    }
}

/// The numbers of a row. Vendors' `huge` column is `Y` or blank, so that a row may be one word short.
fn values(table: &Table, words: &[&str]) -> Result<Vec<Option<u64>>, String> {
    let expected = table.columns.len();
    let mark = table.columns.iter().position(|name| name == "huge");
    let mut words: Vec<Option<&str>> = words.iter().copied().map(Some).collect();
    if let Some(mark) = mark
        && words.len() + 1 == expected
    {
        words.insert(mark, None);
    }
    if words.len() != expected {
        return Err(format!("{} fields where the heading has {expected}", words.len()));
    }
    let value = |(index, word): (usize, Option<&str>)| match word {
        None => Ok(None),
        Some("Y" | "y" | "N" | "n") if Some(index) == mark => Ok(None),
        Some(word) => word.parse::<u64>().map(Some).map_err(|_| {
            format!("\u{201c}{}\u{201d} in column {} is no number", clip(word), table.columns[index])
        }),
    };
    words.into_iter().enumerate().map(value).collect()
}

fn clip(word: &str) -> String {
    word.chars().take(24).collect()
}

/// The sums stand under their columns; class, size, pages per zspage and vendors' marks have none.
fn read_total(table: &mut Table, words: &[&str]) -> LineUse {
    let summed: Vec<&String> = table
        .columns
        .iter()
        .filter(|name| !matches!(name.as_str(), "class" | "size" | "pages_per_zspage" | "huge"))
        .collect();
    let numbers: Result<Vec<u64>, _> = words.iter().map(|word| word.parse()).collect();
    match numbers {
        Ok(numbers) if numbers.len() == summed.len() => {
            table.total = summed.into_iter().cloned().zip(numbers).collect();
            LineUse::Total
        }
        _ => LineUse::Skipped("sums that do not stand under the columns".to_owned()),
    }
}

/// What the kernel's own arithmetic would never print.
fn check(table: &mut Table) {
    let mut warnings = Vec::new();
    let mut elided = false;
    for line in &table.lines {
        elided |= matches!(line, LineUse::Skipped(why) if why.starts_with("rows were"));
    }
    for row in &table.rows {
        let get = |column| row.get(table, column);
        let class = get("class").unwrap_or(0);
        if let (Some(allocated), Some(used)) = (get("obj_allocated"), get("obj_used"))
            && used > allocated
        {
            warnings
                .push(format!("line {}: class {class} has {used} objects in {allocated} places", row.line));
        }
        if let (Some(pages), Some(per)) = (get("pages_used"), get("pages_per_zspage"))
            && (per == 0 || pages % per.max(1) != 0)
        {
            warnings
                .push(format!("line {}: {pages} pages are no whole number of zspages of {per}", row.line));
        }
    }
    if !elided {
        for (column, printed) in &table.total {
            let sum = table.sum(column);
            if sum != *printed {
                warnings.push(format!("Total says {printed} for {column}, the rows add up to {sum}"));
            }
        }
    }
    if table.heading_lost {
        warnings.push("the heading is missing; the columns are known by their number".to_owned());
    }
    table.warnings = warnings;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const TENTHS_FILE: &str = " class  size  10% 20% 30% 40% 50% 60% 70% 80% 90% 99% 100% obj_allocated obj_used pages_used pages_per_zspage freeable\n  0 32 0 0 0 0 0 0 0 0 0 1 2 384 383 3 1 0\n...\n 254 4096 0 0 0 0 0 0 0 0 0 0 9 9 9 9 1 0\n\n Total 0 0 0 0 0 0 0 0 0 1 11 393 392 12 0\n";

    #[test]
    fn every_line_has_a_use() {
        let table = read_classes(TENTHS_FILE).unwrap();
        assert_eq!((table.set, table.rows.len(), table.sum("pages_used")), (Columns::Tenths, 2, 12));
        assert_eq!(table.lines.len(), 6);
        assert_eq!(table.total.len(), 15);
        assert_eq!(table.skipped().collect::<Vec<_>>(), [(3, "rows were left out here")]);
        assert!(table.warnings.is_empty(), "{:?}", table.warnings);
    }

    #[test]
    fn quotes_prompts_and_broken_rows() {
        let text = "> # cat classes\r\n>  class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\r\n> 12 224 0 2 146 5 8 4 4\r\n> 13 240 0 0 0 0\r\n> 14 25x 0 0 0 0 0 1 0\r\nBye\r\n";
        let table = read_classes(text).unwrap();
        assert_eq!(table.rows.len(), 1);
        let skipped: Vec<_> = table.skipped().map(|(line, why)| format!("{line}: {why}")).collect();
        assert_eq!(
            skipped,
            [
                "1: before the table",
                "4: 6 fields where the heading has 9",
                "5: \u{201c}25x\u{201d} in column size is no number",
                "6: not a class",
            ]
        );
    }

    #[test]
    fn a_blank_mark_column_and_a_lost_heading() {
        let marked = "class size huge almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage\n0 32 0 0 128 1 1 1\n254 4096 Y 0 0 5 5 5 1\n";
        let table = read_classes(marked).unwrap();
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[0].get(&table, "obj_allocated"), Some(128));
        let bare = "0 32 0 0 128 1 1 1\n1 48 0 0 0 0 0 3\n2 64 0 0 0 0 0 1\n";
        let table = read_classes(bare).unwrap();
        assert_eq!((table.set, table.heading_lost, table.warnings.len()), (Columns::Quarters, true, 1));
    }

    #[test]
    fn contradictions_are_told() {
        let text = "class size obj_allocated obj_used pages_used\n0 32 128 129 1\nTotal 128 129 2\n";
        let warnings = read_classes(text).unwrap().warnings;
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("129 objects in 128 places"));
    }

    #[test]
    fn other_texts_are_not_mine() {
        assert_eq!(read_classes(""), Err(NotClasses::NoHeading));
        assert_eq!(read_classes("class size obj_allocated obj_used\n"), Err(NotClasses::NoRows { line: 1 }));
        assert_eq!(read_classes("1 2 3\n\0\u{1b}[\n"), Err(NotClasses::NoHeading));
    }
}
