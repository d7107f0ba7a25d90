//! A text read: every table in it, and what became of each line.

use slabscope_core::ranked::rank;

use super::account::{Account, LineUse};
use super::clean::{LineKind, Lines, Mark, Options};
use super::format::Format;
use super::registry::READERS;
use super::relatives::relative;
use super::sheet::{Near, Sheet, Verdict, View};
use super::table::Table;
use crate::explain::explain;

/// Longest text that is read, in bytes: 100 MB.
pub const LONGEST_TEXT: usize = 100 << 20;

/// What cleaning the lines takes of the time, of a thousand.
const LINES_DONE: u16 = 400;

/// The format that an unrecognised text is nearest to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The format.
    pub format: Format,
    /// Line that looks like it, if any does.
    pub line: Option<u32>,
    /// Why it is not: a sentence without its full stop.
    pub why: String,
}

impl std::fmt::Display for Nearest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "nearest is {}: ", self.format.name())?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.why)
    }
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paste {
    tables: Vec<Table>,
    /// Line of the first heading or row of each table.
    firsts: Vec<u32>,
    account: Account,
    nearest: Option<Nearest>,
}

impl Paste {
    /// The tables in the order of the text.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The first table of a format.
    pub fn first(&self, format: Format) -> Option<&Table> {
        self.tables.iter().find(|table| table.format() == format)
    }

    /// The nearest format, if nothing was recognised.
    pub fn nearest(&self) -> Option<&Nearest> {
        self.nearest.as_ref()
    }

    /// Number of lines of the text.
    pub fn line_count(&self) -> u32 {
        self.account.len()
    }

    /// What became of a line, from 1.
    pub fn line_use(&self, line: u32) -> Option<LineUse> {
        self.account.get(line)
    }

    /// Lines that fared alike: the first and the last of each run, from 1, and what became of them.
    pub fn line_uses(&self) -> impl Iterator<Item = (u32, u32, LineUse)> + '_ {
        self.account.runs()
    }

    /// Lines that were left out around a table, each with the reason. Every such line of the text is told
    /// with one table: that which it would have been a row of, or the last one that began above it.
    pub fn skipped(&self, table: usize) -> impl Iterator<Item = (u32, String)> + '_ {
        let owner = move |line: u32, line_use: LineUse| {
            let above = self.firsts.partition_point(|first| *first <= line).saturating_sub(1);
            line_use.owner().map_or(above, |owner| owner as usize) == table
        };
        self.account
            .runs()
            .filter(|(_, _, line_use)| matches!(line_use, LineUse::Skipped(_)))
            .flat_map(|(first, last, line_use)| (first..=last).map(move |line| (line, line_use)))
            .filter(move |&(line, line_use)| owner(line, line_use))
            .filter_map(|(line, line_use)| Some((line, line_use.why(&self.tables)?)))
    }

    /// The same of the text without its first line, which was no part of it.
    fn without_first_line(mut self) -> Self {
        let up = |line: &mut u32| *line = line.saturating_sub(1);
        self.account.without_first_line();
        self.firsts.iter_mut().for_each(up);
        self.tables.iter_mut().flat_map(Table::lines_mut).for_each(up);
        if let Some(nearest) = &mut self.nearest {
            nearest.line = nearest.line.filter(|line| *line > 1).map(|line| line - 1);
        }
        self
    }

    fn understood(&self) -> u32 {
        let tables = self.account.runs().filter(|run| run.2.table().is_some());
        tables.map(|(first, last, _)| last - first + 1).sum()
    }
}

/// Reads a text: recognises every table in it by its structure, cleans off what surrounds it, and accounts
/// for every line. It never fails: where nothing is recognised, [`Paste::nearest`] says what is missing.
pub fn read(text: &str) -> Paste {
    let mut paste = read_plainly(text, &mut |_| {});
    explain(&mut paste.tables);
    paste
}

/// Reads a text as if `heading` stood above it; lines are counted without it.
pub fn read_below(heading: &str, text: &str) -> Paste {
    // One kind of line end: a text of the oldest kind would be one line below a heading of the usual one.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    read(&format!("{heading}{end}{text}")).without_first_line()
}

/// As [`read`], but the tables are still to be [explained](explain()). Tells on the way how much is done, of a thousand;
/// never less than before.
pub fn read_plainly(text: &str, tell: &mut dyn FnMut(u16)) -> Paste {
    if text.len() > LONGEST_TEXT {
        return unread("it is longer than 100 MB");
    }
    let lines = Lines::new(text, Options::default());
    if lines.len() == 0 {
        return unread("the text is empty");
    }
    tell(LINES_DONE);
    let plain = read_lines(&lines, tell);
    if are_numbered(&lines) {
        let paste = read_lines(&Lines::new(text, Options { numbers: true, hosts: false }), &mut |_| {});
        return if paste.understood() >= plain.understood() { paste } else { plain };
    }
    // Otherwise numbers and names of hosts are taken off only where that makes more of the text.
    if u64::from(plain.understood()) * 5 >= lines.len() as u64 * 4 {
        return plain;
    }
    let mut best = plain;
    for (numbers, hosts) in [(true, false), (false, true), (true, true)] {
        if !may_be_prefixed(&lines, numbers, hosts) {
            continue;
        }
        let paste = read_lines(&Lines::new(text, Options { numbers, hosts }), &mut |_| {});
        if paste.understood() > best.understood() {
            best = paste;
        }
    }
    best
}

/// True if every line begins as `grep -n` prints it, with a name behind the colon.
fn are_numbered(lines: &Lines<'_>) -> bool {
    let is_numbered = |at: usize| {
        let line = lines.get(at)?;
        let digits = line.text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.text.get(digits..)?.strip_prefix(':')?;
        (digits > 0 && rest.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(())
    };
    lines.len() >= 2 && (0..lines.len()).all(|at| is_numbered(at).is_some())
}

fn unread(why: &str) -> Paste {
    let nearest = Nearest { format: Format::ZsmallocClasses, line: None, why: why.to_owned() };
    Paste { tables: Vec::new(), firsts: Vec::new(), account: Account::default(), nearest: Some(nearest) }
}

/// True if at least three of four lines begin with a number, or a name of a host.
fn may_be_prefixed(lines: &Lines<'_>, numbers: bool, hosts: bool) -> bool {
    let (mut prefixed, mut last) = (0usize, None);
    for line in (0..lines.len()).filter_map(|at| lines.get(at)) {
        let mut text = line.text;
        if hosts {
            let Some(rest) = super::clean::after_host(text) else { continue };
            text = rest;
        }
        if numbers {
            let Some((number, _)) = super::clean::after_number(text) else { continue };
            // They rise from line to line.
            if last.is_some_and(|last| number <= last) && !hosts {
                continue;
            }
            last = Some(number);
        }
        prefixed += 1;
    }
    prefixed >= 3 && prefixed * 4 >= lines.len() * 3
}

/// Both versions of a diff, or the text.
fn read_lines(lines: &Lines<'_>, tell: &mut dyn FnMut(u16)) -> Paste {
    let has = |mark| {
        (0..lines.len())
            .filter_map(|at| lines.get(at))
            .any(|line| line.mark == mark && line.kind == LineKind::Data)
    };
    if has(Mark::Minus) && has(Mark::Plus) {
        let (before, after) =
            (read_view(lines, View::Before, tell), read_view(lines, View::After, &mut |_| {}));
        let merged = merge(before, after);
        if !merged.tables.is_empty() {
            return merged;
        }
    }
    read_view(lines, View::All, tell)
}

fn read_view(lines: &Lines<'_>, view: View, tell: &mut dyn FnMut(u16)) -> Paste {
    let mut sheet = Sheet::new(lines, view);
    let mut best: Option<(Format, Near)> = None;
    for (reader, done) in READERS.iter().zip(0u16..) {
        tell(LINES_DONE + done * (1000 - LINES_DONE) / READERS.len() as u16);
        if let Verdict::NotMine(near) = (reader.read)(&mut sheet)
            && best.as_ref().is_none_or(|best| near.signs > best.1.signs)
        {
            best = Some((reader.format, near));
        }
    }
    // A sign that a reader saw tells more than a word.
    if sheet.tables() == 0 && best.as_ref().is_none_or(|best| best.1.signs <= 1) {
        best = relative(&sheet).or(best);
    }
    let (tables, account) = sheet.finish();
    let nearest = best.filter(|_| tables.is_empty()).map(|(format, near)| Nearest {
        format,
        line: near.line,
        why: near.why,
    });
    sorted(tables, account, nearest)
}

/// The tables in the order of the text, and the lines under their new numbers.
fn sorted(tables: Vec<(u32, Table)>, mut account: Account, nearest: Option<Nearest>) -> Paste {
    let mut order: Vec<(u32, u32)> = tables.iter().map(|table| table.0).zip(0..).collect();
    rank(&mut order, |&(first, _)| first.into());
    let mut number = vec![0u32; order.len()];
    for (&(_, old), new) in order.iter().zip(0..) {
        if let Some(place) = number.get_mut(old as usize) {
            *place = new;
        }
    }
    account.renumber(&|old| number.get(old as usize).copied().unwrap_or(old));
    let mut paste = Paste { tables: Vec::new(), firsts: Vec::new(), account, nearest };
    let mut tables: Vec<Option<Table>> = tables.into_iter().map(|table| Some(table.1)).collect();
    for (first, old) in order {
        let Some(mut table) = tables.get_mut(old as usize).and_then(Option::take) else { continue };
        table.finish();
        paste.firsts.push(first);
        paste.tables.push(table);
    }
    paste
}

/// Two readings of one text as one; a table that is in both is kept once.
fn merge(before: Paste, mut after: Paste) -> Paste {
    let mut tables: Vec<(u32, Table)> = before.firsts.into_iter().zip(before.tables).collect();
    let mut number = Vec::with_capacity(after.tables.len());
    for (first, table) in after.firsts.into_iter().zip(after.tables) {
        let same = tables.iter().position(|known| known.1 == table);
        number.push(same.unwrap_or(tables.len()) as u32);
        if same.is_none() {
            tables.push((first, table));
        }
    }
    after.account.renumber(&|old| number.get(old as usize).copied().unwrap_or(old));
    // One version may have a table where the other has none.
    let nearest = before.nearest.filter(|_| tables.is_empty());
    sorted(tables, before.account.merge(&after.account), nearest)
}
