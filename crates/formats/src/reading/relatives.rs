//! Texts that are near to a format, but have not what it needs: what they are, and what to paste instead.

use super::format::Format;
use super::sheet::{Near, Sheet};

/// Words of a text, the format that it is near to, and why it is not one.
const RELATIVES: [(&str, Format, &str); 17] = [
    (
        "zsmalloc_test:",
        Format::ZsmallocClasses,
        "messages of the module zsmalloc_test: sums of a pool, but no classes",
    ),
    (
        "TailWaste",
        Format::ZsmallocClasses,
        "a table of a simulator: sizes and chains, but no objects of a pool",
    ),
    (
        "pages_per_zspage",
        Format::ZsmallocClasses,
        "columns of a class table, but not class, size, obj_allocated and obj_used",
    ),
    ("con-bounces", Format::ZsmallocClasses, "figures of lock_stat: waiting times, but no objects or pages"),
    ("waittime", Format::ZsmallocClasses, "figures of lock_stat: waiting times, but no objects or pages"),
    ("zRAM.", Format::ZramMmStat, "a report of a tool with rounded figures: mm_stat itself is needed"),
    ("zram0:", Format::ZramMmStat, "a report of a tool with rounded figures: mm_stat itself is needed"),
    (
        "/dev/zram",
        Format::Zramctl,
        "a device is named, as in /proc/swaps, but not what it stores: zramctl or mm_stat has that",
    ),
    ("zswpin", Format::ZswapDebugfs, "counters of vmstat: how often, but not how much is stored"),
    (
        "slab_unreclaimable",
        Format::Meminfo,
        "a report of the kernel on all memory: the caches are in slabinfo",
    ),
    ("nr_slab", Format::Meminfo, "counters of vmstat: the caches are in slabinfo"),
    ("buff/cache", Format::Meminfo, "the output of free: meminfo has the slab line that it leaves out"),
    ("objperslab", Format::Slabinfo, "columns of slabinfo, but not name, active_objs and num_objs"),
    (
        "kmalloc-",
        Format::Slabinfo,
        "a cache is named, but its line has not the numbers of slabinfo, slabtop or the slabinfo tool",
    ),
    (
        "age=",
        Format::SlabSysfs,
        "who allocated objects of a cache: its sizes are in other files of the folder",
    ),
    ("zone", Format::Meminfo, "figures of memory zones: the caches are in slabinfo"),
    (
        "slab",
        Format::Slabinfo,
        "it is about slabs, but no line has the numbers of slabinfo, slabtop or the slabinfo tool",
    ),
];

/// What a text in which no reader found a sign may be.
pub(super) fn relative(sheet: &Sheet<'_>) -> Option<(Format, Near)> {
    let found = RELATIVES.iter().find_map(|&(word, format, why)| {
        let (_, line) = sheet.free().find(|(_, line)| line.text.contains(word))?;
        Some((format, Near { signs: 1, line: Some(line.number), why: why.to_owned() }))
    });
    found.or_else(|| by_shape(sheet))
}

/// By the shape of the first line of data.
fn by_shape(sheet: &Sheet<'_>) -> Option<(Format, Near)> {
    let (_, line) = sheet.free().next()?;
    let near =
        |format, why: &str| Some((format, Near { signs: 1, line: Some(line.number), why: why.to_owned() }));
    let words: Vec<&str> = line.words().take(4).collect();
    let is_block = |word: &str| word.len() >= 4 && word.bytes().all(|byte| b".swhirn".contains(&byte));
    match words[..] {
        [_, time, flags] if time.contains('.') && is_block(flags) => {
            near(Format::ZramMmStat, "block_state of zram: when each block was used, but not its size")
        }
        _ if line.text.contains("pages") || line.text.contains("codec") || line.text.contains("comp_len") => {
            near(Format::SizeHistogram, "columns are named, but not one of sizes and one of counts")
        }
        _ => None,
    }
}
