//! Packing a population into the classes of a setting.

use std::fmt;

use super::{Ladder, Population, Sizes};

/// What a population takes under a setting. Pages are those of the setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Pages if every object has the smallest size that its interval allows, packed without a gap.
    pub low: u64,
    /// Pages if the sizes are spread evenly over each interval.
    pub expected: u64,
    /// Pages if every object has the largest size.
    pub high: u64,
    /// No sizes that the intervals allow take fewer pages than this. Below `low` where a smaller size would cost
    /// more, or where few objects leave many zspages partly filled.
    pub at_least: u64,
    /// No sizes that the intervals allow take more pages than this, packed without a gap.
    pub at_most: u64,
    /// Objects.
    pub objects: u64,
    /// Classes in use with evenly spread sizes: each may have a partly filled zspage, if the pool is compacted.
    pub classes_in_use: u32,
    /// Those whose last zspage has room left when packed without a gap.
    pub partial: u32,
    /// The most pages that one allocation of these objects asks for.
    pub largest_demand: u32,
    /// Objects that lie in two pages, with evenly spread sizes.
    pub crossing: u64,
    /// Objects that the allocator refuses, with evenly spread sizes; each counts as a page.
    pub refused: u64,
}

/// Objects that are larger than a page of the setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Objects that do not fit, or may not.
    pub objects: u64,
    /// Objects in all.
    pub of: u64,
    /// Bytes of a page.
    pub page_bytes: u32,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objects, of, page_bytes } = self;
        write!(f, "{objects} of {of} objects may be larger than a page of {page_bytes} bytes")
    }
}

impl std::error::Error for Unfit {}

/// Objects of one class for the three spreads.
#[derive(Clone, Copy, Default)]
struct Tally {
    low: u64,
    expected: u64,
    high: u64,
    reached: bool,
}

/// Packs the objects into the classes.
///
/// # Errors
/// Some objects are larger than a page of the setting.
pub fn predict(population: &Population, ladder: &Ladder) -> Result<Prediction, Unfit> {
    let objects = population.objects();
    let above = population.above_page(&ladder.setting);
    if above > 0 {
        return Err(Unfit { objects: above, of: objects, page_bytes: ladder.setting.page_bytes() });
    }
    let mut tallies = vec![Tally::default(); ladder.rungs.len()];
    // Pages if a zspage were shared in parts: what is left is the last zspage of each class.
    let (mut cheapest, mut dearest) = (0.0, 0.0);
    let mut first = 0;
    for sizes in population.sizes().iter().copied().chain(population.raw_under(ladder)) {
        while ladder.rungs.get(first).is_some_and(|rung| rung.up_to < sizes.from) {
            first += 1;
        }
        let (least, most) = spread(&sizes, first, ladder, &mut tallies);
        cheapest += least * sizes.objects as f64;
        dearest += most * sizes.objects as f64;
    }
    let mut sums = Prediction { objects, ..Prediction::default() };
    for (rung, tally) in ladder.rungs.iter().zip(&tallies) {
        if !tally.reached {
            continue;
        }
        let (each, pages) = (rung.unit.objects.max(1), u64::from(rung.unit.pages));
        let packed = |objects: u64| units(objects, each).saturating_mul(pages);
        sums.low = sums.low.saturating_add(packed(tally.low));
        sums.high = sums.high.saturating_add(packed(tally.high));
        dearest += pages as f64 - pages as f64 / f64::from(each);
        if tally.expected > 0 {
            let full = units(tally.expected, each);
            sums.expected = sums.expected.saturating_add(full.saturating_mul(pages));
            sums.classes_in_use += 1;
            sums.partial += u32::from(full.saturating_mul(each.into()) != tally.expected);
            sums.largest_demand = sums.largest_demand.max(rung.unit.pages);
            sums.crossing =
                sums.crossing.saturating_add(part(tally.expected, rung.crossing, rung.unit.objects));
        }
    }
    if ladder.refuses() {
        sums.refused = tallies.last().map_or(0, |last| last.expected);
    }
    // Sums of fractions are a little off; a whole number that they stand for must not be lost by it. Numbers of
    // objects that stop at the largest one are off by more.
    sums.at_least = ((cheapest * (1.0 - ROUNDING)).ceil() as u64).min(sums.expected);
    sums.at_most = ((dearest * (1.0 + ROUNDING)).floor() as u64).max(sums.expected);
    Ok(sums)
}

/// Far above what a sum of some hundred fractions loses, far below a page.
const ROUNDING: f64 = 1e-13;

/// Spreads objects from the rung of their smallest size to that of their largest. Pages of one object on the
/// cheapest and on the dearest of these.
fn spread(sizes: &Sizes, first: usize, ladder: &Ladder, tallies: &mut [Tally]) -> (f64, f64) {
    let (mut least, mut most, mut placed) = (f64::INFINITY, 0.0_f64, 0);
    for (step, (rung, tally)) in ladder.rungs.iter().zip(tallies).skip(first).enumerate() {
        let cost = f64::from(rung.unit.pages) / f64::from(rung.unit.objects.max(1));
        (least, most) = (least.min(cost), most.max(cost));
        tally.reached = true;
        if step == 0 {
            tally.low = tally.low.saturating_add(sizes.objects);
        }
        if sizes.to <= rung.up_to {
            tally.expected = tally.expected.saturating_add(sizes.objects - placed);
            tally.high = tally.high.saturating_add(sizes.objects);
            break;
        }
        let up_to = part(sizes.objects, rung.up_to - sizes.from + 1, sizes.to - sizes.from + 1);
        let up_to = up_to.clamp(placed, sizes.objects);
        tally.expected = tally.expected.saturating_add(up_to - placed);
        placed = up_to;
    }
    (least, most)
}

/// Objects of `of` sizes out of the `whole` that an interval has, to the nearest whole number.
pub fn part(objects: u64, of: u32, whole: u32) -> u64 {
    let whole = u64::from(whole.max(1));
    match objects.checked_mul(2 * u64::from(of)).and_then(|twice| twice.checked_add(whole)) {
        Some(twice) => twice / (2 * whole),
        // More objects than memory could hold: the first sixteen digits will do.
        None => (objects as f64 * (f64::from(of) / whole as f64)) as u64,
    }
}

/// Zspages or blocks for so many objects. Numbers of 32 bits divide faster, and nearly all are.
fn units(objects: u64, each: u32) -> u64 {
    match u32::try_from(objects) {
        Ok(objects) => objects.div_ceil(each).into(),
        Err(_) => objects.div_ceil(each.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::{Raw, Setting};
    use super::*;
    use crate::packing::Packing;
    use crate::rng::Rng;
    use crate::zblock;
    use crate::zsmalloc::{Config, Era, Geometry};

    fn config(page_shift: u8, max_pages: u8) -> Config {
        Config { page_shift, max_pages, ..Config::default_for(Era::V6_12) }
    }

    fn ladder(page_shift: u8, max_pages: u8) -> Ladder {
        Ladder::new(&Setting::Zsmalloc(config(page_shift, max_pages))).unwrap()
    }

    /// What a class table says of these sizes.
    fn table(sizes: &[u32], config: &Config) -> Population {
        let geometry = Geometry::new(config).unwrap();
        let mut objects = vec![0; geometry.classes().len()];
        for &size in sizes {
            objects[geometry.class_of(size).unwrap()] += 1;
        }
        let huge = objects.len() - 1;
        let interval = |(position, &objects): (usize, &u64)| {
            let (from, to) = geometry.requests(position).unwrap();
            Sizes { from, to, objects }
        };
        let known = objects[..huge].iter().enumerate().map(interval).collect();
        let raw = Raw { objects: objects[huge], from: geometry.requests(huge).unwrap().0 };
        Population::new(config.page_shift, known, raw)
    }

    #[test]
    fn exact_sizes_are_packed_exactly() {
        let mut rng = Rng::new(1);
        for (page_shift, max_pages) in [(12, 1), (12, 4), (12, 8), (13, 5), (14, 16), (16, 8)] {
            let sizes: Vec<(u32, u64)> =
                (0..200).map(|_| (1 + rng.below(4096), 1 + u64::from(rng.below(3000)))).collect();
            let geometry = Geometry::new(&config(page_shift, max_pages)).unwrap();
            let packing = Packing::new(&geometry, sizes.iter().copied());
            let population = Population::exact(12, sizes.iter().copied());
            let got = predict(&population, &ladder(page_shift, max_pages)).unwrap();
            let pages = packing.pages();
            assert_eq!((got.low, got.expected, got.high), (pages, pages, pages));
            assert!(got.at_least <= pages && pages <= got.at_most);
            assert_eq!(got.partial as usize, packing.partial());
            assert_eq!((got.largest_demand, got.objects), (packing.largest_demand(), packing.objects()));
        }
    }

    #[test]
    fn no_sizes_escape_the_bounds() {
        let mut rng = Rng::new(7);
        for objects in [1, 10, 300, 20_000, 400_000] {
            for (own, other) in [(4, 8), (8, 4), (4, 16), (5, 6), (1, 9)] {
                let own_config = config(12, own);
                let whole_from = ladder(12, own).whole_page_from();
                // What zram stores: pages from the limit on as they are.
                let compressed: Vec<u32> = (0..objects).map(|_| 1 + rng.below(4096)).collect();
                let kept =
                    |limit: u32| compressed.iter().map(move |&size| if size >= limit { 4096 } else { size });
                let stored: Vec<u32> = kept(whole_from).collect();
                let there: Vec<u32> = kept(ladder(12, other).whole_page_from()).collect();
                let geometry = Geometry::new(&config(12, other)).unwrap();
                let truth = Packing::new(&geometry, there.into_iter().map(|size| (size, 1))).pages();
                let got = predict(&table(&stored, &own_config), &ladder(12, other)).unwrap();
                assert!((got.at_least..=got.at_most).contains(&truth), "{own} to {other}: {got:?}, {truth}");
                assert!((got.at_least..=got.at_most).contains(&got.expected), "{got:?}");
                // The three spreads alone enclose it only where a zspage more or less does not count.
                if objects == 400_000 {
                    assert!((got.low..=got.high).contains(&truth), "{own} to {other}: {got:?}, {truth}");
                }
            }
        }
    }

    #[test]
    fn a_raw_page_is_unknown_only_under_a_higher_limit() {
        let population = Population::new(12, Vec::new(), Raw { objects: 9000, from: 3257 });
        let pages = |ladder: &Ladder| {
            let got = predict(&population, ladder).unwrap();
            (got.low, got.expected, got.high)
        };
        assert_eq!(pages(&ladder(12, 4)), (9000, 9000, 9000));
        assert_eq!(pages(&ladder(12, 2)), (9000, 9000, 9000));
        let (low, expected, high) = pages(&ladder(12, 8));
        assert!(low < expected && expected < high && high == 9000, "{low} {expected} {high}");
        // Another page size keeps the stored bytes: four pages of 4096 in one of 16384.
        assert_eq!(pages(&ladder(14, 4)).0, pages(&ladder(14, 4)).2);
    }

    #[test]
    fn what_zblock_refuses_counts_as_a_page() {
        let zblock = Ladder::new(&Setting::Zblock(zblock::Config::default())).unwrap();
        let got = predict(&Population::exact(12, [(4079, 2), (4096, 3)]), &zblock).unwrap();
        // Two of four slots in a block of four pages.
        assert_eq!((got.refused, got.expected), (3, 3 + 4));
    }

    #[test]
    fn objects_above_a_page_do_not_fit() {
        let population = Population::exact(14, [(100, 5), (5000, 7)]);
        let unfit = predict(&population, &ladder(12, 8)).unwrap_err();
        assert_eq!(unfit, Unfit { objects: 7, of: 12, page_bytes: 4096 });
        let raw = Population::new(14, Vec::new(), Raw { objects: 3, from: 14_000 });
        assert_eq!(predict(&raw, &ladder(12, 8)).unwrap_err().objects, 3);
    }

    #[test]
    fn absurd_numbers_are_survived() {
        let sizes = vec![
            Sizes { from: 0, to: 4096, objects: u64::MAX },
            Sizes { from: 9, to: 3, objects: u64::MAX - 1 },
            Sizes { from: 1, to: 1, objects: 0 },
        ];
        let population = Population::new(12, sizes, Raw { objects: u64::MAX, from: u32::MAX });
        let got = predict(&population, &ladder(12, 8)).unwrap();
        assert_eq!((got.objects, got.high), (u64::MAX, u64::MAX));
        let empty = Population::new(200, Vec::new(), Raw { objects: 0, from: 0 });
        assert_eq!(predict(&empty, &ladder(12, 8)), Ok(Prediction::default()));
    }
}
