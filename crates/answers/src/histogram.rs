//! Stored sizes with their counts, from a table of sizes.

use slabscope_core::tell::counted;
use slabscope_core::whatif::Sizes;
use slabscope_formats::{Format, Paste, Table, read, read_below};

/// Largest object: a page of 64 KiB.
const LARGEST: u64 = 1 << 16;

/// Reads a text as sizes and counts, also where it is too short to be taken for that without a heading.
pub fn read_sizes(text: &str) -> Paste {
    let paste = read(text);
    if paste.first(Format::SizeHistogram).is_some()
        || !text.trim_start().starts_with(|c: char| c.is_ascii_digit())
    {
        return paste;
    }
    let headed = read_below("size count", text);
    // What is still none is told without a heading that is not in the text.
    if headed.first(Format::SizeHistogram).is_some() { headed } else { paste }
}

/// Sizes of the rows, and what was left out of them. A row of a range stands for sizes spread evenly over it.
pub fn sizes(table: &Table) -> (Vec<Sizes>, Option<String>) {
    let Some(names) = columns(table) else { return (Vec::new(), Some("no column has sizes".to_owned())) };
    let mut found = Vec::with_capacity(table.len());
    let mut left_out = 0u64;
    for row in table.rows() {
        let [from, to, count] = names.map(|column| row.int(column));
        let (from, count) = (from.unwrap_or(0), count.unwrap_or(0));
        match to.unwrap_or(from) {
            _ if count == 0 => {}
            to @ 1..=LARGEST if from <= to => {
                found.push(Sizes { from: from.max(1) as u32, to: to as u32, objects: count });
            }
            _ => left_out += 1,
        }
    }
    let told = (left_out > 0).then(|| {
        format!("left out: {}; 1 to {LARGEST} bytes are possible", counted(left_out, "row", "rows"))
    });
    (found, told)
}

/// Positions of the smallest size, the largest and the count.
fn columns(table: &Table) -> Option<[usize; 3]> {
    let totals = table.totals();
    let count = table.column(&totals.first()?.0)?;
    if let (Some(from), Some(to)) = (table.column("from"), table.column("to")) {
        return Some([from, to, count]);
    }
    // The column whose products with the counts are the bytes that the table sums up.
    let bytes = totals.iter().find(|(name, _)| name == "bytes").map(|(_, sum)| *sum)?;
    let is_size = |column: &usize| {
        let product = |row: slabscope_formats::Row<'_>| {
            row.int(*column).unwrap_or(0).saturating_mul(row.int(count).unwrap_or(0))
        };
        *column != count && table.rows().map(product).fold(0, u64::saturating_add) == bytes
    };
    let size = (0..table.columns().len()).find(is_size)?;
    Some([size, size, count])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn found(text: &str) -> (Vec<Sizes>, Option<String>) {
        sizes(read_sizes(text).first(Format::SizeHistogram).unwrap())
    }

    fn one(from: u32, to: u32, objects: u64) -> Sizes {
        Sizes { from, to, objects }
    }

    #[test]
    fn usual_spellings_are_read() {
        for text in [
            "44\t768\n258\t3\n",
            "size,count\n44,768\n258,3",
            "size count\n\n 44   768 \n 258 3\n300 0\n",
            "class_slot_bytes,share,obj_used\n44,0.99,768\n258,0.01,3\n",
        ] {
            assert_eq!(found(text), (vec![one(44, 44, 768), one(258, 258, 3)], None), "{text:?}");
        }
    }

    #[test]
    fn lines_are_counted_without_the_heading_that_was_put_above() {
        for text in ["100 1\nx 2\n0 4\n", "100 1\rx 2\r0 4\r"] {
            let paste = read_sizes(text);
            let table = paste.first(Format::SizeHistogram).unwrap();
            assert_eq!(table.rows().map(|row| row.line()).collect::<Vec<_>>(), [1], "{text:?}");
            let skipped: Vec<u32> = paste.skipped(0).map(|(line, _)| line).collect();
            assert_eq!((paste.line_count(), skipped), (3, vec![2, 3]), "{text:?}");
        }
        let warned = read_sizes("0 1\n100 2\n");
        assert_eq!(warned.first(Format::SizeHistogram).unwrap().warnings()[0].line, Some(1));
        assert_eq!(read_sizes("7 x\n8 y"), read("7 x\n8 y"));
    }

    #[test]
    fn ranges_stay_ranges() {
        let text = "@bytes:\n[0, 16)   5 |@@ |\n[16, 32)   10 |@@@@ |\n[32, 64)   1 |@ |\n";
        assert_eq!(found(text).0, [one(1, 15, 5), one(16, 31, 10), one(32, 63, 1)]);
    }

    #[test]
    fn sizes_that_cannot_be_are_told() {
        let (kept, told) = found("size count\n70000 1\n0 4\n100 2\n");
        assert_eq!(kept, [one(100, 100, 2)]);
        assert!(told.unwrap().starts_with("left out: 2 rows"));
    }
}
