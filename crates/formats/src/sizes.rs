//! A size histogram as a distribution of sizes for a workload.

use std::fmt;

use slabscope_core::ops::Ops;
use slabscope_core::workload::Measured;
use slabscope_core::zsmalloc::Geometry;

use crate::classes::{Guess, class_of};
use crate::reading::{Row, Table, Warning, count_column, size_column};

/// A distribution, and what had to be left out or assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The sizes and how often each occurs.
    pub measured: Measured,
    /// Rows that were left out, and ends that were assumed, each with its line.
    pub warnings: Vec<Warning>,
}

/// Why a table is no distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSizes {
    /// It has no column of sizes, or none of counts.
    NoColumns,
    /// All its counts are 0, or its sizes out of range.
    NoObjects,
}

impl fmt::Display for NoSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColumns => f.write_str("the table has no column of sizes and one of counts"),
            Self::NoObjects => write!(f, "no row has objects of 1 to {} bytes", Ops::MAX_SIZE),
        }
    }
}

impl std::error::Error for NoSizes {}

/// The distribution that a table of [`Format::SizeHistogram`](crate::Format::SizeHistogram) describes. In a range of
/// sizes all are equally likely; a range without an end is taken for its beginning.
///
/// # Errors
/// The table has no sizes and counts, or no objects.
pub fn sizes(table: &Table) -> Result<Sizes, NoSizes> {
    let count = count_column(table).ok_or(NoSizes::NoColumns)?;
    let ends = table.column("from").zip(table.column("to"));
    let (from, to) = match ends {
        Some(ends) => ends,
        None => {
            let size = size_column(table).ok_or(NoSizes::NoColumns)?;
            (size, size)
        }
    };
    let mut warnings = Vec::new();
    let mut found = Vec::new();
    for row in table.rows() {
        let Some(count) = row.int(count).filter(|count| *count > 0) else { continue };
        match range(&row, from, to) {
            Ok((from, to, assumed)) => {
                if let Some(text) = assumed {
                    warnings.push(Warning { line: Some(row.line()), text });
                }
                found.push((from, to, count));
            }
            Err(why) => {
                let text = format!("{count} objects are left out: {why}");
                warnings.push(Warning { line: Some(row.line()), text });
            }
        }
    }
    let measured = Measured::new(&found).ok_or(NoSizes::NoObjects)?;
    Ok(Sizes { measured, warnings })
}

/// The sizes that the objects of a class table may have, in each class all alike. Rows that are no class of what the
/// table was taken for are left out.
pub fn class_sizes(table: &Table, guess: &Guess) -> Option<Measured> {
    let geometry = Geometry::new(&guess.config).ok()?;
    let found: Vec<(u32, u32, u64)> = table
        .rows()
        .filter_map(|row| {
            let class = class_of(&geometry, row.get("class"), row.get("size"))?;
            let (from, to) = geometry.requests(geometry.position_of_index(class.index)?)?;
            Some((from, to, row.get("obj_used")?))
        })
        .collect();
    Measured::new(&found)
}

/// The ends of a row in bytes, and what had to be assumed of them.
fn range(row: &Row<'_>, from: usize, to: usize) -> Result<(u32, u32, Option<String>), String> {
    let bytes = |size: u64| u32::try_from(size).ok().filter(|size| *size <= Ops::MAX_SIZE);
    let largest = || format!("sizes end at {} bytes", Ops::MAX_SIZE);
    match (row.int(from), row.int(to)) {
        (_, Some(0)) => Err("they have 0 bytes or fewer".to_owned()),
        (Some(from), Some(to)) if from > to => Err(format!("{from} is above {to}")),
        (from, Some(to)) => {
            let assumed =
                from.is_none().then(|| format!("the range up to {to} has no beginning: 1 is assumed"));
            let from = from.unwrap_or(1).max(1);
            Ok((bytes(from).ok_or_else(largest)?, bytes(to).ok_or_else(largest)?, assumed))
        }
        (Some(from), None) => {
            let size = bytes(from).ok_or_else(largest)?;
            Ok((
                size.max(1),
                size.max(1),
                Some(format!("the range from {from} has no end: all of it is taken for {from}")),
            ))
        }
        (None, None) => Err("no size is given".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{Format, read};

    fn sizes_of(text: &str) -> Result<Sizes, NoSizes> {
        sizes(read(text).first(Format::SizeHistogram).unwrap())
    }

    #[test]
    fn pairs_and_columns_are_sizes_with_counts() {
        for text in [
            "size,count\n100,2\n300,6\n",
            "obj_used;class_slot_bytes;share\n2;100;0.1\n6;300;0.3\n",
            "@[x, 100]: 2\n@[x, 300]: 6\n",
        ] {
            let found = sizes_of(text).unwrap();
            assert_eq!((found.measured.total(), found.measured.mean_bytes()), (8, 250), "{text}");
            assert_eq!(found.warnings, []);
        }
    }

    #[test]
    fn open_and_empty_ranges_are_told() {
        let text = "@bytes:\n(..., 0)   3 |@|\n[1, 100)  5 |@|\n[4096, ...)   7 |@|\n";
        let found = sizes_of(text).unwrap();
        assert_eq!((found.measured.total(), found.measured.range()), (12, (1, 4096)));
        let lines: Vec<Option<u32>> = found.warnings.iter().map(|warning| warning.line).collect();
        assert_eq!(lines, [Some(2), Some(4)]);
    }

    #[test]
    fn without_objects_there_is_no_distribution() {
        assert_eq!(sizes_of("size count\n8 0\n16 0\n").unwrap_err(), NoSizes::NoObjects);
        let other = read("Slab: 5 kB\n");
        assert_eq!(sizes(other.first(Format::Meminfo).unwrap()).unwrap_err(), NoSizes::NoColumns);
    }
}
