//! What a table tells of itself once it is read: which kernel printed it, and what does not fit together in it.
//!
//! It needs no more than the table, so that a page can read in one place and explain in another.

mod slabinfo;
mod slabinfo_tool;
mod slabtop;
mod sysfs;
mod zblock;
mod zram;

use crate::classes;
use crate::reading::{Format, Table};

/// Of these tables of a text it is worked out which kernel printed them.
const MOST_GUESSED: usize = 256;

/// Writes era, evidence and warnings into the tables of a text, in their order.
pub fn explain(tables: &mut [Table]) {
    for (at, table) in tables.iter_mut().enumerate() {
        one(table, at < MOST_GUESSED);
        table.finish();
    }
}

/// Without `guesses` the kernel is not looked for.
fn one(table: &mut Table, guesses: bool) {
    let said = match table.format() {
        Format::ZsmallocClasses => return classes::explain(table, guesses),
        Format::ZblockBlocks => return zblock::explain(table, guesses),
        Format::Slabinfo => return slabinfo::explain(table),
        Format::SlabinfoTool => slabinfo_tool::oddities(table),
        Format::Slabtop => slabtop::oddities(table),
        Format::SlabSysfs => sysfs::oddities(table),
        Format::ZramMmStat | Format::ZramAttributes => zram::oddities(table),
        Format::Zramctl => zram::rounded(table),
        _ => return,
    };
    for (line, text) in said {
        table.warn(Some(line), text);
    }
}
