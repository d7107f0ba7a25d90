//! What does not fit together in zram's numbers, whoever printed them.

use slabscope_core::tell::grouped;

use crate::reading::{Row, Table};

/// Bytes of a page.
const PAGE: u64 = 4096;

/// Of mm_stat, or of the older files with one number each.
pub(super) fn oddities(table: &Table) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    for row in table.rows() {
        let sizes = [row.get("orig_data_size"), row.get("compr_data_size"), row.get("mem_used_total")];
        let found = contradictions(sizes, row.get("mem_used_max"), row.get("mem_limit"));
        said.extend(found.into_iter().chain(counts(row)).map(|text| (row.line(), text)));
    }
    said
}

/// Of zramctl, whose numbers are rounded: a tenth of a unit may be lost in each.
pub(super) fn rounded(table: &Table) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    for row in table.rows() {
        let sizes = [row.get("DATA"), row.get("COMPR"), row.get("TOTAL")];
        let [data, compr, total] = sizes.map(|size| size.map(|size| size.saturating_add(size / 10)));
        let found = contradictions([data, row.get("COMPR"), total.max(compr.and(total))], None, None);
        said.extend(found.into_iter().map(|text| (row.line(), text)));
    }
    said
}

/// Ratios that cannot be, of `[orig_data_size, compr_data_size, mem_used_total]` in bytes.
fn contradictions(sizes: [Option<u64>; 3], max: Option<u64>, limit: Option<u64>) -> Vec<String> {
    let mut said = Vec::new();
    let [orig, compr, used] = sizes;
    if let (Some(orig), Some(compr)) = (orig, compr)
        && compr > orig
    {
        said.push(format!(
            "{} bytes compressed are more than the {} they came from",
            grouped(compr),
            grouped(orig)
        ));
    }
    if let (Some(compr), Some(used)) = (compr, used)
        && compr > used
    {
        said.push(format!("{} bytes compressed do not fit the {} used", grouped(compr), grouped(used)));
    }
    if let (Some(used), Some(max)) = (used, max)
        && used > max
    {
        said.push(format!("{} bytes used are above the most ever used, {}", grouped(used), grouped(max)));
    }
    if let (Some(used), Some(limit @ 1..)) = (used, limit)
        && used > limit
    {
        said.push(format!("{} bytes used are above the limit of {}", grouped(used), grouped(limit)));
    }
    said
}

/// Counts of pages that cannot be.
fn counts(row: Row<'_>) -> Vec<String> {
    let Some(stored) = row.get("orig_data_size").map(|orig| orig / PAGE) else { return Vec::new() };
    let mut said = Vec::new();
    if let Some(huge) = row.get("huge_pages")
        && huge > stored
    {
        said.push(format!("{} huge pages are more than the {} pages stored", grouped(huge), grouped(stored)));
    }
    if let (Some(huge), Some(since)) = (row.get("huge_pages"), row.get("huge_pages_since"))
        && huge > since
    {
        said.push(format!(
            "{} huge pages now are more than the {} ever stored",
            grouped(huge),
            grouped(since)
        ));
    }
    said
}
