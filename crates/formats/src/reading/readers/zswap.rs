//! zswap's debugfs files and module parameters.

use slabscope_core::tell::grouped;

use super::pairs::{Records, claim, number_or_text, pairs};
use crate::reading::format::Format;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::Table;

/// Counters of every kernel since 3.11.
const COUNTERS: [&str; 15] = [
    "stored_pages",
    "pool_total_size",
    "same_filled_pages",
    "written_back_pages",
    "pool_limit_hit",
    "reject_reclaim_fail",
    "reject_alloc_fail",
    "reject_kmemcache_fail",
    "reject_compress_poor",
    "reject_compress_fail",
    "decompress_fail",
    "duplicate_entry",
    "stored_incompressible_pages",
    "pool_pages",
    "zero_filled_pages",
];

/// Module parameters; others have files of these names too.
const PARAMETERS: [&str; 10] = [
    "enabled",
    "compressor",
    "zpool",
    "max_pool_percent",
    "accept_threshold_percent",
    "same_filled_pages_enabled",
    "non_same_filled_pages_enabled",
    "exclusive_loads",
    "shrinker_enabled",
    "swap_full_proactive",
];

/// Finds one table with a row for each moment at which the counters were shown.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = pairs(sheet, &|name| COUNTERS.contains(&name) || PARAMETERS.contains(&name));
    found.retain(|pair| pair.folder.contains("zswap") || COUNTERS.contains(&pair.name));
    let named = found.iter().any(|pair| pair.folder.contains("zswap"));
    let counters = COUNTERS.iter().filter(|name| found.iter().any(|pair| pair.name == **name)).count();
    let Some(first) = found.first().filter(|_| named || counters >= 2) else { return not_mine(sheet) };
    let mut records = Records::default();
    records.begin(first.line);
    for pair in &found {
        if records.has(pair.name) {
            records.begin(pair.line);
        }
        records.set_at(pair.line, pair.name, number_or_text(pair.value));
    }
    let mut table = records.table(Format::ZswapDebugfs);
    table.set_title(sheet.title(first.at));
    explain(&mut table, &records);
    let id = sheet.add(table, first.at);
    claim(sheet, &found, id);
    Verdict::Mine
}

fn not_mine(sheet: &Sheet<'_>) -> Verdict {
    let mut bare = sheet.free().filter(|(_, line)| {
        let mut words = line.words();
        words.next().is_some_and(|word| COUNTERS.contains(&word)) && words.count() == 1
    });
    match bare.next() {
        Some((_, line)) => {
            let count = 1 + bare.count();
            let why = format!(
                "{count} lines have names of its counters, but a tool printed them: path:value, as grep -r prints it, is expected"
            );
            Verdict::near(count as u32, Some(line.number), why)
        }
        None => Verdict::far("no line has a counter such as stored_pages with its value"),
    }
}

fn explain(table: &mut Table, records: &Records<'_>) {
    let has = |name: &str| table.column(name).is_some();
    let kernels = if has("decompress_fail") || has("stored_incompressible_pages") {
        Some("decompress_fail is there: newer than 6.12")
    } else if has("duplicate_entry") {
        Some("duplicate_entry is there: up to 6.6")
    } else if has("same_filled_pages") {
        Some("same_filled_pages is there: up to 6.11")
    } else {
        None
    };
    if let Some(kernels) = kernels {
        table.tell(kernels.to_owned());
    }
    let mut said = Vec::new();
    for (index, row) in table.rows().enumerate() {
        let (Some(stored), Some(size)) = (row.get("stored_pages"), row.get("pool_total_size")) else {
            continue;
        };
        let line = Some(records.line(index, "pool_total_size"));
        let original = stored.saturating_mul(4096);
        if size > original && stored > 0 {
            said.push((
                line,
                format!(
                    "the pool of {} bytes is larger than the {} pages of 4 KiB in it ({} bytes)",
                    grouped(size),
                    grouped(stored),
                    grouped(original)
                ),
            ));
        }
        if stored == 0 && size > 0 {
            said.push((line, format!("the pool takes {} bytes, but no page is stored", grouped(size))));
        }
        if let Some(same) = row.get("same_filled_pages")
            && same > stored
        {
            said.push((
                line,
                format!("{} same-filled pages are more than the {} stored", grouped(same), grouped(stored)),
            ));
        }
    }
    for (line, text) in said {
        table.warn(line, text);
    }
}
