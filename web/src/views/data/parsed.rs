//! A text that was read, with everything the view shows.

use slabscope_formats::classes::{Occupancy, guess, occupancy};
use slabscope_formats::{Format, Paste, Table, raw_lines, read};

/// A text and what it was taken for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    /// Where it came from.
    pub(crate) name: String,
    /// Its lines.
    pub(crate) lines: Vec<String>,
    /// Every table in it, and what became of each line.
    pub(crate) paste: Paste,
    /// What the class table in it says, or why there is none.
    pub(crate) result: Result<Read, String>,
}

/// A class table, and where its memory goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Read {
    pub(crate) table: Table,
    pub(crate) occupancy: Occupancy,
}

impl Parsed {
    /// Reads a text.
    pub(crate) fn of(name: &str, text: &str) -> Self {
        let paste = read(text);
        let result = match (paste.first(Format::ZsmallocClasses), paste.nearest()) {
            (Some(table), _) => {
                let occupancy = guess(table).map(|guess| occupancy(table, &guess)).unwrap_or_default();
                Ok(Read { table: table.clone(), occupancy })
            }
            (None, Some(nearest)) => Err(format!("nothing was recognised; {nearest}")),
            (None, None) => Err("it has no zsmalloc classes table".to_owned()),
        };
        Self { name: name.to_owned(), lines: raw_lines(text).map(str::to_owned).collect(), paste, result }
    }
}
