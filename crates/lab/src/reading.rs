//! A text that a person pasted: what it is, what became of each line, and what can be made of it.

use slabscope_core::digest::Fnv1a64;
use slabscope_core::tell::{self, capital, counted, grouped};
use slabscope_formats::{Format, LineUse, Paste, Table, Value, decode, raw_lines, read_plainly};
use slabscope_worker::protocol::encode;

use crate::desk::{Job, Step};
use crate::document::{Block, Document, Fate, LineNote, READ_FROM, Sheet};
use crate::play::trace;
use crate::task::Read;

/// Bytes to read, and whom to tell how much of them is.
pub(crate) struct Reading {
    bytes: Vec<u8>,
    tell: Box<dyn FnMut(u16)>,
}

impl Reading {
    /// Of these bytes.
    pub(crate) fn new(bytes: Vec<u8>, tell: Box<dyn FnMut(u16)>) -> Self {
        Self { bytes, tell }
    }
}

/// Tables that are shown; of more, only their number is told.
const MOST_TABLES: usize = 30;
/// Rows of a table that are shown.
const MOST_ROWS: usize = 2000;
/// Rows that are answered for, in all.
const MOST_ANSWERED: usize = 20_000;

impl Job for Reading {
    fn step(&mut self) -> Step {
        let bytes = std::mem::take(&mut self.bytes);
        let text = match decode(&bytes) {
            Ok(text) => text,
            Err(why) => return Step::Failed(format!("This is {why}.")),
        };
        let paste = read_plainly(&text, &mut self.tell);
        if let Some(nearest) = paste.nearest() {
            return Step::Failed(format!("Nothing was recognised; {nearest}."));
        }
        let tables = paste.tables();
        let (mut document, mut is_offered) = (Vec::new(), false);
        for (at, table) in tables.iter().enumerate().take(MOST_TABLES) {
            document.extend(as_table(&paste, at, table));
            if table.format() == Format::Trace && !std::mem::replace(&mut is_offered, true) {
                document.extend(trace(&text));
            }
        }
        if let Some(more) = tables.len().checked_sub(MOST_TABLES).filter(|more| *more > 0) {
            document.push(Block::Warning(format!(
                "{} more are in the text; slabscope inspect prints all of them.",
                counted(more as u64, "table", "tables")
            )));
        }
        let (answered, left) = to_answer(tables);
        if left > 0 {
            document.push(Block::Warning(format!(
                "{} not answered for: together they have more than {} rows.",
                counted(left, "table is", "tables are"),
                grouped(MOST_ANSWERED as u64)
            )));
        }
        // So that whoever gets a copy of this can tell which file it is of.
        let mut digest = Fnv1a64::new();
        digest.update(&bytes);
        let length = tell::bytes(bytes.len() as u64);
        document.push(Block::Text(format!("{READ_FROM}{length}, FNV-1a digest {:016x}.", digest.value())));
        document.push(Block::Lines(lines(&text, &paste)));
        Step::Read(Read { document, tables: answered })
    }
}

/// Tables that more can be said of, as a message, and how many are left out of it; empty without any.
fn to_answer(tables: &[Table]) -> (Vec<u8>, u64) {
    let (mut rows, mut left) = (0, 0);
    let mut few: Vec<&Table> = Vec::new();
    for table in tables.iter().filter(|table| table.format() != Format::Trace) {
        rows += table.len() + 1;
        if rows <= MOST_ANSWERED {
            few.push(table);
        } else {
            left += 1;
        }
    }
    (if few.is_empty() { Vec::new() } else { encode(&few) }, left)
}

/// A table as it was read: what it was taken for and why, what is odd about it, and its rows.
fn as_table(paste: &Paste, at: usize, table: &Table) -> Document {
    let skipped = paste.skipped(at).count() as u64;
    let name = table.format().name();
    let mut document = vec![
        Block::Title(named(table)),
        Block::Text(format!(
            "{}, {} skipped.",
            counted(table.len() as u64, "row", "rows"),
            counted(skipped, "line", "lines")
        )),
    ];
    document.extend(table.evidence().iter().map(|sentence| Block::Text(format!("{}.", capital(sentence)))));
    document.extend(table.warnings().iter().map(|warning| Block::Warning(warning.to_string())));
    let more = table.len().saturating_sub(MOST_ROWS);
    let caption = if more > 0 {
        format!("First {} of {} rows of {name}", grouped(MOST_ROWS as u64), grouped(table.len() as u64))
    } else {
        format!("Rows of {name}")
    };
    document.push(Block::Sheet(Sheet {
        caption,
        columns: table.columns().to_vec(),
        rows: table.rows().take(MOST_ROWS).map(|row| row.values().map(cell).collect()).collect(),
    }));
    document
}

/// A table by its format and what stood above it.
pub(crate) fn named(table: &Table) -> String {
    let title = table.title().map_or_else(String::new, |title| format!(", {title}"));
    format!("{}{title}", table.format().name())
}

fn cell(value: Value<'_>) -> String {
    match value {
        Value::Int(number) => grouped(number),
        Value::Text(text) => text.to_owned(),
        Value::Blank => String::new(),
    }
}

/// Lines that are shown at most; those that were left out come first where there are more.
const MOST_LINES: usize = 600;

fn lines(text: &str, paste: &Paste) -> Vec<LineNote> {
    let all = raw_lines(text).zip(1..).map(|(line, number)| {
        let line_use = paste.line_use(number).unwrap_or(LineUse::Blank);
        (line, number, line_use)
    });
    let note = |(line, number, line_use): (&str, u32, LineUse)| LineNote {
        number,
        text: line.chars().take(400).collect(),
        fate: match line_use {
            LineUse::Skipped(_) => Fate::Skipped,
            LineUse::Doubtful(..) => Fate::Doubtful,
            LineUse::Heading(_) => Fate::Heading,
            LineUse::Row(_) | LineUse::Total(_) => Fate::Used,
            LineUse::Blank | LineUse::Label => Fate::Aside,
        },
        why: line_use.why(paste.tables()),
    };
    if paste.line_count() as usize <= MOST_LINES {
        return all.map(note).collect();
    }
    let is_told =
        |line_use| matches!(line_use, LineUse::Skipped(_) | LineUse::Doubtful(..) | LineUse::Heading(_));
    all.filter(|line| is_told(line.2)).take(MOST_LINES).map(note).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    const CLASSES: &str =
        " class  size almost_full almost_empty obj_allocated   obj_used pages_used pages_per_zspage freeable
   100  1632           0            3            15          8          6                2        2
some words
   254  4096           0            0             7          7          7                1        0
";

    fn step(text: &str) -> Step {
        Reading::new(text.as_bytes().to_vec(), Box::new(|_| {})).step()
    }

    fn reading(text: &str) -> Read {
        let Step::Read(read) = step(text) else { panic!("read") };
        read
    }

    #[test]
    fn every_line_of_a_short_text_is_told_and_answered_for() {
        let read = reading(CLASSES);
        let Some(Block::Lines(lines)) = read.document.last() else { panic!("lines come last") };
        let fates: Vec<Fate> = lines.iter().map(|line| line.fate).collect();
        assert_eq!(fates, [Fate::Heading, Fate::Used, Fate::Skipped, Fate::Used]);
        assert_eq!(lines.iter().filter(|line| line.why.is_some()).count(), 1);
        assert!(!read.tables.is_empty());
    }

    #[test]
    fn large_tables_are_cut_for_the_page() {
        let text: String = (0..30_000u32).map(|index| format!("a {index} 100\n")).collect();
        let read = reading(&text);
        let sheets = read.document.iter().filter_map(|block| match block {
            Block::Sheet(sheet) => Some((sheet.rows.len(), sheet.caption.as_str())),
            _ => None,
        });
        assert_eq!(sheets.collect::<Vec<_>>(), [(MOST_ROWS, "First 2,000 of 30,000 rows of trace")]);
        assert!(read.tables.is_empty(), "a trace is played, not answered for");
    }

    #[test]
    fn progress_rises() {
        let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let sink = told.clone();
        Reading::new(CLASSES.as_bytes().to_vec(), Box::new(move |done| sink.borrow_mut().push(done))).step();
        let told = told.borrow();
        assert!(told.len() > 10 && told.is_sorted() && told.iter().all(|done| *done < 1000), "{told:?}");
    }

    #[test]
    fn what_is_no_table_says_what_is_missing() {
        let Step::Failed(why) = step("no table here") else { panic!("no table") };
        assert!(why.starts_with("Nothing was recognised;"), "{why}");
        let Step::Failed(why) = Reading::new(b"\x1f\x8b\x08".to_vec(), Box::new(|_| {})).step() else {
            panic!("an archive")
        };
        assert_eq!(why, "This is gzip, not text: unpack it first.");
    }
}
