//! What a replay of a zsmalloc trace reports: the `.out` text of the golden data.

use std::io::{self, Write};

use slabscope_core::oplog::{LogDigest, Outcome};
use slabscope_core::pool::{Compaction, ObjectId, Pool as _, SlotView, SpanView};
use slabscope_core::zsmalloc::{Grouping, Pool};

use crate::zsmalloc_text::write_classes;

/// Writes report number `number`, asked for by operation `op`: the classes file, sums, every zspage.
/// `name_of` gives the trace's own number of an object.
///
/// # Errors
/// The output fails.
pub fn write_stats<W: Write>(
    pool: &Pool,
    number: u32,
    op: u64,
    name_of: &dyn Fn(ObjectId) -> u64,
    out: &mut W,
) -> io::Result<()> {
    writeln!(out, "@stats {number} op={op}")?;
    write_classes(pool, out)?;
    let totals = pool.totals();
    write!(
        out,
        "@pool pages_allocated={} pages_compacted={} objects={} bytes={} freeable=",
        totals.pages,
        pool.pages_compacted(),
        totals.objects,
        totals.bytes
    )?;
    if pool.rules().counts_pages_compacted {
        writeln!(out, "{}", pool.freeable_pages())?;
    } else {
        writeln!(out, "-")?;
    }
    writeln!(out, "@zspages {}", totals.spans)?;
    writeln!(out, "class\tzid\tpages\tinuse\tmax\tgroup\tpos\tbitmap\tobjs")?;
    for class in pool.classes().iter().filter(|class| class.spans > 0) {
        for group in (0..pool.group_names().len() as u8).rev() {
            for (position, span) in pool.group_list(class.class, group).iter().enumerate() {
                write_zspage(pool, span, group, position, name_of, out)?;
            }
        }
    }
    writeln!(out, "@end")
}

fn write_zspage<W: Write>(
    pool: &Pool,
    span: &SpanView,
    group: u8,
    position: usize,
    name_of: &dyn Fn(ObjectId) -> u64,
    out: &mut W,
) -> io::Result<()> {
    write!(
        out,
        "{}\t{}\t{}\t{}\t{}\t{}\t",
        span.class,
        span.id.0,
        span.pages,
        span.used,
        span.capacity,
        group_word(pool, group)
    )?;
    if pool.keeps_list(group) {
        write!(out, "{position}\t")?;
    } else {
        out.write_all(b"-\t")?;
    }
    let slots = pool.slots(span.key);
    for slot in &slots {
        out.write_all(if matches!(slot, SlotView::Used { .. }) { b"1" } else { b"0" })?;
    }
    let mut separator = "\t";
    for (index, slot) in slots.iter().enumerate() {
        if let SlotView::Used { object, .. } = slot {
            write!(out, "{separator}{index}:{}", name_of(*object))?;
            separator = ",";
        }
    }
    writeln!(out)
}

/// `ALMOST_FULL` or `RATIO_60`.
fn group_word(pool: &Pool, group: u8) -> String {
    let name = pool.group_names()[usize::from(group)];
    match pool.rules().grouping {
        Grouping::Quarters => name.to_ascii_uppercase(),
        Grouping::Tenths => format!("RATIO_{}", name.trim_end_matches('%')),
    }
}

/// Writes what a compaction asked for by operation `op` did.
///
/// # Errors
/// The output fails.
pub fn write_compaction<W: Write>(pool: &Pool, op: u64, outcome: Outcome, out: &mut W) -> io::Result<()> {
    let Outcome::Compacted(Compaction { returned, objects_moved, pages_freed }) = outcome else {
        return Ok(());
    };
    write!(
        out,
        "@compact op={op} ret={returned} objs_moved={objects_moved} pages_freed={pages_freed} pages_compacted="
    )?;
    if pool.rules().counts_pages_compacted {
        writeln!(out, "{}", pool.pages_compacted())
    } else {
        writeln!(out, "-")
    }
}

/// Writes the last line: the digest of the operation log.
///
/// # Errors
/// The output fails.
pub fn write_digest<W: Write>(digest: LogDigest, ops: u64, out: &mut W) -> io::Result<()> {
    writeln!(out, "@log_fnv1a64 {:016x} ops={ops}", digest.value())
}
