//! Caches of a pasted `/proc/slabinfo`.

use std::fmt;

use slabscope_formats::{Format, Row, Table, read};

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
    pub skipped: Vec<(u32, String)>,
}

/// A text without a row of slabinfo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSlabinfo(String);

impl fmt::Display for NotSlabinfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no row of a slabinfo: {}", self.0)
    }
}

impl std::error::Error for NotSlabinfo {}

/// Reads the slabinfo in a text, whatever surrounds it.
///
/// # Errors
/// There is none.
pub fn read_rows(text: &str) -> Result<SlabRows, NotSlabinfo> {
    let paste = read(text);
    let mut found = SlabRows::default();
    for (at, table) in paste.tables().iter().enumerate() {
        if table.format() == Format::Slabinfo {
            table.rows().for_each(|row| found.take(&row));
            found.skipped.extend(paste.skipped(at));
        }
    }
    found.skipped.sort_unstable();
    if found.rows.is_empty() {
        let nearest =
            paste.nearest().map_or_else(|| "another table is there".to_owned(), ToString::to_string);
        return Err(NotSlabinfo(nearest));
    }
    Ok(found)
}

impl SlabRows {
    /// Those of a table of slabinfo.
    pub fn of(table: &Table) -> Self {
        let mut found = Self::default();
        table.rows().for_each(|row| found.take(&row));
        found
    }

    fn take(&mut self, row: &Row<'_>) {
        let narrow = |column| {
            row.get(column).and_then(|number| u32::try_from(number).ok()).filter(|&number| number > 0)
        };
        let name = row.text("name").unwrap_or_default();
        let (active, num) = (row.get("active_objs").unwrap_or(0), row.get("num_objs").unwrap_or(0));
        match (narrow("objsize"), narrow("objperslab"), narrow("pagesperslab")) {
            (Some(objsize), Some(per_slab), Some(slab_pages)) => self.rows.push(SlabRow {
                name: name.to_owned(),
                objsize,
                // Objects come and go while the file is written.
                active: active.min(num),
                num,
                per_slab,
                slab_pages,
            }),
            _ => self.skipped.push((
                row.line(),
                "object size, objects or pages of a slab are not there, 0 or too large".to_owned(),
            )),
        }
    }
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
        assert_eq!(found.skipped.iter().map(|skipped| skipped.0).collect::<Vec<_>>(), [2, 4, 5]);
        assert!(read_rows("class size\n").is_err());
    }
}
