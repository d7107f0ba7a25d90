//! `/proc/slabinfo` version 2.1: its lines as numbers, written as the kernel prints it.

use std::io::{self, Write};

use slabscope_core::pool::{ClassTotals, Pool as _};
use slabscope_core::slub::{Cache, Pool};

use crate::reading::{Row, Table};

/// The two heading lines.
pub const HEADING: [&str; 2] = [
    "slabinfo - version: 2.1",
    "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>",
];

/// A cache's line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlabinfoRow {
    /// Name of the cache.
    pub name: String,
    /// Objects in use. SLUB counts the free objects of slabs that a CPU holds among them.
    pub active_objs: u64,
    /// Objects that fit the slabs.
    pub num_objs: u64,
    /// Bytes of an object with its metadata.
    pub objsize: u64,
    /// Objects of a slab.
    pub objperslab: u64,
    /// Pages of a slab.
    pub pagesperslab: u64,
    /// `limit`, `batchcount` and `sharedfactor`: 0 in SLUB.
    pub tunables: [u64; 3],
    /// Slabs in use: all of them in SLUB.
    pub active_slabs: u64,
    /// Slabs.
    pub num_slabs: u64,
    /// 0 in SLUB.
    pub sharedavail: u64,
}

/// Writes a cache's line. Numbers that are wider than their column widen it, as they do in the kernel.
///
/// # Errors
/// The output fails.
pub fn write_row<W: Write>(row: &SlabinfoRow, out: &mut W) -> io::Result<()> {
    let SlabinfoRow { name, active_objs, num_objs, objsize, objperslab, pagesperslab, .. } = row;
    let ([limit, batch, shared], SlabinfoRow { active_slabs, num_slabs, sharedavail, .. }) =
        (row.tunables, row);
    write!(out, "{name:<17} {active_objs:>6} {num_objs:>6} {objsize:>6} {objperslab:>4} {pagesperslab:>4}")?;
    write!(out, " : tunables {limit:>4} {batch:>4} {shared:>4}")?;
    writeln!(out, " : slabdata {active_slabs:>6} {num_slabs:>6} {sharedavail:>6}")
}

/// Writes the file.
///
/// # Errors
/// The output fails.
pub fn write_slabinfo<W: Write>(rows: &[SlabinfoRow], out: &mut W) -> io::Result<()> {
    for line in HEADING {
        writeln!(out, "{line}")?;
    }
    rows.iter().try_for_each(|row| write_row(row, out))
}

/// The lines of a pool, largest objects first: caches that were made later come first in the file, and the order in
/// which kernels make these differs.
pub fn pool_rows(pool: &Pool) -> Vec<SlabinfoRow> {
    let caches = pool.geometry().caches();
    let row = |(class, cache): (&ClassTotals, &Cache)| {
        let node = pool.node_list(class.class);
        let free: u64 = node.iter().map(|slab| u64::from(slab.capacity - slab.used)).sum();
        SlabinfoRow {
            name: cache.name(pool.geometry().config()),
            active_objs: class.capacity - free,
            num_objs: class.capacity,
            objsize: cache.size.into(),
            objperslab: cache.objects.into(),
            pagesperslab: cache.pages.into(),
            tunables: [0; 3],
            active_slabs: class.spans.into(),
            num_slabs: class.spans.into(),
            sharedavail: 0,
        }
    };
    pool.classes().iter().zip(caches).rev().map(row).collect()
}

/// The lines of a table that was read; `None` where a number is missing, as in a line that was cut.
pub fn rows(table: &Table) -> Vec<Option<SlabinfoRow>> {
    let line = |row: Row<'_>| {
        Some(SlabinfoRow {
            name: row.text("name")?.to_owned(),
            active_objs: row.get("active_objs")?,
            num_objs: row.get("num_objs")?,
            objsize: row.get("objsize")?,
            objperslab: row.get("objperslab")?,
            pagesperslab: row.get("pagesperslab")?,
            tunables: [row.get("limit")?, row.get("batchcount")?, row.get("sharedfactor")?],
            active_slabs: row.get("active_slabs")?,
            num_slabs: row.get("num_slabs")?,
            sharedavail: row.get("sharedavail")?,
        })
    };
    table.rows().map(line).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{Format, read};

    #[test]
    fn lines_come_back_as_they_were() {
        let lines = [
            "dentry             82136  82137    208   19    1 : tunables    0    0    0 : slabdata   4323   4323      0",
            "a_name_longer_than_its_column 1234567      0    352   23    2 : tunables    0    0    0 : slabdata      0      0      0",
        ];
        let text = [HEADING[0], HEADING[1], lines[0], lines[1], ""].join("\n");
        let paste = read(&text);
        let read: Vec<SlabinfoRow> =
            rows(paste.first(Format::Slabinfo).unwrap()).into_iter().collect::<Option<_>>().unwrap();
        let mut out = Vec::new();
        write_slabinfo(&read, &mut out).unwrap();
        assert_eq!(String::from_utf8_lossy(&out), text);
    }

    #[test]
    fn lines_that_were_cut_are_none() {
        let paste = read("dentry 5 6 208 19 1 : tunables..\n");
        assert_eq!(rows(paste.first(Format::Slabinfo).unwrap()), [None]);
    }
}
