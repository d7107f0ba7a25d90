//! A table that was found: columns under the file's own names, rows, sums, warnings.

use serde::{Deserialize, Serialize};

use super::format::Format;

/// A value of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// The field was blank or left out.
    Blank,
    /// A whole number. Numbers with a unit are in bytes.
    Int(u64),
    /// Anything else, as it was written.
    Text(&'a str),
}

/// A value is one word: small numbers are themselves, all else is a place in `others`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Cells {
    words: Vec<u64>,
    others: Vec<Other>,
    texts: String,
    /// Words that stand for the texts used last: the same ones come again and again.
    recent: [u64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Other {
    Int(u64),
    /// Start and length in `texts`.
    Text(u32, u32),
}

const OTHER: u64 = 1 << 63;
const BLANK: u64 = u64::MAX;

impl Cells {
    #[inline(never)]
    fn push(&mut self, value: Value<'_>) {
        let word = self.pack(value);
        self.words.push(word);
    }

    fn pack(&mut self, value: Value<'_>) -> u64 {
        let other = match value {
            Value::Blank => return BLANK,
            Value::Int(number) if number < OTHER => return number,
            Value::Int(number) => Other::Int(number),
            Value::Text(text) => {
                if let Some(word) = self.recent.into_iter().find(|word| self.unpack(*word) == value) {
                    return word;
                }
                let start = self.texts.len() as u32;
                self.texts.push_str(text);
                Other::Text(start, text.len() as u32)
            }
        };
        self.others.push(other);
        let word = OTHER | (self.others.len() as u64 - 1);
        if matches!(value, Value::Text(_)) {
            self.recent.rotate_right(1);
            self.recent[0] = word;
        }
        word
    }

    fn get(&self, at: usize) -> Value<'_> {
        self.unpack(self.words.get(at).copied().unwrap_or(BLANK))
    }

    fn unpack(&self, word: u64) -> Value<'_> {
        if word == BLANK {
            return Value::Blank;
        }
        if word < OTHER {
            return Value::Int(word);
        }
        match self.others.get((word - OTHER) as usize) {
            Some(&Other::Int(number)) => Value::Int(number),
            Some(&Other::Text(start, len)) => {
                let (start, len) = (start as usize, len as usize);
                self.texts.get(start..start.saturating_add(len)).map_or(Value::Blank, Value::Text)
            }
            None => Value::Blank,
        }
    }
}

/// Something that does not fit together, or that was inferred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Line of the whole text it is about, from 1.
    pub line: Option<u32>,
    /// A sentence without its full stop.
    pub text: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// Warnings of a table beyond these are counted, not kept.
const MOST_WARNINGS: usize = 60;

/// A table that was found in a text. As a message it loses its era, which its columns and rows tell again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    format: Format,
    title: Option<String>,
    columns: Vec<String>,
    cells: Cells,
    row_lines: Vec<u32>,
    totals: Vec<(String, u64)>,
    totals_printed: bool,
    elided: bool,
    #[serde(skip)]
    era: Option<&'static str>,
    evidence: Vec<String>,
    warnings: Vec<Warning>,
    warnings_left_out: u32,
}

impl Table {
    /// A table without rows. A column that is there twice gets a number.
    pub(crate) fn new<S: AsRef<str>>(format: Format, columns: impl IntoIterator<Item = S>) -> Self {
        let mut table = Self::empty(format);
        for name in columns {
            table.add_column(name.as_ref());
        }
        table
    }

    #[inline(never)]
    fn empty(format: Format) -> Self {
        Self {
            format,
            title: None,
            columns: Vec::new(),
            cells: Cells::default(),
            row_lines: Vec::new(),
            totals: Vec::new(),
            totals_printed: false,
            elided: false,
            era: None,
            evidence: Vec::new(),
            warnings: Vec::new(),
            warnings_left_out: 0,
        }
    }

    #[inline(never)]
    fn add_column(&mut self, name: &str) {
        let mut unique = name.to_owned();
        let mut number = 1;
        while self.columns.contains(&unique) {
            number += 1;
            unique = format!("{name} {number}");
        }
        self.columns.push(unique);
    }

    /// Appends a row of line `line`; missing values are blank, surplus ones are dropped.
    pub(crate) fn push<'v>(&mut self, line: u32, values: impl IntoIterator<Item = Value<'v>>) {
        for value in values.into_iter().take(self.columns.len()) {
            self.cells.push(value);
        }
        self.end_row(line);
    }

    #[inline(never)]
    fn end_row(&mut self, line: u32) {
        self.row_lines.push(line);
        self.cells.words.resize(self.row_lines.len() * self.columns.len(), BLANK);
    }

    /// Every number of a line that it has.
    pub(crate) fn lines_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        let warned = self.warnings.iter_mut().filter_map(|warning| warning.line.as_mut());
        self.row_lines.iter_mut().chain(warned)
    }

    /// Sets what stood above the table.
    pub(crate) fn set_title(&mut self, title: Option<String>) {
        self.title = title;
    }

    /// Sets the sums, and whether the text had them or they were summed up here.
    pub(crate) fn set_totals(&mut self, totals: Vec<(String, u64)>, printed: bool) {
        self.totals = totals;
        self.totals_printed = printed;
    }

    /// Says that rows or columns were left out.
    pub(crate) fn set_elided(&mut self, elided: bool) {
        self.elided = elided;
    }

    /// Says which generation printed it.
    pub(crate) fn set_era(&mut self, era: Option<&'static str>) {
        self.era = era;
    }

    /// Adds a reason for what the table was taken for: a sentence without its full stop.
    pub(crate) fn tell(&mut self, evidence: String) {
        self.evidence.push(evidence);
    }

    /// Adds a warning; beyond the first sixty they are counted.
    pub(crate) fn warn(&mut self, line: Option<u32>, text: String) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Warning { line, text });
        } else {
            self.warnings_left_out += 1;
        }
    }

    /// Says how many warnings were left out.
    pub(crate) fn finish(&mut self) {
        if self.warnings_left_out > 0 {
            let text = format!("{} more warnings of this kind are left out", self.warnings_left_out);
            self.warnings.push(Warning { line: None, text });
            self.warnings_left_out = 0;
        }
    }

    /// What kind of text it is.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The command, file or heading above it.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Names of the columns, those of the file where it has any. No two are equal.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Position of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The rows in the order of the text.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> + DoubleEndedIterator + Clone {
        (0..self.row_lines.len()).map(|index| Row { table: self, index })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.row_lines.len()
    }

    /// True without rows: only a heading or sums were there.
    pub fn is_empty(&self) -> bool {
        self.row_lines.is_empty()
    }

    /// The sums by column: as the text has them, or else of the rows where sums make sense.
    pub fn totals(&self) -> &[(String, u64)] {
        &self.totals
    }

    /// True if [`Self::totals`] stood in the text.
    pub fn totals_printed(&self) -> bool {
        self.totals_printed
    }

    /// A column summed over the rows; blank where no row has a number.
    pub fn sum(&self, column: &str) -> u64 {
        let Some(at) = self.column(column) else { return 0 };
        self.rows().filter_map(|row| row.int(at)).fold(0, u64::saturating_add)
    }

    /// True if the text says that rows or columns were left out.
    pub fn is_elided(&self) -> bool {
        self.elided
    }

    /// The generation that printed it, by its name on the command line, where that can be told.
    pub fn era(&self) -> Option<&'static str> {
        self.era
    }

    /// Why it was taken for that: sentences without their full stop.
    pub fn evidence(&self) -> &[String] {
        &self.evidence
    }

    /// What was inferred, and what does not fit together.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    table: &'a Table,
    index: usize,
}

impl<'a> Row<'a> {
    /// Line of the whole text it begins at, from 1.
    pub fn line(&self) -> u32 {
        self.table.row_lines.get(self.index).copied().unwrap_or(0)
    }

    /// The value at a position of [`Table::columns`].
    pub fn value(&self, column: usize) -> Value<'a> {
        let width = self.table.columns.len();
        if column < width { self.table.cells.get(self.index * width + column) } else { Value::Blank }
    }

    /// The values in the order of the columns.
    pub fn values(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        (0..self.table.columns.len()).map(move |column| self.value(column))
    }

    /// The number at a position of [`Table::columns`].
    pub fn int(&self, column: usize) -> Option<u64> {
        match self.value(column) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The number in a column.
    pub fn get(&self, column: &str) -> Option<u64> {
        self.int(self.table.column(column)?)
    }

    /// The text in a column.
    pub fn text(&self, column: &str) -> Option<&'a str> {
        match self.value(self.table.column(column)?) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let mut table = Table::new(Format::Slabinfo, ["name", "objs", "name"]);
        let values = [Value::Text("kmalloc-8"), Value::Int(u64::MAX), Value::Text("")];
        table.push(3, values);
        table.push(4, [Value::Int(OTHER - 1), Value::Int(OTHER)]);
        table.push(5, [Value::Text("kmalloc-8"), Value::Text("x"), Value::Text("x")]);
        assert_eq!(table.columns(), ["name", "objs", "name 2"]);
        let rows: Vec<Vec<Value<'_>>> = table.rows().map(|row| row.values().collect()).collect();
        assert_eq!(rows[0], values);
        assert_eq!(table.cells.others.len(), 5, "texts are kept once");
        assert_eq!(rows[1], [Value::Int(OTHER - 1), Value::Int(OTHER), Value::Blank]);
        assert_eq!(table.sum("objs"), u64::MAX);
    }

    #[test]
    fn many_warnings_are_counted() {
        let mut table = Table::new(Format::Trace, ["op"]);
        for line in 0..100 {
            table.warn(Some(line), "odd".to_owned());
        }
        table.finish();
        assert_eq!(table.warnings().len(), MOST_WARNINGS + 1);
        assert!(table.warnings()[MOST_WARNINGS].text.starts_with("40 more"));
    }
}
