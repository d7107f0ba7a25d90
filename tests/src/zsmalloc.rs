//! Configurations and traces of the zsmalloc suites.

use std::io;

use slabscope_core::digest::Fnv1a64;
use slabscope_core::zsmalloc::{Bits, Config, Era};

use crate::testdata;

/// `e6.12_b64_p52_s12_m8` as a configuration.
pub fn config_of_tag(tag: &str) -> Option<Config> {
    let mut fields = tag.split('_');
    let era = Era::from_name(fields.next()?.strip_prefix('e')?)?;
    let mut number = |letter| fields.next()?.strip_prefix(letter)?.parse::<u8>().ok();
    Some(Config {
        era,
        bits: Bits::from_count(number('b')?.into())?,
        phys_bits: number('p')?,
        page_shift: number('s')?,
        max_pages: number('m')?,
        class_delta: None,
    })
}

/// A file of the repository's zsmalloc data.
///
/// # Errors
/// It is not there.
pub fn data(path: &str) -> io::Result<String> {
    let path = testdata("zsmalloc").join(path);
    std::fs::read_to_string(&path).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// The text of a trace by its name.
///
/// # Errors
/// There is no such trace.
pub fn trace(name: &str) -> io::Result<String> {
    let derived = |operations: usize| -> io::Result<String> {
        let long = data("traces/p06_100k.trace")?;
        let kept = long.lines().filter(|line| !line.starts_with('#') && *line != "c").take(operations);
        Ok(kept.chain(["s"]).flat_map(|line| [line, "\n"]).collect())
    };
    match name {
        "p07_nocompact" => derived(16_000),
        "p09_100k_nocompact" => derived(usize::MAX),
        _ => data(&format!("traces/{name}.trace")),
    }
}

/// A row of `digests.tsv`.
#[derive(Clone, Debug)]
pub struct Digest {
    /// `classes`, `nominal`, `report`, `log` or `kernel`.
    pub what: String,
    /// The configuration's tag.
    pub tag: String,
    /// The trace, or `-`.
    pub of: String,
    fnv: String,
}

impl Digest {
    /// All rows of a kind.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn all(what: &str) -> io::Result<Vec<Self>> {
        let table = data("digests.tsv")?;
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
