//! Where memory goes, as lines of text.

use std::io::{self, Write};

use slabscope_answers::waterfall::{Line, Waterfall};
use slabscope_core::tell::bytes;

/// Writes every part with its bytes, and whether they are exact.
///
/// # Errors
/// The output fails.
pub(crate) fn write_memory<W: Write>(found: &Waterfall, out: &mut W) -> io::Result<()> {
    let mut write = |title: &str, lines: &[Line]| {
        writeln!(out, "\n{title}")?;
        lines.iter().try_for_each(|line| {
            let exact = if line.is_exact { "exact" } else { "estimated" };
            writeln!(out, "  {:<50}{:>24}  {exact}", line.part.name(), bytes(line.bytes))
        })
    };
    write("What was written", &found.written)?;
    write("Where the memory is", &found.pool)?;
    write("The pool", &[found.total])?;
    write("Outside the pool, and in none of its figures", &found.outside)?;
    found.warnings.iter().try_for_each(|warning| writeln!(out, "  warning: {warning}"))
}
