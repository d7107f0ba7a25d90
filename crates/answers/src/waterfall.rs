//! Where the memory goes: original, compressed, handles, rounding, tails, empty places, and what lies outside.

use slabscope_core::tell::grouped;

use crate::figures::{Figures, Owner};
use crate::input::{ClassHeld, Input};

/// A part of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The pages as they were, same-filled ones not counted.
    Original,
    /// Pages that hold one value throughout: they take no object.
    SameFilled,
    /// Compressed data.
    Compressed,
    /// Pages stored whole, since they compress too little.
    Raw,
    /// Handles at the start of objects.
    Handles,
    /// From the end of the data to the end of the object: rounding up to the class.
    Rounding,
    /// Behind the last object of zspages.
    Tails,
    /// Places without an object.
    Empty,
    /// Rounding, tails and empty places, which a class table would tell apart.
    Overhead,
    /// Compressed data and all that is lost around it, which a class table would tell apart.
    Unsplit,
    /// The pool's pages.
    Total,
    /// Outside the pool: what handles point to, a word for each object.
    HandleCache,
    /// Outside the pool: descriptors of zspages.
    Descriptors,
    /// Outside the pool: zram's table, an entry for each page that the device may hold.
    SlotTable,
    /// Outside the pool: zswap's entries, one for each page stored.
    Entries,
}

impl Part {
    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::SameFilled => "same-filled",
            Self::Compressed => "compressed",
            Self::Raw => "stored whole",
            Self::Handles => "handles",
            Self::Rounding => "class rounding",
            Self::Tails => "tails of zspages",
            Self::Empty => "empty places",
            Self::Overhead => "rounding, tails and empty places",
            Self::Unsplit => "compressed, with rounding, tails and empty places",
            Self::Total => "total",
            Self::HandleCache => "handle cache",
            Self::Descriptors => "zspage descriptors",
            Self::SlotTable => "zram's table of pages",
            Self::Entries => "zswap's entries",
        }
    }
}

/// A part with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// What.
    pub part: Part,
    /// How much.
    pub bytes: u64,
    /// How many pages, objects or descriptors, where that is a count.
    pub count: Option<u64>,
    /// False if something was assumed.
    pub is_exact: bool,
}

/// A pool's memory from what was written to what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waterfall {
    /// What was written: original, and apart from it same-filled pages where they are known.
    pub written: Vec<Line>,
    /// What the pool's pages hold; these add up to the total.
    pub pool: Vec<Line>,
    /// The pool's pages.
    pub total: Line,
    /// What lies outside them, and in no figure of zram or zswap.
    pub outside: Vec<Line>,
    /// Figures that do not fit together.
    pub warnings: Vec<String>,
}

const fn line(part: Part, bytes: u64, count: Option<u64>, is_exact: bool) -> Line {
    Line { part, bytes, count, is_exact }
}

/// Takes a class table apart, with the figures of the same moment where they are known; `None` for a list of sizes.
pub fn waterfall(input: &Input, figures: Option<&Figures>) -> Option<Waterfall> {
    if input.classes.is_empty() {
        return None;
    }
    let page = u64::from(input.own.page_bytes());
    let raw = input.population.raw().objects;
    let objects = input.population.objects();
    let sum = |part: fn(&ClassHeld) -> u64| {
        input.classes.iter().fold(0u64, |sum, class| sum.saturating_add(part(class)))
    };
    let total = sum(|class| class.pages).saturating_mul(page);
    let in_objects = sum(|class| class.objects.saturating_mul(class.size.into())).min(total);
    let places = sum(|class| class.places.max(class.objects).saturating_mul(class.size.into()));
    let (empty, tails) = {
        let places = places.clamp(in_objects, total);
        (places - in_objects, total - places)
    };
    let raw_bytes = raw.saturating_mul(page).min(in_objects);
    let small = in_objects - raw_bytes;
    let handles = (objects - raw).saturating_mul(input.own.bits.handle_bytes().into()).min(small);
    let mut warnings = Vec::new();
    let (data, is_exact) = stored(input, figures, raw_bytes, &mut warnings);
    let data = data.min(small - handles);
    let is_zswap = figures.is_some_and(|figures| figures.owner == Owner::Zswap);
    let pool = vec![
        line(Part::Compressed, data, Some(objects - raw), is_exact),
        // zswap keeps what these compress to, in a page all the same.
        line(Part::Raw, raw_bytes, Some(raw), !is_zswap),
        line(Part::Handles, handles, Some(objects - raw), true),
        line(Part::Rounding, small - handles - data, None, is_exact),
        line(Part::Tails, tails, None, true),
        line(Part::Empty, empty, None, true),
    ];
    if let Some(figures) = figures.filter(|figures| figures.total != total && !figures.is_rounded) {
        warnings.push(format!(
            "{} says {} bytes, these classes hold {}: another moment, or rows are missing",
            figures.name,
            grouped(figures.total),
            grouped(total)
        ));
    }
    Some(Waterfall {
        written: written(objects, page, figures, &mut warnings),
        pool,
        total: line(Part::Total, total, Some(total / page), true),
        outside: outside(input, objects, figures),
        warnings,
    })
}

/// Takes figures apart that come without a class table.
pub fn without_classes(figures: &Figures) -> Waterfall {
    let page = figures.page_bytes();
    let (objects, total) = (figures.objects(page), figures.total);
    let is_sure = !figures.is_rounded;
    let raw = figures.raw_pages.map(|pages| pages.min(objects));
    let raw_bytes = raw.unwrap_or(0).saturating_mul(page).min(total);
    let mut pool = Vec::new();
    match figures.compressed {
        Some(stored) => {
            let data = stored.saturating_sub(raw_bytes).min(total - raw_bytes);
            let handles = (objects - raw.unwrap_or(0)).saturating_mul(8).min(total - raw_bytes - data);
            let rest = total - raw_bytes - data - handles;
            pool.push(line(Part::Compressed, data, None, is_sure && raw.is_some()));
            pool.extend(raw.map(|raw| line(Part::Raw, raw_bytes, Some(raw), is_sure)));
            // A word of 64 bits each; pages written back have none.
            pool.push(line(Part::Handles, handles, Some(handles / 8), false));
            pool.push(line(Part::Overhead, rest, None, false));
        }
        None => {
            pool.push(line(Part::Unsplit, total - raw_bytes, None, is_sure && raw.is_some()));
            pool.extend(raw.map(|raw| line(Part::Raw, raw_bytes, Some(raw), false)));
        }
    }
    let words = line(Part::HandleCache, objects.saturating_mul(8), Some(objects), false);
    Waterfall {
        written: written(objects, page, Some(figures), &mut Vec::new()),
        pool,
        total: line(Part::Total, total, Some(total / page), is_sure),
        outside: std::iter::once(words).chain(owner_outside(figures, page)).collect(),
        warnings: Vec::new(),
    }
}

/// Bytes of compressed data, and whether that is known.
fn stored(
    input: &Input,
    figures: Option<&Figures>,
    raw_bytes: u64,
    warnings: &mut Vec<String>,
) -> (u64, bool) {
    let (least, most) = input.population.stored_bytes();
    if let Some((figures, said)) = figures.and_then(|figures| Some((figures, figures.compressed?))) {
        if (least..=most).contains(&said) {
            return (said - raw_bytes.min(said), !figures.is_rounded);
        }
        warnings.push(format!(
            "{} has {} bytes compressed, these classes hold {} to {}",
            figures.name,
            grouped(said),
            grouped(least),
            grouped(most)
        ));
    }
    // The middle of each class.
    (least.saturating_sub(raw_bytes).midpoint(most.saturating_sub(raw_bytes)), least == most)
}

fn written(objects: u64, page: u64, figures: Option<&Figures>, warnings: &mut Vec<String>) -> Vec<Line> {
    let line = |part, pages: u64, is_exact| line(part, pages.saturating_mul(page), Some(pages), is_exact);
    let Some(figures) = figures else {
        // An object is a page.
        return vec![line(Part::Original, objects, false)];
    };
    let is_exact = figures.same_pages.is_some() && !figures.is_rounded;
    let pages = figures.objects(page);
    if is_exact && pages != objects {
        warnings.push(format!(
            "{} pages are stored and not same-filled, these classes hold {} objects",
            grouped(pages),
            grouped(objects)
        ));
    }
    let mut lines = vec![line(Part::Original, pages, is_exact)];
    lines.extend(figures.same_pages.map(|same| line(Part::SameFilled, same, true)));
    lines
}

/// Bytes of an entry of zram's table: a handle and its flags. 24 where the kernel tracks access times.
const SLOT_BYTES: u64 = 16;
/// Bytes of zswap's entry of a page: the fields that 6.x has, not measured.
const ENTRY_BYTES: u64 = 56;

/// Memory outside the pool, by counts. What the slabs of these caches lose is not known here.
fn outside(input: &Input, objects: u64, figures: Option<&Figures>) -> Vec<Line> {
    let word = u64::from(input.own.bits.handle_bytes());
    let zspages = input.classes.iter().fold(0u64, |sum, class| sum.saturating_add(class.zspages()));
    let mut lines = vec![line(Part::HandleCache, objects.saturating_mul(word), Some(objects), true)];
    if let Some(each) = input.own.descriptor_bytes() {
        let bytes = zspages.saturating_mul(each.into());
        lines.push(line(Part::Descriptors, bytes, Some(zspages), false));
    }
    lines.extend(figures.and_then(|figures| owner_outside(figures, input.own.page_bytes().into())));
    lines
}

/// What zram and zswap keep beside zsmalloc.
fn owner_outside(figures: &Figures, page: u64) -> Option<Line> {
    let (part, count, each) = match figures.owner {
        Owner::Zram => (Part::SlotTable, figures.disk? / page.max(1), SLOT_BYTES),
        Owner::Zswap => (Part::Entries, figures.original / page.max(1), ENTRY_BYTES),
    };
    Some(line(part, count.saturating_mul(each), Some(count), false))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::input::{Machine, read_input};

    const TABLE: &str = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n \
        100 1632 0 0 15 8 6 2 2\n 202 3264 0 0 5 5 4 4 0\n 254 4096 0 0 7 7 7 1 0\n";

    fn bytes(lines: &[Line]) -> Vec<u64> {
        lines.iter().map(|line| line.bytes).collect()
    }

    fn zram() -> Figures {
        Figures {
            owner: Owner::Zram,
            name: "mm_stat".to_owned(),
            original: 25 * 4096,
            compressed: Some(8 * 1600 + 5 * 3200 + 7 * 4096),
            total: 17 * 4096,
            peak: None,
            limit: None,
            same_pages: Some(5),
            raw_pages: Some(7),
            disk: Some(100 * 4096),
            is_rounded: false,
        }
    }

    fn zswap() -> Figures {
        Figures { owner: Owner::Zswap, original: 20 * 4096, compressed: None, same_pages: None, ..zram() }
    }

    #[test]
    fn parts_add_up_and_zram_makes_them_exact() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let found = waterfall(&input, Some(&zram())).unwrap();
        assert_eq!(found.warnings, [""; 0]);
        assert_eq!(bytes(&found.written), [20 * 4096, 5 * 4096]);
        let parts = [8 * 1600 + 5 * 3200, 7 * 4096, 13 * 8, 8 * 24 + 5 * 56, 3 * 32 + 64, 7 * 1632];
        assert_eq!(bytes(&found.pool), parts);
        assert_eq!(found.pool.iter().map(|line| line.bytes).sum::<u64>(), found.total.bytes);
        assert!(found.pool.iter().all(|line| line.is_exact));
        assert_eq!(bytes(&found.outside), [20 * 8, 11 * 56, 1600]);
    }

    #[test]
    fn without_figures_the_middle_of_each_class_is_taken() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let found = waterfall(&input, None).unwrap();
        assert_eq!(found.pool.iter().map(|line| line.bytes).sum::<u64>(), found.total.bytes);
        assert!(!found.pool[0].is_exact && !found.written[0].is_exact);
        assert_eq!(found.warnings, [""; 0]);
    }

    #[test]
    fn without_classes_what_is_lost_is_one_part() {
        let found = without_classes(&zram());
        let total = 17 * 4096;
        let data = 8 * 1600 + 5 * 3200;
        assert_eq!(bytes(&found.pool), [data, 7 * 4096, 13 * 8, total - data - 7 * 4096 - 13 * 8]);
        assert_eq!(
            found.pool.iter().map(|line| line.is_exact).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert_eq!(bytes(&found.outside), [20 * 8, 1600]);
        let found = without_classes(&zswap());
        assert_eq!(bytes(&found.pool), [10 * 4096, 7 * 4096]);
        assert_eq!(bytes(&found.outside), [20 * 8, 20 * 56]);
        let absurd =
            Figures { original: u64::MAX, compressed: Some(u64::MAX), raw_pages: Some(u64::MAX), ..zram() };
        assert_eq!(without_classes(&absurd).pool.iter().map(|line| line.bytes).sum::<u64>(), absurd.total);
    }

    #[test]
    fn figures_of_another_moment_are_told() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let other =
            Figures { original: 4096, compressed: Some(9), total: 4096, same_pages: Some(0), ..zram() };
        assert_eq!(waterfall(&input, Some(&other)).unwrap().warnings.len(), 3);
        let found = waterfall(&input, Some(&zswap())).unwrap();
        assert_eq!((found.warnings.len(), found.written.len()), (0, 1));
        assert!(waterfall(&read_input("44 1\n", &Machine::default()).unwrap(), None).is_none());
    }
}
