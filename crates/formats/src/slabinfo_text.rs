//! `/proc/slabinfo` version 2.1, written as the kernel prints it.

use std::io::{self, Write};

use slabscope_core::pool::{ClassTotals, Pool as _};
use slabscope_core::slub::{Cache, Pool};

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

/// Reads a cache's line as the kernel prints it; `None` for any other line.
pub fn parse_row(line: &str) -> Option<SlabinfoRow> {
    let mut parts = line.split(" : ");
    let (cache, tunables, slabs) = (parts.next()?, parts.next()?, parts.next()?);
    let (name, cache) = cache.split_once(' ')?;
    let [active_objs, num_objs, objsize, objperslab, pagesperslab] = numbers(cache)?;
    let [active_slabs, num_slabs, sharedavail] = numbers(slabs.strip_prefix("slabdata")?)?;
    Some(SlabinfoRow {
        name: name.to_owned(),
        active_objs,
        num_objs,
        objsize,
        objperslab,
        pagesperslab,
        tunables: numbers(tunables.strip_prefix("tunables")?)?,
        active_slabs,
        num_slabs,
        sharedavail,
    })
    .filter(|_| parts.next().is_none())
}

fn numbers<const N: usize>(text: &str) -> Option<[u64; N]> {
    let parsed: Option<Vec<u64>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    parsed?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_they_were() {
        for line in [
            "dentry             82136  82137    208   19    1 : tunables    0    0    0 : slabdata   4323   4323      0",
            "a_name_longer_than_its_column 1234567      0    352   23    2 : tunables    0    0    0 : slabdata      0      0      0",
        ] {
            let mut out = Vec::new();
            let written = parse_row(line).map(|row| write_row(&row, &mut out).is_ok());
            assert_eq!(written, Some(true));
            assert_eq!(String::from_utf8_lossy(&out), format!("{line}\n"));
        }
    }

    #[test]
    fn other_lines_are_none() {
        for line in ["", HEADING[0], HEADING[1], "x 1 2 3 4 5 : tunables 0 0 0 : slabdata 1 2", "x 1 : y : z"]
        {
            assert_eq!(parse_row(line), None, "{line}");
        }
    }
}
