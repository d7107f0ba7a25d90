//! Something to read: sentences, tables and plots, in the order in which they are shown.

use serde::{Deserialize, Serialize};
use slabscope_core::ranked::ascending;
use slabscope_core::tell::hundredths;
use slabscope_core::told::plain;

/// Blocks from top to bottom.
pub type Document = Vec<Block>;

/// One part of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// The sentence at the top: what comes first, what matters most, what follows, and a smaller second line.
    Say(String, String, String, String),
    /// The title of what follows.
    Title(String),
    /// A paragraph.
    Text(String),
    /// Text as a kernel or a shell prints it.
    Mono(String),
    /// A table.
    Sheet(Sheet),
    /// Lines over a common axis.
    Plot(LinePlot),
    /// Parts of a whole.
    Parts(Vec<Part>),
    /// Threads over time.
    Lanes(Lanes),
    /// Something that does not fit together.
    Warning(String),
    /// A text line by line, with what became of each.
    Lines(Vec<LineNote>),
    /// Something that the Pool view can play.
    Play(Offer),
    /// A paragraph: words, each with where they lead: nowhere, to a position of the figure (a number from 0), or to a
    /// scenario (its fragment with the mark in front).
    Prose(Vec<(String, String)>),
    /// A figure with positions: the title of each, and what is seen in it.
    Scenes(Vec<(String, Document)>),
    /// A zspage, block or slab: its name; then bytes of a page, pages, bytes before the first object, of a place, and of the
    /// handle in each; then the bytes stored in each place, or [`FREE`].
    Span(String, Vec<u32>),
    /// Values that may be changed: label, value, usual value, what stands in the link before it, and what may be chosen,
    /// nothing for a number.
    Controls(Vec<Vec<String>>),
}

/// A workload that was made of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What it is, in a sentence.
    pub text: String,
    /// Parameters and their values, by their names in links.
    pub set: Vec<(String, String)>,
    /// What a link says of the data.
    pub link: String,
    /// What is played, packed as links carry it.
    pub data: String,
}

/// How a text begins that says what a document was read from: its length and its digest.
pub const READ_FROM: &str = "Read from ";

/// In a [`Block::Span`], a place that holds nothing.
pub const FREE: u32 = u32::MAX;

/// What became of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineNote {
    /// Counted from 1.
    pub number: u32,
    /// The line, cut where it is very long.
    pub text: String,
    /// What became of it.
    pub fate: Fate,
    /// Why it was left out, or what is odd about it.
    pub why: Option<String>,
}

/// What became of a line, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It is blank, or only says what follows.
    Aside,
    /// It is the heading of a table.
    Heading,
    /// It is in a table.
    Used,
    /// It is in a table, though something about it is odd.
    Doubtful,
    /// It was left out.
    Skipped,
}

/// A table; every row has a cell for each column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// What it shows.
    pub caption: String,
    /// Names of the columns. The first is what a row is called by.
    pub columns: Vec<String>,
    /// Cells.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// An empty table.
    pub fn new(caption: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Self { caption: caption.to_owned(), columns, rows: Vec::new() }
    }

    /// With another row.
    pub fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Comma-separated, quoted where needed; numbers without separators.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            for (index, cell) in row.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                let plain = plain(cell).unwrap_or_else(|| cell.clone());
                if plain.contains([',', '"', '\n']) {
                    text.push('"');
                    text.push_str(&plain.replace('"', "\"\""));
                    text.push('"');
                } else {
                    text.push_str(&plain);
                }
            }
            text.push('\n');
        }
        text
    }

    /// Aligned with spaces, for mail.
    pub fn aligned(&self) -> String {
        let width = |column: usize| {
            let cells = std::iter::once(&self.columns).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let mut line = String::new();
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let space = " ".repeat(width.saturating_sub(cell.chars().count()));
                if index == 0 {
                    line.push_str(cell);
                    line.push_str(&space);
                } else {
                    line.push_str("  ");
                    line.push_str(&space);
                    line.push_str(cell);
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

impl LinePlot {
    /// The same as a table: a row for each place along that has a point, at most so many.
    pub fn sheet(&self, most: usize) -> Sheet {
        let mut columns = vec![self.along.clone()];
        columns.extend(self.lines.iter().map(|line| line.name.clone()));
        let places: Vec<f32> = self.lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
        let keys: Vec<i64> = places.iter().map(|along| (along * 1000.0) as i64).collect();
        let mut places: Vec<f32> = ascending(&keys).iter().map(|at| places[*at as usize]).collect();
        places.dedup();
        // More rows than anyone reads are thinned evenly; the end stays.
        let every = places.len().div_ceil(most.max(1)).max(1);
        let shown = places.iter().rev().step_by(every).rev();
        let rows = shown.map(|&along| {
            let value = |line: &PlotLine| {
                let after = line.points.partition_point(|point| point.0 <= along);
                // A line that has ended has no value.
                let ended = line.points.last().is_some_and(|last| last.0 < along);
                after
                    .checked_sub(1)
                    .filter(|_| !ended)
                    .and_then(|at| line.points.get(at))
                    .map_or_else(String::new, |point| hundredths(point.1.into()))
            };
            std::iter::once(hundredths(along.into())).chain(self.lines.iter().map(value)).collect()
        });
        Sheet { caption: self.caption.clone(), columns, rows: rows.collect() }
    }
}

/// Rows of a plot's table that is read rather than worked with.
pub const MOST_ROWS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("Pages", &["Side", "Pages"]);
        sheet.push(vec!["one, \"quoted\"".to_owned(), "1,234".to_owned()]);
        sheet.push(vec!["b".to_owned(), "7".to_owned()]);
        sheet
    }

    #[test]
    fn tables_are_written_for_programs_and_for_mail() {
        assert_eq!(sheet().csv(), "Side,Pages\n\"one, \"\"quoted\"\"\",1234\nb,7\n");
        assert_eq!(sheet().aligned(), "Side           Pages\none, \"quoted\"  1,234\nb                  7\n");
    }

    #[test]
    fn a_plot_is_a_table_too() {
        let line =
            |name: &str, points: &[(f32, f32)]| PlotLine { name: name.to_owned(), points: points.to_vec() };
        let plot = LinePlot {
            along: "step".to_owned(),
            lines: vec![line("a", &[(1.0, 2.5), (2.0, 3.0)]), line("b", &[(2.0, 1234.56)])],
            ..LinePlot::default()
        };
        let sheet = plot.sheet(MOST_ROWS);
        assert_eq!(plot.sheet(1).rows, [["2", "3", "1,234.56"]], "the end stays");
        assert_eq!(sheet.columns, ["step", "a", "b"]);
        assert_eq!(sheet.rows, [["1", "2.5", ""], ["2", "3", "1,234.56"]]);
    }
}

/// Lines over a common axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LinePlot {
    /// What it shows.
    pub caption: String,
    /// What lies along.
    pub along: String,
    /// What goes up, with its unit.
    pub up: String,
    /// The lines.
    pub lines: Vec<PlotLine>,
    /// A place along that is marked.
    pub cursor: Option<f32>,
}

/// One line of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlotLine {
    /// Its name.
    pub name: String,
    /// Along and up, ascending along.
    pub points: Vec<(f32, f32)>,
}

/// A part of a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it is a kind of, which gives its colour and pattern.
    pub kind: PartKind,
    /// Bytes.
    pub bytes: u64,
    /// False if it is an estimate.
    pub exact: bool,
}

/// What memory goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartKind {
    /// What was asked for.
    Data,
    /// Handles.
    Handle,
    /// Rounding up to a class.
    Rounding,
    /// Behind the last object.
    Tail,
    /// Places without an object.
    Empty,
    /// Headers, and what lies outside the pool.
    Header,
}

/// Threads over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lanes {
    /// What it shows.
    pub caption: String,
    /// Nanoseconds that are shown.
    pub until: u64,
    /// Segments of each thread.
    pub lanes: Vec<Vec<Segment>>,
}

/// A stretch of a thread's time: from and to in nanoseconds, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment(pub u64, pub u64, pub Doing);

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doing {
    /// Waits for a core.
    Off,
    /// Compresses or decompresses.
    Compute,
    /// Spins for a lock.
    Wait,
    /// Works under a lock.
    Hold,
}
