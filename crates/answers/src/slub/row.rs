//! Caches of a pasted `/proc/slabinfo`.

use std::fmt;

use slabscope_core::ranked::rank;
use slabscope_formats::{Format, Paste, Row, Table, read};

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
    from_paste(&read(text))
}

/// The slabinfo in a text that was read, with the lines that were left out.
///
/// # Errors
/// There is none.
pub fn from_paste(paste: &Paste) -> Result<SlabRows, NotSlabinfo> {
    let mut found = from_tables(paste.tables());
    for (at, table) in paste.tables().iter().enumerate() {
        if table.format() == Format::Slabinfo {
            found.skipped.extend(paste.skipped(at));
        }
    }
    rank(&mut found.skipped, |skipped| skipped.0.into());
    if found.rows.is_empty() {
        let nearest =
            paste.nearest().map_or_else(|| "another table is there".to_owned(), ToString::to_string);
        return Err(NotSlabinfo(nearest));
    }
    Ok(found)
}

/// The caches of every slabinfo among tables.
pub fn from_tables(tables: &[Table]) -> SlabRows {
    let mut found = SlabRows::default();
    let tables = tables.iter().filter(|table| table.format() == Format::Slabinfo);
    tables.flat_map(Table::rows).for_each(|row| found.take(&row));
    found
}

/// The caches of the last slabtop among tables. It rounds the sizes of objects, so that these rows say how full the
/// caches are, but not what orders they would have elsewhere.
pub fn from_slabtop(tables: &[Table]) -> Vec<SlabRow> {
    let Some(table) = tables.iter().rfind(|table| table.format() == Format::Slabtop) else {
        return Vec::new();
    };
    let row = |row: Row<'_>| {
        let get = |column| row.get(column).unwrap_or(0);
        let narrow = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let slab = get("CACHE SIZE").checked_div(get("SLABS")).unwrap_or(0);
        SlabRow {
            name: row.text("NAME").unwrap_or_default().to_owned(),
            objsize: narrow(get("OBJ SIZE")),
            active: get("ACTIVE").min(get("OBJS")),
            num: get("OBJS"),
            per_slab: narrow(get("OBJ/SLAB")).max(1),
            // Pages of 4 KiB: slabtop does not say how large they are.
            slab_pages: narrow(slab / 4096).max(1),
        }
    };
    table.rows().map(row).collect()
}

impl SlabRows {
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

    #[test]
    fn slabtop_gives_how_full_caches_are() {
        let text = "  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME\n328160  80830  24%    0.50K  10255       32    164080K kmalloc-512\n";
        let rows = from_slabtop(read(text).tables());
        assert_eq!(
            (rows[0].active, rows[0].num, rows[0].slab_pages, rows[0].pages()),
            (80_830, 328_160, 4, 41_020)
        );
        assert!(from_tables(read(text).tables()).rows.is_empty());
    }
}
