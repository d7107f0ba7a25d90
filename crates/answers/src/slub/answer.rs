//! Each cache under another setting.

use slabscope_core::slub::{Config, calculate_order};

use super::SlabRow;
use super::present::explains;
use crate::percent;

/// Columns of a row, in their order.
pub const COLUMNS: [&str; 22] = [
    "era",
    "page_shift",
    "cpus",
    "min_objects",
    "min_order",
    "max_order",
    "cache",
    "size",
    "active_objs",
    "num_objs",
    "order_now",
    "objects_now",
    "pages_now",
    "order",
    "objects",
    "pages_low",
    "pages_expected",
    "pages_high",
    "waste_now",
    "waste",
    "change_percent",
    "note",
];

/// Pages of a cache under another setting, in that setting's pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// If the objects in use were packed without a gap.
    pub low: u64,
    /// With as many places as now.
    pub expected: u64,
    /// With as many slabs as now: where a CPU or a node holds each of them.
    pub high: u64,
}

/// A slab now or then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slab {
    /// Its pages are two to this power.
    pub order: u8,
    /// Objects.
    pub objects: u32,
    /// Bytes behind the last object.
    pub waste: u64,
}

/// A cache under another setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheAnswer {
    /// The cache as it is.
    pub row: SlabRow,
    /// Its slabs now.
    pub now: Slab,
    /// Its slabs then; `None` where no order holds such objects.
    pub then: Option<Slab>,
    /// Pages then.
    pub pages: Pages,
    /// False if the present setting does not explain the slabs it has now: the cache may have an order of its own.
    pub is_explained: bool,
}

/// Sums over the caches. Pages of the setting they belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Pages now.
    pub pages_now: u64,
    /// Pages then.
    pub pages: Pages,
    /// Bytes behind the last objects now.
    pub waste_now: u64,
    /// And then, with the pages expected.
    pub waste: u64,
    /// Caches in use whose slabs have order 3 or more now.
    pub high_orders_now: usize,
    /// And then.
    pub high_orders: usize,
    /// Pages in such slabs now.
    pub high_pages_now: u64,
    /// And then, as expected.
    pub high_pages: u64,
}

/// All caches under another setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The setting as it is.
    pub now: Config,
    /// The other setting.
    pub then: Config,
    /// The caches in the order of the file.
    pub caches: Vec<CacheAnswer>,
    /// Their sums.
    pub sums: Sums,
}

/// An order from which on an allocation is costly and may fail on a fragmented machine.
const HIGH_ORDER: u8 = 3;

/// Computes every cache under another setting.
pub fn answer(rows: &[SlabRow], now: &Config, then: &Config) -> Answer {
    let caches: Vec<CacheAnswer> = rows.iter().map(|row| cache(row, now, then)).collect();
    let mut sums = Sums::default();
    for cache in &caches {
        let add = |sum: &mut u64, number: u64| *sum = sum.saturating_add(number);
        let pages = cache.row.pages();
        add(&mut sums.pages_now, pages);
        add(&mut sums.pages.low, cache.pages.low);
        add(&mut sums.pages.expected, cache.pages.expected);
        add(&mut sums.pages.high, cache.pages.high);
        add(&mut sums.waste_now, cache.row.slabs().saturating_mul(cache.now.waste));
        if pages > 0 && cache.now.order >= HIGH_ORDER {
            sums.high_orders_now += 1;
            add(&mut sums.high_pages_now, pages);
        }
        if let Some(slab) = cache.then {
            add(&mut sums.waste, (cache.pages.expected >> slab.order).saturating_mul(slab.waste));
            if pages > 0 && slab.order >= HIGH_ORDER {
                sums.high_orders += 1;
                add(&mut sums.high_pages, cache.pages.expected);
            }
        }
    }
    Answer { now: *now, then: *then, caches, sums }
}

fn cache(row: &SlabRow, now: &Config, then: &Config) -> CacheAnswer {
    let found = calculate_order(&then.order_params(row.objsize)).ok();
    let used = u64::from(row.per_slab).saturating_mul(row.objsize.into());
    let held = u64::from(row.slab_pages) << now.page_shift.min(16);
    let pages = found.map_or(Pages::default(), |found| {
        let each = u64::from(found.objects).max(1);
        let pages = |slabs: u64| slabs.saturating_mul(1 << found.order);
        let (low, expected) = (row.active.div_ceil(each), row.num.div_ceil(each));
        Pages { low: pages(low), expected: pages(expected), high: pages(expected.max(row.slabs())) }
    });
    CacheAnswer {
        now: Slab {
            // Slabs of other allocators need not be a power of two.
            order: row.slab_pages.max(1).ilog2() as u8,
            objects: row.per_slab,
            waste: held.saturating_sub(used),
        },
        then: found.map(|found| Slab {
            order: found.order,
            objects: found.objects,
            waste: found.waste.into(),
        }),
        pages,
        is_explained: explains(now, row),
        row: row.clone(),
    }
}

impl Answer {
    /// A text for each of [`COLUMNS`] and each cache, and a last row with the sums.
    pub fn cells(&self) -> Vec<[String; 22]> {
        self.caches.iter().map(|cache| self.cache_cells(cache)).chain([self.sum_cells()]).collect()
    }

    fn setting(&self) -> [String; 6] {
        let Config { generation, page_shift, cpus, min_objects, min_order, max_order, .. } = self.then;
        [
            generation.name().to_owned(),
            page_shift.to_string(),
            cpus.to_string(),
            min_objects.to_string(),
            min_order.to_string(),
            max_order.to_string(),
        ]
    }

    fn cache_cells(&self, cache: &CacheAnswer) -> [String; 22] {
        let [era, page_shift, cpus, min_objects, min_order, max_order] = self.setting();
        let CacheAnswer { row, now, then, pages, .. } = cache;
        let of_slab = |part: fn(&Slab) -> u64| then.as_ref().map_or_else(dash, |slab| part(slab).to_string());
        let note = match (then, cache.is_explained) {
            (None, _) => "no order holds such objects",
            (_, false) => "its order now does not follow from the present setting",
            _ => "-",
        };
        [
            era,
            page_shift,
            cpus,
            min_objects,
            min_order,
            max_order,
            row.name.clone(),
            row.objsize.to_string(),
            row.active.to_string(),
            row.num.to_string(),
            now.order.to_string(),
            now.objects.to_string(),
            row.pages().to_string(),
            of_slab(|slab| slab.order.into()),
            of_slab(|slab| slab.objects.into()),
            pages.low.to_string(),
            pages.expected.to_string(),
            pages.high.to_string(),
            now.waste.to_string(),
            of_slab(|slab| slab.waste),
            self.change(row.pages(), pages.expected),
            note.to_owned(),
        ]
    }

    fn sum_cells(&self) -> [String; 22] {
        let [era, page_shift, cpus, min_objects, min_order, max_order] = self.setting();
        let Sums { pages_now, pages, waste_now, waste, high_orders_now, high_orders, .. } = self.sums;
        [
            era,
            page_shift,
            cpus,
            min_objects,
            min_order,
            max_order,
            "total".to_owned(),
            dash(),
            dash(),
            dash(),
            dash(),
            dash(),
            pages_now.to_string(),
            dash(),
            dash(),
            pages.low.to_string(),
            pages.expected.to_string(),
            pages.high.to_string(),
            waste_now.to_string(),
            waste.to_string(),
            self.change(pages_now, pages.expected),
            format!("caches in use of order 3 and more: {high_orders_now} now, {high_orders} then"),
        ]
    }

    /// Change of the bytes of all caches, with as many places, in hundredths of a percent.
    pub fn change_of_sums(&self) -> Option<i64> {
        self.hundredths(self.sums.pages_now, self.sums.pages.expected)
    }

    /// Change in bytes, since pages may be of another size.
    fn hundredths(&self, pages_now: u64, pages: u64) -> Option<i64> {
        let bytes = |pages: u64, config: &Config| pages.saturating_mul(1 << config.page_shift.min(16));
        percent::change(bytes(pages_now, &self.now), bytes(pages, &self.then))
    }

    fn change(&self, pages_now: u64, pages: u64) -> String {
        self.hundredths(pages_now, pages).map_or_else(dash, percent::text)
    }

    /// The words for the kernel's command line that make the other setting out of the present one; none if
    /// they are the same, or differ in something that no option sets. Every kernel knows these names; newer ones
    /// know `slab_` too.
    pub fn boot_line(&self) -> Option<String> {
        let (now, then) = (&self.now, &self.then);
        let words: Vec<String> = [
            ("min_objects", now.min_objects, then.min_objects),
            ("min_order", now.min_order.into(), then.min_order.into()),
            ("max_order", now.max_order.into(), then.max_order.into()),
        ]
        .into_iter()
        .filter(|(_, now, then)| now != then)
        .map(|(name, _, then)| format!("slub_{name}={then}"))
        .collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

fn dash() -> String {
    "-".to_owned()
}

#[cfg(test)]
mod tests {
    use slabscope_core::slub::Generation;

    use super::*;

    fn row(name: &str, objsize: u32, active: u64, num: u64, per_slab: u32, slab_pages: u32) -> SlabRow {
        SlabRow { name: name.to_owned(), objsize, active, num, per_slab, slab_pages }
    }

    #[test]
    fn the_patch_of_2008_by_the_lines_of_its_thread() {
        let rows =
            [row("radix_tree_node", 560, 33_541, 33_922, 14, 2), row("dentry", 208, 82_136, 82_137, 19, 1)];
        let now = Config { cpus: 2, ..Config::default_for(Generation::V2_6_26) };
        let then = Config { generation: Generation::RfcOrder, ..now };
        let found = answer(&rows, &now, &then);
        let slabs: Vec<_> =
            found.caches.iter().map(|cache| cache.then.map(|s| (s.order, s.objects, s.waste))).collect();
        assert_eq!(slabs, [Some((2, 29, 144)), Some((1, 39, 80))]);
        assert!(found.caches.iter().all(|cache| cache.is_explained));
        assert_eq!(found.caches[0].now.waste, 352);
        // 33,922 places in slabs of 29, 82,137 in slabs of 39.
        assert_eq!(found.sums.pages.expected, 33_922_u64.div_ceil(29) * 4 + 82_137_u64.div_ceil(39) * 2);
        assert_eq!(found.sums.pages_now, 4846 + 4323);
        assert_eq!(found.boot_line(), None);
    }

    #[test]
    fn the_tables_of_the_64k_thread_of_2020() {
        // task_struct of 9,856 bytes on ppc64: 53 objects in 8 pages, 26 in 4, 13 in 2.
        let task = [row("task_struct", 9856, 3000, 3180, 53, 8)];
        let now = Config { generation: Generation::Classic, page_shift: 16, cpus: 64, ..Config::default() };
        for (max_order, slab) in [(3, (3, 53)), (2, (2, 26)), (1, (1, 13))] {
            let found = answer(&task, &now, &Config { max_order, ..now });
            assert_eq!(found.caches[0].then.map(|slab| (slab.order, slab.objects)), Some(slab));
        }
        let found = answer(&task, &now, &Config { max_order: 1, ..now });
        assert_eq!(found.boot_line().as_deref(), Some("slub_max_order=1"));
        assert_eq!((found.sums.high_orders_now, found.sums.high_orders), (1, 0));
    }

    #[test]
    fn another_page_size_compares_bytes() {
        let rows = [row("x", 256, 100, 160, 16, 1)];
        let now = Config { cpus: 1, ..Config::default() };
        let found = answer(&rows, &now, &Config { page_shift: 14, ..now });
        let cells = found.cells();
        // 10 pages of 4 KiB, then 160 places in slabs of 64: 3 pages of 16 KiB.
        assert_eq!(cells[0][12..18], ["10", "0", "64", "2", "3", "10"]);
        assert_eq!((cells[0][20].as_str(), cells[1][20].as_str()), ("20.00", "20.00"));
    }

    #[test]
    fn absurd_rows_are_survived() {
        let rows = [row("x", u32::MAX, u64::MAX, u64::MAX, 1, u32::MAX), row("y", 1, 0, 0, u32::MAX, 1)];
        let found = answer(&rows, &Config { page_shift: 99, ..Config::default() }, &Config::default());
        assert_eq!(found.caches[0].then, None);
        assert_eq!(found.cells().len(), 3);
    }
}
