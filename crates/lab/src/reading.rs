//! A text that a person pasted: what it is, where its memory goes, and what became of each line.

use slabscope_core::tell::{counted, grouped};
use slabscope_formats::{LineUse, Paste, Table, Value, raw_lines, read};

use crate::answering::answer;
use crate::desk::{Job, Step};
use crate::document::{Block, Document, LineNote, Sheet};
use crate::whatif::sentence_case;

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
        let mut document = answer(paste.tables(), None);
        for (at, table) in paste.tables().iter().enumerate() {
            document.extend(as_table(&paste, at, table));
        }
        document.push(Block::Lines(lines(&self.text, &paste)));
        Step::Done(document)
    }
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
        // What was written, what the pool holds, what lies outside.
        assert_eq!(bytes.get(1), Some(&(13 * 4096)));
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
