//! What a replay of a zblock trace reports: the snapshots of the golden data.

use std::io::{self, Write};

use slabscope_core::pool::{Pool as _, SpanView, sort_by_number};
use slabscope_core::zblock::Pool;

use crate::zblock_text::write_prefixed;

/// Writes snapshot number `number`, taken after `ops` operations: sums, each type with its lists or its cache,
/// each block, and the debugfs file where the version has one.
///
/// # Errors
/// The output fails.
pub fn write_snapshot<W: Write>(pool: &Pool, number: u32, ops: u64, out: &mut W) -> io::Result<()> {
    write_sums(pool, number, ops, out)?;
    write_types(pool, out)?;
    write_blocks(pool, out)?;
    if pool.rules().debugfs {
        write_prefixed(pool, "D\t", out)?;
    }
    Ok(())
}

fn write_sums<W: Write>(pool: &Pool, number: u32, ops: u64, out: &mut W) -> io::Result<()> {
    let totals = pool.totals();
    let slot_bytes: u64 = pool.classes().iter().map(|row| row.objects * u64::from(row.size)).sum();
    write!(out, "S\t{number}\tafter_ops={ops}\tlive={}\tlive_bytes={}", totals.objects, totals.bytes)?;
    write!(out, "\tslot_bytes={slot_bytes}\tblocks={}\tpages={}", totals.spans, totals.pages)?;
    let free = totals.capacity - totals.objects;
    write!(out, "\ttotal_slots={}\tfree_slots={free}", totals.capacity)?;
    writeln!(out, "\tfailed_allocs={}\tblocks_created={}", totals.failed, pool.blocks_created())
}

fn write_types<W: Write>(pool: &Pool, out: &mut W) -> io::Result<()> {
    for row in pool.classes().iter().filter(|row| row.spans > 0) {
        let (kind, pages) = (row.class, row.pages_per_span);
        write!(out, "T\t{kind}\tslot_size={}\tslots={}\tpages={pages}", row.size, row.objects_per_span)?;
        let total = u64::from(row.spans) * u64::from(pages);
        writeln!(out, "\tblocks={}\ttotal_pages={total}\tused={}", row.spans, row.objects)?;
        write_lists(pool, kind, out)?;
    }
    Ok(())
}

fn write_lists<W: Write>(pool: &Pool, kind: u16, out: &mut W) -> io::Result<()> {
    let created = pool.creation_list(kind);
    if !created.is_empty() {
        write!(out, "L\t{kind}\tlist")?;
        for id in created {
            write!(out, "\t{}", id.0)?;
        }
        writeln!(out)?;
    }
    let cache = pool.cache(kind);
    if !cache.is_empty() {
        write!(out, "L\t{kind}\tcache")?;
        for (cell, id) in cache {
            write!(out, "\t{cell}:{}", id.0)?;
        }
        writeln!(out)?;
    }
    for (group, name) in pool.group_names().iter().enumerate() {
        if pool.keeps_list(group as u8) {
            write!(out, "L\t{kind}\t{name}")?;
            for block in pool.group_list(kind, group as u8) {
                write!(out, "\t{}", block.id.0)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_blocks<W: Write>(pool: &Pool, out: &mut W) -> io::Result<()> {
    let mut blocks: Vec<SpanView> = Vec::new();
    pool.for_each_span(&mut |block| blocks.push(block));
    sort_by_number(&mut blocks);
    for block in blocks {
        let free = block.capacity - block.used;
        write!(out, "B\t{}\ttype={}\tfree={free}\tbitmap=", block.id.0, block.class)?;
        for word in pool.bitmap(block.key).iter().rev() {
            write!(out, "{word:016x}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
