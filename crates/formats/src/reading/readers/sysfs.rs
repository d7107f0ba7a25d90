//! Files of `/sys/kernel/slab`, a folder for each cache.

use super::pairs::{Pair, Records, claim, number_or_text, pairs};
use crate::reading::format::Format;
use crate::reading::sheet::{Sheet, Verdict};

/// Names that only these folders have.
const OWN: [&str; 20] = [
    "objs_per_slab",
    "cpu_slabs",
    "cpu_partial",
    "slabs_cpu_partial",
    "min_partial",
    "object_size",
    "slab_size",
    "objects_partial",
    "total_objects",
    "cache_dma",
    "destroy_by_rcu",
    "hwcache_align",
    "red_zone",
    "reclaim_account",
    "sanity_checks",
    "store_user",
    "remote_node_defrag_ratio",
    "usersize",
    "skip_kfence",
    "sheaf_capacity",
];

/// Names that others have too.
const SHARED: [&str; 12] = [
    "align", "aliases", "ctor", "objects", "order", "partial", "poison", "slabs", "trace", "failslab",
    "shrink", "validate",
];

/// Counters of `CONFIG_SLUB_STATS` begin with one of these.
const STATISTICS: [&str; 7] =
    ["alloc_", "free_", "cpu_partial_", "cpuslab_", "deactivate_", "cmpxchg_double_", "order_fallback"];

/// Finds one table with a row for each cache, and for each time its files are shown.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let is_own = |name: &str| OWN.contains(&name);
    let wanted = |name: &str| {
        is_own(name) || SHARED.contains(&name) || STATISTICS.iter().any(|start| name.starts_with(start))
    };
    let mut found = pairs(sheet, &wanted);
    found.retain(|pair| {
        is_own(pair.name) || is_slab(pair) || (pair.folder.contains('/') && !pair.folder.starts_with("/proc"))
    });
    let own = OWN.iter().filter(|name| found.iter().any(|pair| pair.name == **name)).count();
    let Some(first) = found.first().filter(|_| own >= 2 || found.iter().any(is_slab)) else {
        return match found.first() {
            Some(first) => Verdict::near(
                own as u32 + 1,
                Some(first.line),
                format!(
                    "{} is a file of /sys/kernel/slab, but no folder is named and no other of its files is there",
                    first.name
                ),
            ),
            None => Verdict::far("no line has a file such as objs_per_slab with its value"),
        };
    };
    let mut records = Records::default();
    let mut last: Option<&str> = None;
    for pair in &found {
        last = cache(pair).or(last);
        records.go_to(pair.line, "name", last, pair.name);
        records.set(pair.name, number_or_text(pair.value));
    }
    let mut table = records.table(Format::SlabSysfs);
    table.set_title(sheet.title(first.at));
    let id = sheet.add(table, first.at);
    claim(sheet, &found, id);
    Verdict::Mine
}

fn is_slab(pair: &Pair<'_>) -> bool {
    [pair.folder, pair.under]
        .iter()
        .any(|folder| folder.contains("kernel/slab") || folder.starts_with("slab/"))
}

/// The cache: the last folder of the path.
fn cache<'a>(pair: &Pair<'a>) -> Option<&'a str> {
    let folder = pair.folder.trim_end_matches('/');
    // A path that ends in the file itself.
    let folder = folder.strip_suffix(pair.name).and_then(|rest| rest.strip_suffix('/')).unwrap_or(folder);
    let name = folder.rsplit('/').next().unwrap_or(folder);
    (!matches!(name, "" | "slab" | "~" | ".")).then_some(name)
}
