//! Caches of a pasted `/proc/slabinfo`.

use std::fmt;

use slabscope_formats::classes::clean;
use slabscope_formats::slabinfo_text::parse_row;

/// A cache and how full it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlabRow {
    /// Name.
    pub name: String,
    /// Bytes of an object with its metadata.
    pub objsize: u32,
    /// Objects in use; SLUB counts free ones of slabs that a CPU holds among them.
    pub active: u64,
    /// Places for objects.
    pub num: u64,
    /// Objects of a slab.
    pub per_slab: u32,
    /// Pages of a slab.
    pub slab_pages: u32,
}

impl SlabRow {
    /// Slabs held.
    pub fn slabs(&self) -> u64 {
        self.num.div_ceil(u64::from(self.per_slab).max(1))
    }

    /// Pages held.
    pub fn pages(&self) -> u64 {
        self.slabs().saturating_mul(self.slab_pages.into())
    }
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlabRows {
    /// The caches in the order of the file.
    pub rows: Vec<SlabRow>,
    /// Lines that were left out, each with its number and the reason.
    pub skipped: Vec<(usize, &'static str)>,
}

/// A text without a line of slabinfo 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSlabinfo;

impl fmt::Display for NotSlabinfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no line of slabinfo 2.1: name, five numbers, tunables and slabdata")
    }
}

impl std::error::Error for NotSlabinfo {}

/// Reads the lines of slabinfo 2.1, quoted or not.
///
/// # Errors
/// There is none.
pub fn read_rows(text: &str) -> Result<SlabRows, NotSlabinfo> {
    let mut found = SlabRows::default();
    for (index, line) in text.lines().enumerate() {
        let line = clean(line);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("slabinfo - version") {
            continue;
        }
        match parse_row(line) {
            None => found.skipped.push((index + 1, "not a line of slabinfo 2.1")),
            Some(row) => {
                let narrow = |number: u64| u32::try_from(number).ok().filter(|&number| number > 0);
                match (narrow(row.objsize), narrow(row.objperslab), narrow(row.pagesperslab)) {
                    (Some(objsize), Some(per_slab), Some(slab_pages)) => found.rows.push(SlabRow {
                        name: row.name,
                        objsize,
                        // Objects come and go while the file is written.
                        active: row.active_objs.min(row.num_objs),
                        num: row.num_objs,
                        per_slab,
                        slab_pages,
                    }),
                    _ => found
                        .skipped
                        .push((index + 1, "object size, objects or pages of a slab are 0 or too large")),
                }
            }
        }
    }
    if found.rows.is_empty() { Err(NotSlabinfo) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_others_told() {
        let text = "slabinfo - version: 2.1\n# name ...\n> dentry 82140 82137 208 19 1 : tunables 0 0 0 : slabdata 4323 4323 0\nodd\nx 1 1 0 1 1 : tunables 0 0 0 : slabdata 1 1 0\n";
        let found = read_rows(text).unwrap_or_default();
        assert_eq!(found.rows.len(), 1);
        let row = &found.rows[0];
        assert_eq!((row.name.as_str(), row.active, row.slabs(), row.pages()), ("dentry", 82137, 4323, 4323));
        assert_eq!(found.skipped.iter().map(|skipped| skipped.0).collect::<Vec<_>>(), [4, 5]);
        assert_eq!(read_rows("class size\n"), Err(NotSlabinfo));
    }
}
