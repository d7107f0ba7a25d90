//! A text that a person pasted: what it is, where its memory goes, and what became of each line.

use slabscope_answers::histogram::read_histogram;
use slabscope_answers::input::{Machine, from_classes, from_sizes};
use slabscope_answers::slub::read_rows;
use slabscope_core::tell::{bytes, counted, grouped, hundredths, tenths};
use slabscope_formats::classes::{Occupancy, guess, occupancy};
use slabscope_formats::{Format, LineUse, Paste, Table, Value, raw_lines, read};

use crate::desk::{Job, Step};
use crate::document::{Block, Document, LineNote, Sheet};
use crate::slabinfo;
use crate::whatif::{answers, sentence_case, where_it_is};

/// A text to read.
pub(crate) struct Reading {
    text: String,
}

impl Reading {
    /// Of this text.
    pub(crate) const fn new(text: String) -> Self {
        Self { text }
    }
}

impl Job for Reading {
    fn step(&mut self) -> Step {
        let paste = read(&self.text);
        if let Some(nearest) = paste.nearest() {
            return Step::Failed(format!("Nothing was recognised; {nearest}."));
        }
        let mut document = Vec::new();
        for (at, table) in paste.tables().iter().enumerate() {
            document.extend(match table.format() {
                Format::ZsmallocClasses => pool(table),
                Format::Slabinfo => {
                    read_rows(&self.text).map(|rows| slabinfo::document(&rows)).unwrap_or_default()
                }
                Format::SizeHistogram => sizes(&self.text),
                _ => Vec::new(),
            });
            document.extend(as_table(&paste, at, table));
        }
        document.push(Block::Lines(lines(&self.text, &paste)));
        Step::Done(document)
    }
}

/// What another setting would do with a list of sizes.
fn sizes(text: &str) -> Document {
    let machine = Machine::default();
    let Some(input) = read_histogram(text).ok().and_then(|sizes| from_sizes(&sizes, &machine).ok()) else {
        return Vec::new();
    };
    let mut document = vec![Block::Text(format!("{}.", sentence_case(&input.taken_for)))];
    document.extend(input.warnings.iter().cloned().map(Block::Warning));
    document.extend(answers(&input));
    document
}

/// A table as it was read: what it was taken for and why, what is odd about it, and its rows.
fn as_table(paste: &Paste, at: usize, table: &Table) -> Document {
    let skipped = paste.skipped(at).count() as u64;
    let name = table.format().name();
    let mut document = vec![
        Block::Title(format!(
            "{name}{}",
            table.title().map_or_else(String::new, |title| format!(", {title}"))
        )),
        Block::Text(format!(
            "{}, {} skipped.",
            counted(table.len() as u64, "row", "rows"),
            counted(skipped, "line", "lines")
        )),
    ];
    document
        .extend(table.evidence().iter().map(|sentence| Block::Text(format!("{}.", sentence_case(sentence)))));
    document.extend(table.warnings().iter().map(|warning| Block::Warning(warning.to_string())));
    document.push(Block::Sheet(Sheet {
        caption: format!("Rows of {name}"),
        columns: table.columns().to_vec(),
        rows: table.rows().map(|row| row.values().map(cell).collect()).collect(),
    }));
    document
}

fn cell(value: Value<'_>) -> String {
    match value {
        Value::Int(number) => grouped(number),
        Value::Text(text) => text.to_owned(),
        Value::Blank => String::new(),
    }
}

/// Where the memory of a zsmalloc pool goes, and what other settings would do.
fn pool(table: &Table) -> Document {
    let sums = guess(table).as_ref().map(|found| occupancy(table, found)).unwrap_or_default();
    let mut document = vec![sentence(&sums)];
    match from_classes(table, &Machine::default()) {
        Ok(input) => {
            document.extend(where_it_is(&input));
            document.push(Block::Text(advice(&sums)));
            document.extend(answers(&input));
        }
        Err(why) => document.push(Block::Warning(format!("Other settings cannot be worked out: {why}"))),
    }
    document.push(Block::Sheet(classes(&sums)));
    document
}

/// How much is held, and the largest part of what is lost.
fn sentence(sums: &Occupancy) -> Block {
    let more = format!(
        "Compacting now would return {} of {}.",
        counted(sums.freeable_pages, "page", "pages"),
        grouped(sums.pages)
    );
    if sums.total == 0 {
        return Block::Say("This pool is ".to_owned(), "empty".to_owned(), ".".to_owned(), more);
    }
    let lost = [("empty places", sums.empty), ("tails of zspages", sums.tails), ("handles", sums.handles)];
    let (name, amount) = lost.into_iter().max_by_key(|part| part.1).unwrap_or(("tails", 0));
    Block::Say(
        format!("{} hold {}. ", mebi(sums.total), counted(sums.used, "object", "objects")),
        format!("Of what is lost, {name} take most: {}.", mebi(amount)),
        String::new(),
        more,
    )
}

fn mebi(amount: u64) -> String {
    format!("{} MiB", hundredths(amount as f64 / f64::from(1 << 20)))
}

fn advice(sums: &Occupancy) -> String {
    if sums.freeable_pages == 0 {
        return "Compaction would return nothing: no class has a whole zspage of empty places.".to_owned();
    }
    let page = sums.total.checked_div(sums.pages).unwrap_or(0);
    format!(
        "echo 1 > /sys/block/zram0/compact would return {}, {}.",
        counted(sums.freeable_pages, "page", "pages"),
        bytes(sums.freeable_pages.saturating_mul(page))
    )
}

/// Classes by the pages they hold.
fn classes(sums: &Occupancy) -> Sheet {
    let columns = ["Class", "In a zspage", "Objects", "Places", "In use, %", "Pages", "Freeable"];
    let mut sheet = Sheet::new("Classes by pages held", &columns);
    for class in &sums.classes {
        let inside = class.zspage.map(|(pages, objects)| format!("{objects} in {pages}")).unwrap_or_default();
        sheet.push(vec![
            grouped(class.size),
            inside,
            grouped(class.used),
            grouped(class.allocated),
            tenths(100.0 * class.used as f64 / class.allocated.max(1) as f64),
            grouped(class.pages),
            grouped(class.freeable),
        ]);
    }
    sheet
}

/// Lines that are shown at most; those that were left out come first where there are more.
const MOST_LINES: usize = 600;

fn lines(text: &str, paste: &Paste) -> Vec<LineNote> {
    let all = raw_lines(text).zip(1..).map(|(line, number)| {
        let line_use = paste.line_use(number).unwrap_or(LineUse::Blank);
        let told = matches!(line_use, LineUse::Skipped(_) | LineUse::Doubtful(..));
        LineNote {
            number,
            text: line.chars().take(400).collect(),
            heading: matches!(line_use, LineUse::Heading(_)),
            why: if told { line_use.why(paste.tables()) } else { None },
        }
    });
    if paste.line_count() as usize <= MOST_LINES {
        return all.collect();
    }
    all.filter(|line| line.why.is_some() || line.heading).take(MOST_LINES).collect()
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

    #[test]
    fn a_classes_file_becomes_a_document_whose_parts_add_up() {
        let Step::Done(document) = Reading::new(CLASSES.to_owned()).step() else { panic!("read") };
        let bytes: Vec<u64> = document
            .iter()
            .filter_map(|block| match block {
                Block::Parts(parts) => Some(parts.iter().map(|part| part.bytes).sum()),
                _ => None,
            })
            .collect();
        assert_eq!(bytes.first(), Some(&(13 * 4096)));
        let Some(Block::Lines(lines)) = document.last() else { panic!("lines come last") };
        assert_eq!(
            lines.iter().filter(|line| line.why.is_some()).map(|line| line.number).collect::<Vec<_>>(),
            [3]
        );
    }

    #[test]
    fn sizes_and_slabinfo_are_answered_too() {
        let sizes = "1000 50\n2000 30\n2500 9\n3000 5\n";
        let Step::Done(document) = Reading::new(sizes.to_owned()).step() else { panic!("sizes") };
        assert!(document.iter().any(|block| matches!(block, Block::Plot(_))));
        let slabinfo = "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\ntalk_cache   100 128 256 16 1 : tunables 0 0 0 : slabdata 8 8 0\n";
        let Step::Done(document) = Reading::new(slabinfo.to_owned()).step() else { panic!("slabinfo") };
        assert!(matches!(&document[0], Block::Say(_, pages, ..) if pages == "8 pages"), "{:?}", document[0]);
    }

    #[test]
    fn what_is_no_table_says_what_is_missing() {
        let Step::Failed(why) = Reading::new("no table here".to_owned()).step() else { panic!("no table") };
        assert!(why.starts_with("Nothing was recognised;"), "{why}");
    }
}
