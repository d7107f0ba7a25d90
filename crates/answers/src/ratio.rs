//! What the figures of zram and zswap say, in sentences: ratios, pages stored whole, limits, the device.

use slabscope_core::tell::{bytes, counted, grouped, hundredths};
use slabscope_formats::{Format, Table};

use crate::figures::{Figures, Owner};
use crate::percent;

/// Sentences about a device, each without its full stop.
pub fn sentences(figures: &Figures) -> Vec<String> {
    let Figures { name, original, total, .. } = figures;
    if *original == 0 || *total == 0 {
        return vec![format!("{name}: nothing is stored")];
    }
    let page = figures.page_bytes();
    let share = |part: u64| percent::text(percent::share(part, *total));
    let mut all = vec![format!(
        "{name}: {} in {}, {} to 1 with all that the pool takes",
        bytes(*original),
        grouped(*total),
        ratio(*original, *total)
    )];
    if let Some(stored) = figures.compressed.filter(|stored| (1..=*total).contains(stored)) {
        let lost = total - stored;
        all.push(format!(
            "by compressed bytes alone {} to 1: {} more, {} % of the pool, are handles, rounding, tails and empty places",
            ratio(*original, stored),
            bytes(lost),
            share(lost)
        ));
    }
    if *total < SMALL {
        all.push(
            "so small a pool says little of the ratio: partly filled zspages outweigh its data".to_owned(),
        );
    }
    if let Some(raw) = figures.raw_pages.filter(|raw| *raw > 0) {
        all.push(format!(
            "{} stored whole, {} % of the pool: a better codec or a higher limit reaches only those",
            counted(raw, "page is", "pages are"),
            share(raw.saturating_mul(page))
        ));
    }
    if let Some(same) = figures.same_pages.filter(|same| *same > 0) {
        let of = percent::text(percent::share(same.saturating_mul(page), *original));
        all.push(format!(
            "{} same-filled, {of} % of what was written: they take nothing and make the ratio look better",
            counted(same, "page is", "pages are")
        ));
    }
    if let Some(peak) = figures.peak.filter(|peak| peak / 20 > total / 20 + total / 400) {
        all.push(format!("at its peak the pool took {}, {} % of now", bytes(peak), share(peak)));
    }
    let scaled = |of: u64, from: u64, to: u64| (of as f64 * from as f64 / to as f64) as u64;
    if let Some(limit) = figures.limit {
        let reached = scaled(limit, *original, *total);
        all.push(format!(
            "the limit of {} is reached with {} written, if it goes on like this",
            bytes(limit),
            bytes(reached)
        ));
    }
    if let Some(disk) = figures.disk {
        all.push(format!(
            "full, the device of {} takes {} at this ratio, and all of {} if nothing compresses",
            bytes(disk),
            bytes(scaled(disk, *total, *original)),
            bytes(disk)
        ));
    }
    all
}

/// Pools below this are mostly partly filled zspages.
const SMALL: u64 = 4 << 20;

fn ratio(of: u64, to: u64) -> String {
    hundredths(of as f64 / to.max(1) as f64)
}

/// What a meminfo beside the figures says: how much of memory the pool is, and how much of swap it holds.
pub fn beside_meminfo(tables: &[Table], figures: &[Figures]) -> Vec<String> {
    let Some(table) = tables.iter().find(|table| table.format() == Format::Meminfo) else {
        return Vec::new();
    };
    let Some(row) = table.rows().next_back() else { return Vec::new() };
    let get = |name: &str| row.get(name).map(|kib| kib.saturating_mul(1024));
    let sum = |part: fn(&Figures) -> u64| figures.iter().map(part).fold(0, u64::saturating_add);
    let mut all = Vec::new();
    if let (Some(memory), [_, ..]) = (get("MemTotal"), figures) {
        let total = sum(|figures| figures.total);
        all.push(format!(
            "the pool is {} % of the memory of {}",
            percent::text(percent::share(total, memory)),
            bytes(memory)
        ));
    }
    if let (Some(swap), Some(free), [_, ..]) = (get("SwapTotal"), get("SwapFree"), figures) {
        let (used, held) = (swap.saturating_sub(free), sum(|figures| figures.original));
        let owner =
            if figures.iter().all(|figures| figures.owner == Owner::Zswap) { "zswap" } else { "zram" };
        all.push(if held <= used {
            format!(
                "{} of swap are in use and {owner} holds {} of them: the rest is on other devices, or was freed or never written",
                bytes(used),
                grouped(held)
            )
        } else {
            format!(
                "{owner} holds {}, of which {} are no swap in use: freed and not told, or another moment",
                bytes(held),
                grouped(held - used)
            )
        });
    }
    if let (Some(memory), Some(slab)) = (get("MemTotal"), get("Slab")) {
        let kept = get("SUnreclaim").map_or_else(String::new, |kept| {
            format!(", {} % of it not reclaimable", percent::text(percent::share(kept, slab)))
        });
        let of = percent::text(percent::share(slab, memory));
        all.push(format!(
            "slabs take {}, {of} % of memory{kept}: /proc/slabinfo tells which caches",
            bytes(slab)
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use slabscope_formats::read;

    use super::*;
    use crate::figures::figures;

    fn said(text: &str) -> String {
        let paste = read(text);
        let found = figures(paste.tables());
        let mut all: Vec<String> = found.iter().flat_map(sentences).collect();
        all.extend(beside_meminfo(paste.tables(), &found));
        all.join("\n")
    }

    #[test]
    fn ratios_limits_and_raw_pages_are_told() {
        let text = said(
            "cat /sys/block/zram0/mm_stat\n1691783168 628083717 655175680 2147483648 855175680 60 0 34048 34049\n",
        );
        for part in [
            "2.58 to 1 with all",
            "by compressed bytes alone 2.69 to 1: 27,091,963 bytes more, 4.14 % of the pool",
            "34,048 pages are stored whole, 21.29 % of the pool",
            "60 pages are same-filled, 0.01 %",
            "at its peak the pool took 855,175,680 bytes, 130.53 % of now",
            "the limit of 2,147,483,648 bytes is reached with 5,545",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn a_tiny_pool_and_an_empty_one_say_so() {
        assert!(said("zramctl\nNAME ALGORITHM DISKSIZE DATA COMPR TOTAL STREAMS MOUNTPOINT\n/dev/zram0 lzo-rle 1G 1.5M 1.5M 1.7M 4 [SWAP]\n").contains("says little"));
        assert!(said("cat /sys/block/zram0/mm_stat\n0 0 0 0 0 0 0 0 0\n").contains("nothing is stored"));
    }

    #[test]
    fn meminfo_gives_shares() {
        let text = said(
            "MemTotal: 1000000 kB\nSwapTotal: 900000 kB\nSwapFree: 100000 kB\nSlab: 500000 kB\nSUnreclaim: 490000 kB\nZswap: 100000 kB\nZswapped: 400000 kB\n",
        );
        for part in [
            "the pool is 10.00 % of the memory",
            "zswap holds 409,600,000 of them",
            "50.00 % of memory, 98.00 % of it not",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}
