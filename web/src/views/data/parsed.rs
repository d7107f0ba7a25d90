//! A text that was read, with everything the view shows.

use slabscope_formats::classes::{Guess, NotClasses, Occupancy, Table, guess, occupancy, read_classes};

/// A text and what it was taken for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    /// Where it came from.
    pub(crate) name: String,
    /// Its lines.
    pub(crate) lines: Vec<String>,
    /// What it says.
    pub(crate) result: Result<Read, NotClasses>,
}

/// A table, what it was taken for, and where its memory goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) table: Table,
    pub(crate) guess: Option<Guess>,
    pub(crate) occupancy: Occupancy,
}

impl Parsed {
    /// Reads a text.
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let result = read_classes(text).map(|table| {
            let guess = guess(&table);
            let occupancy = guess.as_ref().map(|guess| occupancy(&table, guess)).unwrap_or_default();
            Read { table, guess, occupancy }
        });
        Self { name: name.to_owned(), lines: text.lines().map(str::to_owned).collect(), result }
    }
}
