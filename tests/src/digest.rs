//! Digests of the texts that the models must reproduce.

use std::io;

use slabscope_core::digest::Fnv1a64;

use crate::data;

/// A row of a model's `digests.tsv`.
#[derive(Clone, Debug)]
pub struct Digest {
    /// What kind of text: a table, a report, a log. The folder's README names them.
    pub what: String,
    /// The configuration's tag.
    pub tag: String,
    /// The trace, or `-`.
    pub of: String,
    fnv: String,
}

impl Digest {
    /// All rows of a kind in the folder of a model.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn all(model: &str, what: &str) -> io::Result<Vec<Self>> {
        let table = data(&format!("{model}/digests.tsv"))?;
        let rows = table.lines().skip(1).filter_map(|line| {
            let mut cells = line.split('\t').map(str::to_owned);
            Some(Self { what: cells.next()?, tag: cells.next()?, of: cells.next()?, fnv: cells.next()? })
        });
        Ok(rows.filter(|row| row.what == what).collect())
    }

    /// True if a text has this digest.
    pub fn is_of(&self, text: &str) -> bool {
        format!("{:016x}", Fnv1a64::of(text)) == self.fnv
    }
}
