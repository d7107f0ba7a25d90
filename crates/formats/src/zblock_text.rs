//! zblock's debugfs file `blocks`, written as the kernel prints it (since 28 April 2025).

use std::io::{self, Write};

use slabscope_core::pool::Pool as _;
use slabscope_core::zblock::Pool;

/// Writes the file of a pool: a line for each block type, also those without blocks.
///
/// # Errors
/// The output fails.
pub fn write_blocks<W: Write>(pool: &Pool, out: &mut W) -> io::Result<()> {
    write_prefixed(pool, "", out)
}

/// The same with something in front of each line.
pub(crate) fn write_prefixed<W: Write>(pool: &Pool, prefix: &str, out: &mut W) -> io::Result<()> {
    for row in pool.classes() {
        let (blocks, pages) = (row.spans, row.pages_per_span);
        let total = u64::from(blocks) * u64::from(pages);
        writeln!(out, "{prefix}{}: {blocks} blocks of {pages} pages (total {total} pages)", row.class)?;
    }
    Ok(())
}
