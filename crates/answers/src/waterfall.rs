//! Where the memory goes: original, compressed, handles, rounding, tails, empty places, and what lies outside.

use slabscope_core::tell::grouped;

use crate::input::{ClassHeld, Input};

/// zram's `mm_stat`, as far as it is needed here. Bytes and pages as the file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZramFigures {
    /// Bytes written: pages stored times a page.
    pub orig_data_size: u64,
    /// Bytes stored.
    pub compr_data_size: u64,
    /// Bytes of the pool's pages.
    pub mem_used_total: u64,
    /// Pages that hold one value throughout and take no object.
    pub same_pages: u64,
}

/// zswap's debugfs files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZswapFigures {
    /// Pages stored, same-filled ones among them.
    pub stored_pages: u64,
    /// Bytes of the pool's pages.
    pub pool_total_size: u64,
    /// Pages that hold one value throughout; `None` where the file is gone (from 6.12).
    pub same_filled_pages: Option<u64>,
}

/// What is known beside the class table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figures {
    /// Nothing.
    #[default]
    None,
    /// zram's.
    Zram(ZramFigures),
    /// zswap's.
    Zswap(ZswapFigures),
}

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
    /// The pool's pages.
    Total,
    /// Outside the pool: what handles point to, a word for each object.
    HandleCache,
    /// Outside the pool: descriptors of zspages.
    Descriptors,
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
            Self::Total => "total",
            Self::HandleCache => "handle cache",
            Self::Descriptors => "zspage descriptors",
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

/// Takes a class table apart; `None` for a list of sizes.
pub fn waterfall(input: &Input, figures: &Figures) -> Option<Waterfall> {
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
    let line = |part, bytes, count, is_exact| Line { part, bytes, count, is_exact };
    let pool = vec![
        line(Part::Compressed, data, Some(objects - raw), is_exact),
        // zswap keeps what these compress to, in a page all the same.
        line(Part::Raw, raw_bytes, Some(raw), !matches!(figures, Figures::Zswap(_))),
        line(Part::Handles, handles, Some(objects - raw), true),
        line(Part::Rounding, small - handles - data, None, is_exact),
        line(Part::Tails, tails, None, true),
        line(Part::Empty, empty, None, true),
    ];
    check_total(total, figures, &mut warnings);
    Some(Waterfall {
        written: written(objects, page, figures, &mut warnings),
        pool,
        total: line(Part::Total, total, Some(total / page), true),
        outside: outside(input, objects),
        warnings,
    })
}

/// Bytes of compressed data, and whether that is known.
fn stored(input: &Input, figures: &Figures, raw_bytes: u64, warnings: &mut Vec<String>) -> (u64, bool) {
    let (least, most) = input.population.stored_bytes();
    if let Figures::Zram(zram) = figures {
        if (least..=most).contains(&zram.compr_data_size) {
            return (zram.compr_data_size - raw_bytes.min(zram.compr_data_size), true);
        }
        warnings.push(format!(
            "compr_data_size says {} bytes, these classes hold {} to {}",
            grouped(zram.compr_data_size),
            grouped(least),
            grouped(most)
        ));
    }
    // The middle of each class.
    (least.saturating_sub(raw_bytes).midpoint(most.saturating_sub(raw_bytes)), least == most)
}

fn check_total(total: u64, figures: &Figures, warnings: &mut Vec<String>) {
    let (name, said) = match figures {
        Figures::None => return,
        Figures::Zram(zram) => ("mem_used_total", zram.mem_used_total),
        Figures::Zswap(zswap) => ("pool_total_size", zswap.pool_total_size),
    };
    if said != total {
        warnings.push(format!("{name} says {} bytes, these classes hold {}", grouped(said), grouped(total)));
    }
}

fn written(objects: u64, page: u64, figures: &Figures, warnings: &mut Vec<String>) -> Vec<Line> {
    let (pages, same, is_exact) = match figures {
        // An object is a page.
        Figures::None => (objects, None, false),
        Figures::Zram(zram) => {
            let pages = zram.orig_data_size / page;
            (pages.saturating_sub(zram.same_pages), Some(zram.same_pages), true)
        }
        Figures::Zswap(zswap) => {
            let same = zswap.same_filled_pages;
            (zswap.stored_pages.saturating_sub(same.unwrap_or(0)), same, same.is_some())
        }
    };
    if is_exact && pages != objects {
        warnings.push(format!(
            "{} pages are stored and not same-filled, these classes hold {} objects",
            grouped(pages),
            grouped(objects)
        ));
    }
    let line = |part, pages: u64, is_exact| Line {
        part,
        bytes: pages.saturating_mul(page),
        count: Some(pages),
        is_exact,
    };
    let original = line(Part::Original, pages, is_exact);
    [Some(original), same.map(|same| line(Part::SameFilled, same, true))].into_iter().flatten().collect()
}

/// Bytes of a zspage's descriptor with 64 and with 32 bit words: the fields that 6.x has, not measured.
const DESCRIPTOR_BYTES: [u64; 2] = [56, 32];

/// Memory outside the pool, by counts. What the slabs of these caches lose is not known here.
fn outside(input: &Input, objects: u64) -> Vec<Line> {
    let word = u64::from(input.own.bits.handle_bytes());
    let zspages = input.classes.iter().fold(0u64, |sum, class| sum.saturating_add(class.zspages()));
    let handles = Line {
        part: Part::HandleCache,
        bytes: objects.saturating_mul(word),
        count: Some(objects),
        is_exact: true,
    };
    let descriptors = Line {
        part: Part::Descriptors,
        bytes: zspages.saturating_mul(DESCRIPTOR_BYTES[usize::from(word == 4)]),
        count: Some(zspages),
        is_exact: false,
    };
    // Up to 4.5 the first page's own fields describe a zspage.
    let has_descriptors = input.own.era.rules().lists_all_groups;
    [Some(handles), has_descriptors.then_some(descriptors)].into_iter().flatten().collect()
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

    #[test]
    fn parts_add_up_and_zram_makes_them_exact() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let figures = Figures::Zram(ZramFigures {
            orig_data_size: 25 * 4096,
            compr_data_size: 8 * 1600 + 5 * 3200 + 7 * 4096,
            mem_used_total: 17 * 4096,
            same_pages: 5,
        });
        let found = waterfall(&input, &figures).unwrap();
        assert_eq!(found.warnings, [""; 0]);
        assert_eq!(bytes(&found.written), [20 * 4096, 5 * 4096]);
        let parts = [8 * 1600 + 5 * 3200, 7 * 4096, 13 * 8, 8 * 24 + 5 * 56, 3 * 32 + 64, 7 * 1632];
        assert_eq!(bytes(&found.pool), parts);
        assert_eq!(found.pool.iter().map(|line| line.bytes).sum::<u64>(), found.total.bytes);
        assert!(found.pool.iter().all(|line| line.is_exact));
        assert_eq!(bytes(&found.outside), [20 * 8, 11 * 56]);
    }

    #[test]
    fn without_figures_the_middle_of_each_class_is_taken() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let found = waterfall(&input, &Figures::None).unwrap();
        assert_eq!(found.pool.iter().map(|line| line.bytes).sum::<u64>(), found.total.bytes);
        assert!(!found.pool[0].is_exact && !found.written[0].is_exact);
        assert_eq!(found.warnings, [""; 0]);
    }

    #[test]
    fn figures_of_another_moment_are_told() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let zram = ZramFigures { orig_data_size: 4096, compr_data_size: 9, mem_used_total: 1, same_pages: 0 };
        assert_eq!(waterfall(&input, &Figures::Zram(zram)).unwrap().warnings.len(), 3);
        let zswap = ZswapFigures { stored_pages: 20, pool_total_size: 17 * 4096, same_filled_pages: None };
        let found = waterfall(&input, &Figures::Zswap(zswap)).unwrap();
        assert_eq!((found.warnings.len(), found.written.len()), (0, 1));
        assert!(waterfall(&read_input("44 1\n", &Machine::default()).unwrap(), &Figures::None).is_none());
    }
}
