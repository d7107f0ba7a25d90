//! What zram and zswap say of themselves: mm_stat and its relatives, zswap's counters, meminfo.

use slabscope_formats::{Format, Row, Table};

/// Whose figures they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// zram's.
    Zram,
    /// zswap's.
    Zswap,
}

/// Figures of one device at one moment. What is not known is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Whose.
    pub owner: Owner,
    /// The file, tool or device that they stand in.
    pub name: String,
    /// Bytes written, same-filled pages among them.
    pub original: u64,
    /// Bytes stored; a page that was stored whole counts as such.
    pub compressed: Option<u64>,
    /// Bytes of the pool's pages.
    pub total: u64,
    /// The most that those have been.
    pub peak: Option<u64>,
    /// What they may be at most; none if there is no limit.
    pub limit: Option<u64>,
    /// Pages that hold one value throughout and take no object.
    pub same_pages: Option<u64>,
    /// Pages stored whole.
    pub raw_pages: Option<u64>,
    /// Bytes of the device: what may be written to it.
    pub disk: Option<u64>,
    /// True if a tool has rounded them.
    pub is_rounded: bool,
}

/// The figures in the tables of a text, in their order. Where a zramctl or a meminfo stands beside a file that says
/// the same without rounding, that one is taken.
pub fn figures(tables: &[Table]) -> Vec<Figures> {
    let of = |formats: &[Format]| -> Vec<Figures> {
        let tables = tables.iter().filter(|table| formats.contains(&table.format()));
        tables.flat_map(|table| table.rows().filter_map(|row| from_row(table, &row))).collect()
    };
    let mut found = of(&[Format::ZramMmStat, Format::ZramAttributes]);
    let rounded = of(&[Format::Zramctl]);
    if found.is_empty() {
        found = rounded;
    } else if let ([own], [other]) = (&mut found[..], &rounded[..]) {
        own.disk = own.disk.or(other.disk);
    }
    let counters = of(&[Format::ZswapDebugfs]);
    found.extend(if counters.is_empty() { of(&[Format::Meminfo]) } else { counters });
    found
}

fn from_row(table: &Table, row: &Row<'_>) -> Option<Figures> {
    let first = |names: &[&str]| names.iter().find_map(|name| row.get(name));
    let (owner, names, unit): (_, [&[&str]; 3], u64) = match table.format() {
        Format::Zramctl => (Owner::Zram, [&["DATA"], &["COMPR"], &["TOTAL"]], 1),
        Format::ZswapDebugfs => (Owner::Zswap, [&["stored_pages"], &[], &["pool_total_size"]], 1),
        Format::Meminfo => (Owner::Zswap, [&["Zswapped"], &[], &["Zswap"]], 1024),
        _ => (Owner::Zram, [&["orig_data_size"], &["compr_data_size"], &["mem_used_total", "mem_used"]], 1),
    };
    let [original, compressed, total] = names.map(first);
    let (original, total) = (original?.saturating_mul(unit), total?.saturating_mul(unit));
    let is_rounded =
        table.format() == Format::Zramctl && [original, total].iter().any(|size| size % PAGE > 0);
    let mut found = Figures {
        owner,
        name: name(table, row),
        original,
        compressed,
        total,
        peak: first(&["mem_used_max", "MEM-USED"]).filter(|peak| *peak > 0),
        limit: first(&["mem_limit", "MEM-LIMIT"]).filter(|limit| *limit > 0),
        same_pages: first(&["same_pages", "zero_pages", "ZERO-PAGES", "same_filled_pages"]),
        raw_pages: first(&["huge_pages", "stored_incompressible_pages"]),
        disk: first(&["disksize", "DISKSIZE"]).filter(|disk| *disk > 0),
        is_rounded,
    };
    if table.format() == Format::ZswapDebugfs {
        // The counter is of pages.
        found.original = original.saturating_mul(found.page_bytes());
    }
    Some(found)
}

/// The smallest page.
const PAGE: u64 = 4096;

fn name(table: &Table, row: &Row<'_>) -> String {
    let own = ["device", "NAME"].iter().find_map(|column| row.text(column));
    let place = |text: &str| format!("{text} in line {}", row.line());
    own.map_or_else(|| place(table.format().label()), str::to_owned)
}

impl Figures {
    /// Bytes of a page, as far as the figures tell: the largest page of which all sizes are whole ones. Where they
    /// are rounded, or of few pages, 4 KiB.
    pub fn page_bytes(&self) -> u64 {
        let sizes =
            [Some(self.total), self.peak, self.limit, (self.owner == Owner::Zram).then_some(self.original)];
        let common = sizes.into_iter().flatten().filter(|size| *size > 0).map(u64::trailing_zeros).min();
        let many = self.total > PAGE * 256 && self.owner == Owner::Zram;
        match common.filter(|_| many && !self.is_rounded) {
            Some(16..) => 1 << 16,
            Some(14..) => 1 << 14,
            _ => PAGE,
        }
    }

    /// Pages that take an object.
    pub fn objects(&self, page: u64) -> u64 {
        (self.original / page.max(1)).saturating_sub(self.same_pages.unwrap_or(0))
    }
}

/// Those of several figures that belong to a pool of so many bytes: the nearest of them.
pub fn nearest(figures: &[Figures], pool: u64) -> Option<&Figures> {
    figures.iter().min_by_key(|figures| figures.total.abs_diff(pool))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_formats::read;

    use super::*;

    fn of(text: &str) -> Vec<Figures> {
        figures(read(text).tables())
    }

    #[test]
    fn mm_stat_of_every_length_is_read() {
        let found =
            of("cat /sys/block/zram0/mm_stat\n1691783168 628083717 655175680 0 655175680 60 0 34048 34049\n");
        let found = &found[0];
        assert_eq!(
            (found.compressed, found.same_pages, found.raw_pages),
            (Some(628_083_717), Some(60), Some(34_048))
        );
        assert_eq!((found.limit, found.peak, found.page_bytes()), (None, Some(655_175_680), 4096));
        assert_eq!(found.objects(4096), 413_033 - 60);
        let short = of("cat /sys/block/zram0/mm_stat\n4096 20 4096 0 4096 0 0\n");
        assert_eq!((short[0].raw_pages, short[0].page_bytes()), (None, 4096));
    }

    #[test]
    fn pages_of_16_kib_show_in_every_size() {
        let found = of("cat /sys/block/zram0/mm_stat\n163840000 60000000 65536000 0 65552384 0 0 0 0\n");
        assert_eq!(found[0].page_bytes(), 16_384);
    }

    #[test]
    fn zramctl_gives_the_size_of_the_device() {
        let both = "zramctl\nNAME ALGORITHM DISKSIZE DATA COMPR TOTAL STREAMS MOUNTPOINT\n/dev/zram0 lz4 8G 2.3G 854M 903.8M 12 [SWAP]\n";
        let found = of(both);
        assert_eq!((found.len(), found[0].disk, found[0].is_rounded), (1, Some(8 << 30), true));
        let with_file = of(&format!(
            "{both}cat /sys/block/zram0/mm_stat\n1691783168 628083717 655175680 0 655175680 60 0 34048 34049\n"
        ));
        assert_eq!((with_file.len(), with_file[0].disk, with_file[0].is_rounded), (1, Some(8 << 30), false));
    }

    #[test]
    fn zswap_counts_pages_and_meminfo_kilobytes() {
        let found = of("Zswap:            162328 kB\nZswapped:         754468 kB\n");
        assert_eq!(
            (found[0].original, found[0].total, found[0].compressed),
            (754_468 << 10, 162_328 << 10, None)
        );
        let counters = "grep -r . /sys/kernel/debug/zswap\n/sys/kernel/debug/zswap/stored_pages:100\n/sys/kernel/debug/zswap/pool_total_size:204800\n/sys/kernel/debug/zswap/same_filled_pages:7\n";
        let found = of(counters);
        assert_eq!(
            (found[0].original, found[0].same_pages, found[0].owner),
            (409_600, Some(7), Owner::Zswap)
        );
    }
}
