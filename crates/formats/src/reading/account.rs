//! What became of each line of a text.

use super::table::Table;

/// What became of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineUse {
    /// Nothing is on it.
    Blank,
    /// A prompt with its command, or the name of a file: it says what follows.
    Label,
    /// The heading of a table.
    Heading(u32),
    /// A row of a table, or a part of one.
    Row(u32),
    /// Sums of a table.
    Total(u32),
    /// Used for a table, though something about it is odd.
    Doubtful(u32, Why),
    /// Left out, and why.
    Skipped(Why),
}

impl LineUse {
    /// The table it belongs to, as a position in [`Paste::tables`](super::Paste::tables).
    pub const fn table(self) -> Option<u32> {
        match self {
            Self::Heading(table) | Self::Row(table) | Self::Total(table) | Self::Doubtful(table, _) => {
                Some(table)
            }
            Self::Blank | Self::Label | Self::Skipped(_) => None,
        }
    }

    /// The table it belongs to, or would have belonged to.
    pub(crate) const fn owner(self) -> Option<u32> {
        match self {
            Self::Skipped(why) => why.table,
            _ => self.table(),
        }
    }

    /// The reason, if there is one to give. `tables` are those of the paste.
    pub fn why(self, tables: &[Table]) -> Option<String> {
        let (table, why) = match self {
            Self::Doubtful(table, why) => (Some(table), why),
            Self::Skipped(why) => (why.table, why),
            _ => return None,
        };
        Some(why.text(table.and_then(|table| tables.get(table as usize))))
    }

    fn with_table(self, number: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::Heading(table) => Self::Heading(number(table)),
            Self::Row(table) => Self::Row(number(table)),
            Self::Total(table) => Self::Total(number(table)),
            Self::Doubtful(table, why) => Self::Doubtful(number(table), why),
            Self::Skipped(why) => Self::Skipped(Why { table: why.table.map(number), ..why }),
            Self::Blank | Self::Label => self,
        }
    }

    /// How much was made of the line: of two readings the better is kept.
    const fn rank(self) -> u8 {
        match self {
            Self::Skipped(Why { table: None, .. }) => 0,
            Self::Skipped(_) => 1,
            Self::Blank => 2,
            Self::Label => 3,
            Self::Doubtful(..) => 4,
            Self::Heading(_) => 5,
            Self::Row(_) | Self::Total(_) => 6,
        }
    }

    /// The one of two uses that made more of the line.
    #[must_use]
    pub(crate) const fn better(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }
}

/// A reason in few bytes: a sentence in which `#` stands for a number and `@` for the name of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Why {
    words: &'static str,
    numbers: [u32; 2],
    /// The table whose row it would have been.
    table: Option<u32>,
}

impl Why {
    /// A reason without numbers.
    pub(crate) const fn new(words: &'static str) -> Self {
        Self::with(words, [0; 2])
    }

    /// A reason with up to two numbers.
    pub(crate) const fn with(words: &'static str, numbers: [u32; 2]) -> Self {
        Self { words, numbers, table: None }
    }

    /// The same about a row of a table.
    #[must_use]
    pub(crate) const fn of(self, table: u32) -> Self {
        Self { table: Some(table), ..self }
    }

    /// The numbers in it.
    pub(crate) const fn numbers(&self) -> [u32; 2] {
        self.numbers
    }

    /// True if the line would have been a row of a table.
    pub(crate) const fn is_of_a_table(&self) -> bool {
        self.table.is_some()
    }

    fn text(&self, table: Option<&Table>) -> String {
        let mut numbers = self.numbers.iter();
        let mut text = String::with_capacity(self.words.len() + 8);
        for c in self.words.chars() {
            match c {
                '#' => text += &numbers.next().copied().unwrap_or_default().to_string(),
                '@' => {
                    let column = numbers.next().copied().unwrap_or_default() as usize;
                    let name = table.and_then(|table| table.columns().get(column));
                    text += name.map_or("the field", String::as_str);
                }
                _ => text.push(c),
            }
        }
        text
    }
}

/// The uses of all lines in order, equal neighbours as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    /// The line after the last of each run, from 0, and what all of the run are.
    runs: Vec<(u32, LineUse)>,
}

/// Runs beyond these are told as one: a text that changes its kind at every line is no text of a kernel.
const MOST_RUNS: usize = 1 << 20;

impl Account {
    /// Number of lines.
    pub(crate) fn len(&self) -> u32 {
        self.runs.last().map_or(0, |run| run.0)
    }

    /// Appends `count` lines of one use.
    pub(crate) fn push(&mut self, count: u32, line_use: LineUse) {
        if count == 0 {
            return;
        }
        let end = self.len().saturating_add(count);
        let full = self.runs.len() >= MOST_RUNS;
        match self.runs.last_mut() {
            Some(last) if full || last.1 == line_use => last.0 = end,
            _ => self.runs.push((end, line_use)),
        }
    }

    /// The use of a line, from 1.
    pub(crate) fn get(&self, line: u32) -> Option<LineUse> {
        let at = self.runs.partition_point(|run| run.0 < line);
        if line == 0 { None } else { self.runs.get(at).map(|run| run.1) }
    }

    /// Each run: its first and last line, from 1, and the use.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u32, u32, LineUse)> + '_ {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|run| run.0));
        starts.zip(&self.runs).map(|(start, &(end, line_use))| (start + 1, end, line_use))
    }

    /// Forgets the first line: those below it move up.
    pub(crate) fn without_first_line(&mut self) {
        for run in &mut self.runs {
            run.0 = run.0.saturating_sub(1);
        }
        self.runs.retain(|run| run.0 > 0);
    }

    /// Renumbers the tables.
    pub(crate) fn renumber(&mut self, number: &dyn Fn(u32) -> u32) {
        for run in &mut self.runs {
            run.1 = run.1.with_table(number);
        }
    }

    /// Of two readings of one text the better for each line.
    pub(crate) fn merge(&self, other: &Self) -> Self {
        let mut merged = Self::default();
        let (mut ours, mut theirs) = (self.runs.iter(), other.runs.iter());
        let (mut our, mut their) = (ours.next(), theirs.next());
        while let (Some(a), Some(b)) = (our, their) {
            let end = a.0.min(b.0);
            merged.push(end - merged.len().min(end), a.1.better(b.1));
            if a.0 <= end {
                our = ours.next();
            }
            if b.0 <= end {
                their = theirs.next();
            }
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::format::Format;

    #[test]
    fn runs_are_found_by_line() {
        let mut account = Account::default();
        account.push(2, LineUse::Blank);
        account.push(1, LineUse::Row(0));
        account.push(1, LineUse::Row(0));
        account.push(0, LineUse::Blank);
        assert_eq!(account.runs().collect::<Vec<_>>(), [(1, 2, LineUse::Blank), (3, 4, LineUse::Row(0))]);
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(|line| account.get(line).is_some()),
            [false, true, true, true, true, false]
        );
    }

    #[test]
    fn the_better_of_two_readings_is_kept() {
        let skipped = LineUse::Skipped(Why::new("no row"));
        let (mut one, mut other) = (Account::default(), Account::default());
        one.push(1, LineUse::Row(0));
        one.push(3, skipped);
        other.push(3, skipped);
        other.push(1, LineUse::Row(1));
        let merged = one.merge(&other);
        assert_eq!(
            [1, 2, 3, 4].map(|line| merged.get(line)),
            [LineUse::Row(0), skipped, skipped, LineUse::Row(1)].map(Some)
        );
    }

    #[test]
    fn reasons_name_numbers_and_columns() {
        let tables = [Table::new(Format::Slabinfo, ["name", "objs"])];
        let why = LineUse::Skipped(Why::with("@ is no number, # fields", [1, 7]).of(0));
        assert_eq!(why.why(&tables).as_deref(), Some("objs is no number, 7 fields"));
        assert_eq!(LineUse::Blank.why(&tables), None);
    }
}
