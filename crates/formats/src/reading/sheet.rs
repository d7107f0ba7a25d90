//! What the readers share while they go over one text: which lines are still free, and the tables so far.

use slabscope_core::ranked::rank;

use super::account::{Account, LineUse, Why};
use super::clean::{Line, LineKind, Lines, Mark};
use super::format::Format;
use super::table::Table;

/// How near a text came to a format that it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    /// Signs of the format that were there.
    pub(crate) signs: u32,
    /// Line of the first of them.
    pub(crate) line: Option<u32>,
    /// What is missing: a sentence without its full stop.
    pub(crate) why: String,
}

/// What a reader says of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It added tables.
    Mine,
    /// It did not.
    NotMine(Near),
}

impl Verdict {
    /// Not mine, and nothing in it looks like mine.
    pub(crate) fn far(why: &str) -> Self {
        Self::near(0, None, why.to_owned())
    }

    /// Not mine, though there are signs.
    pub(crate) const fn near(signs: u32, line: Option<u32>, why: String) -> Self {
        Self::NotMine(Near { signs, line, why })
    }
}

/// Which lines of a diff are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// All: it is no diff.
    All,
    /// Those of the older version.
    Before,
    /// Those of the newer version.
    After,
}

impl View {
    fn hides(self, mark: Mark) -> bool {
        matches!((self, mark), (Self::Before, Mark::Plus) | (Self::After, Mark::Minus))
    }
}

/// A text, what became of its lines, and the tables that were found.
#[derive(Debug)]
pub(crate) struct Sheet<'a> {
    lines: &'a Lines<'a>,
    states: Vec<u32>,
    /// Reasons of lines that were left out.
    whys: Vec<(u32, Why)>,
    /// Reasons of lines that were used and are odd.
    doubts: Vec<(u32, Why)>,
    /// Lines of words that serve as titles.
    titles: Vec<u32>,
    tables: Vec<Table>,
    /// The first line of each table.
    firsts: Vec<u32>,
}

// A state is a kind in the high bits and a table in the others.
const KIND_SHIFT: u32 = 28;
const FREE: u32 = 0;
const HIDDEN: u32 = 1;
const HEADING: u32 = 2;
const ROW: u32 = 3;
const TOTAL: u32 = 4;
const DOUBTFUL: u32 = 5;

/// Tables beyond these are left out: each takes memory, and a reader of so many would look at none.
const MOST_TABLES: usize = 4096;

/// Stands for a table that was left out.
const LEFT_OUT: u32 = u32::MAX;

impl<'a> Sheet<'a> {
    /// All lines that `view` shows are free.
    pub(crate) fn new(lines: &'a Lines<'a>, view: View) -> Self {
        let state = |at| match lines.get(at) {
            Some(line) if view.hides(line.mark) => HIDDEN << KIND_SHIFT,
            _ => FREE,
        };
        let states = (0..lines.len()).map(state).collect();
        Self {
            lines,
            states,
            whys: Vec::new(),
            doubts: Vec::new(),
            titles: Vec::new(),
            tables: Vec::new(),
            firsts: Vec::new(),
        }
    }

    /// A line by its position among those that are not blank.
    pub(crate) fn line(&self, at: usize) -> Option<Line<'a>> {
        self.lines.get(at)
    }

    /// Number of positions.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The data line at a position, if no reader took it yet.
    pub(crate) fn data(&self, at: usize) -> Option<Line<'a>> {
        let is_free = self.states.get(at).is_some_and(|state| *state == FREE);
        self.lines.get(at).filter(|line| is_free && line.kind == LineKind::Data)
    }

    /// The next position from `at` on whose line this view shows, whatever became of it.
    pub(crate) fn next_shown(&self, at: usize) -> Option<usize> {
        (at..self.states.len())
            .find(|&at| self.states.get(at).is_some_and(|state| *state != HIDDEN << KIND_SHIFT))
    }

    /// Positions of the data lines that are still free.
    pub(crate) fn free(&self) -> impl Iterator<Item = (usize, Line<'a>)> + '_ {
        (0..self.len()).filter_map(|at| Some((at, self.data(at)?)))
    }

    /// Adds a table; `first` is the position of its first line.
    pub(crate) fn add(&mut self, table: Table, first: usize) -> u32 {
        if self.tables.len() >= MOST_TABLES {
            return LEFT_OUT;
        }
        self.tables.push(table);
        self.firsts.push(self.lines.number(first));
        self.tables.len() as u32 - 1
    }

    /// Number of tables so far.
    pub(crate) fn tables(&self) -> usize {
        self.tables.len()
    }

    fn set(&mut self, at: usize, kind: u32, table: u32) {
        if table == LEFT_OUT {
            self.skip(at, Why::with("the text has more than # tables", [MOST_TABLES as u32, 0]));
        } else if let Some(state) = self.states.get_mut(at) {
            *state = kind << KIND_SHIFT | table;
        }
    }

    /// The line is the heading of a table.
    pub(crate) fn heading(&mut self, at: usize, table: u32) {
        self.set(at, HEADING, table);
    }

    /// The line is a row, or a part of one.
    pub(crate) fn row(&mut self, at: usize, table: u32) {
        self.set(at, ROW, table);
    }

    /// The line has sums.
    pub(crate) fn total(&mut self, at: usize, table: u32) {
        self.set(at, TOTAL, table);
    }

    /// The line was used, but something is odd about it.
    pub(crate) fn doubt(&mut self, at: usize, table: u32, why: Why) {
        self.set(at, DOUBTFUL, table);
        self.doubts.push((at as u32, why.of(table)));
    }

    /// The line is left out unless a later reader takes it.
    pub(crate) fn skip(&mut self, at: usize, why: Why) {
        self.whys.push((at as u32, why));
    }

    /// What stands above the line at a position: the command, the file, or a line of words.
    pub(crate) fn title(&mut self, at: usize) -> Option<String> {
        const FAR: usize = 4;
        for above in (at.saturating_sub(FAR)..at).rev() {
            let line = self.lines.get(above)?;
            match line.kind {
                LineKind::Elided | LineKind::Frame => {}
                LineKind::Command | LineKind::Label => return Some(line.text.to_owned()),
                LineKind::Data => {
                    let is_title = self.states.get(above).is_some_and(|state| *state == FREE)
                        && line.text.len() <= 100
                        && line.text.bytes().any(|byte| byte.is_ascii_alphabetic());
                    if is_title {
                        self.titles.push(above as u32);
                    }
                    return is_title.then(|| line.text.trim_end_matches([':', ' ']).to_owned());
                }
            }
        }
        None
    }

    /// The tables with the number of their first line, and what became of each line of the text.
    pub(crate) fn finish(mut self) -> (Vec<(u32, Table)>, Account) {
        // The first reason about a row of a table, or else the first at all.
        rank(&mut self.whys, |&(at, why)| i64::from(at) * 2 + i64::from(!why.is_of_a_table()));
        rank(&mut self.doubts, |&(at, _)| at.into());
        rank(&mut self.titles, |&at| at.into());
        let mut account = Account::default();
        for at in 0..self.lines.len() {
            let Some(line) = self.lines.get(at) else { break };
            let before = line.number - 1;
            account.push(before - account.len().min(before), LineUse::Blank);
            account.push(1, self.line_use(at, line));
        }
        account.push(self.lines.count() - account.len().min(self.lines.count()), LineUse::Blank);
        (self.firsts.into_iter().zip(self.tables).collect(), account)
    }

    fn line_use(&self, at: usize, line: Line<'_>) -> LineUse {
        let state = self.states.get(at).copied().unwrap_or(FREE);
        let table = state & ((1 << KIND_SHIFT) - 1);
        match (state >> KIND_SHIFT, line.kind) {
            (HEADING, _) => LineUse::Heading(table),
            (ROW, _) => LineUse::Row(table),
            (TOTAL, _) => LineUse::Total(table),
            (DOUBTFUL, _) => {
                let why = first(&self.doubts, at);
                LineUse::Doubtful(table, why.unwrap_or(Why::new("something about it is odd")))
            }
            (_, LineKind::Command | LineKind::Label) => LineUse::Label,
            (_, LineKind::Elided) => LineUse::Skipped(Why::new("rows were left out here")),
            (_, LineKind::Frame) => LineUse::Skipped(Why::new("a rule or a fence, not data")),
            (FREE, LineKind::Data) if self.titles.binary_search(&(at as u32)).is_ok() => LineUse::Label,
            (_, LineKind::Data) => {
                let why = first(&self.whys, at);
                LineUse::Skipped(why.unwrap_or(Why::new("belongs to no table that is known")))
            }
        }
    }
}

/// The first reason given for a line.
fn first(whys: &[(u32, Why)], at: usize) -> Option<Why> {
    let start = whys.partition_point(|reason| (reason.0 as usize) < at);
    whys.get(start).filter(|reason| reason.0 as usize == at).map(|reason| reason.1)
}

/// The format and the reader of it.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// What it finds.
    pub(crate) format: Format,
    /// Adds every table of that format to the sheet.
    pub(crate) read: fn(&mut Sheet<'_>) -> Verdict,
}
