//! What the change saves where objects are huge: libraries and process memory.

use slabscope_core::packing::Packing;

use crate::figure::say;
use crate::{Data, DataError, Histogram, Row, Step, Unit};

use super::{LOOKED_AT, PAGE, Tables, bytes, origin, setting};

/// Sets of pages, compressed with the LZO that the test of 2016 used.
pub(super) const SETS: [&str; 3] = ["libs_4k_lzo", "procmem_4k_lzo", "source_4k_lzo"];

/// zram up to 4.5 stored what did not shrink to three quarters of a page as a page.
const THREE_QUARTERS: u32 = PAGE / 4 * 3 + 1;

/// Real pages of other kinds.
pub(super) struct HugeObjects {
    sets: Vec<(&'static str, Histogram)>,
}

impl HugeObjects {
    pub(super) fn new(data: &Data) -> Result<Self, DataError> {
        let sets = SETS.into_iter().map(|name| Ok((name, data.sizes(name)?)));
        Ok(Self { sets: sets.collect::<Result<_, _>>()? })
    }

    pub(super) fn step(&self, old: &Tables, new: &Tables) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (name, sizes) in &self.sets {
            let stored = sizes.stored_whole_from(PAGE, PAGE);
            let then = sizes.stored_whole_from(THREE_QUARTERS, PAGE);
            for (tables, stored, rule) in [(new, &stored, "today"), (old, &then, "zram of 4.5")] {
                let pack = |max_pages| tables.packing(max_pages, stored);
                let Some(four) = pack(4) else { continue };
                for max_pages in LOOKED_AT {
                    let Some(packing) = pack(max_pages) else { continue };
                    let row = |metric, unit| {
                        Row::new(format!("{name}, {}, {rule}", setting(max_pages)), metric, unit)
                    };
                    rows.push(
                        row("huge_objects", Unit::Objects).predicted(origin::huge_objects(&packing) as f64),
                    );
                    rows.push(row("used_bytes", Unit::Bytes).predicted(bytes(&packing)));
                    if max_pages > 4 {
                        let percent = |saved: f64| saved / bytes(&four) * 100.0;
                        rows.push(
                            row("saved_percent", Unit::Percent)
                                .predicted(percent(bytes(&four) - bytes(&packing)))
                                .note("against at most 4 pages"),
                        );
                        rows.push(
                            row("saved_percent_no_longer_huge", Unit::Percent)
                                .predicted(percent(no_longer_huge(
                                    &four, &packing, tables, max_pages, stored,
                                )))
                                .note("the part of objects that were huge with 4 pages and are not any more"),
                        );
                    }
                }
            }
            let (Some(four), Some(eight)) = (new.packing(4, &stored), new.packing(8, &stored)) else {
                continue;
            };
            told.push(format!(
                "of {} objects of {name} {} are huge with 4 pages and {} with 8, which saves {} %",
                say(stored.objects() as f64, 0),
                say(origin::huge_objects(&four) as f64, 0),
                say(origin::huge_objects(&eight) as f64, 0),
                say((1.0 - bytes(&eight) / bytes(&four)) * 100.0, 1)
            ));
        }
        let text = format!(
            "Where objects are huge, the posting's reason holds. Under today's rule {}. But zram up to 4.5 stored every page \
             that did not shrink to three quarters, {} bytes and more, as a whole page: no chain length reaches those.",
            told.join("; "),
            say(THREE_QUARTERS.into(), 0)
        );
        Step { title: "Data that does have huge objects", text, rows, plots: Vec::new() }
    }
}

/// Bytes saved on objects that take a page each with 4 pages and share pages with more.
fn no_longer_huge(four: &Packing, more: &Packing, tables: &Tables, max_pages: u8, stored: &Histogram) -> f64 {
    let limit =
        |max_pages| tables.at(max_pages).map_or(0, slabscope_core::zsmalloc::Geometry::huge_class_size);
    let (from, to) = (limit(4), limit(max_pages));
    if origin::huge_objects(four) == origin::huge_objects(more) {
        return 0.0;
    }
    let moved = Histogram::new(stored.sizes().iter().copied().filter(|(size, _)| (from..to).contains(size)));
    let used = origin::bytes_of_range(tables, max_pages, &moved, (1, PAGE)).unwrap_or(0.0);
    moved.objects() as f64 * f64::from(PAGE) - used
}
