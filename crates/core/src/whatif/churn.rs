//! How a pool that was packed without a gap comes to hold more: objects are freed, their zspages stay.

use super::Population;
use crate::pool::{ClassTotals, Ignore, ObjectId, Pool as _};
use crate::rng::Rng;
use crate::zsmalloc::{Geometry, Pool};

/// A pool after frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worn {
    /// Objects that it was filled with, without a gap.
    pub filled: u32,
    /// Objects that were freed, each as likely as any other.
    pub freed: u32,
    /// Pages held then.
    pub pages: u64,
    /// Pages that the objects left would take without a gap.
    pub packed: u64,
    /// Pages held after compaction.
    pub compacted: u64,
}

/// Fills a pool with so many of the population's sizes that the population is left, or a scaled-down one, once
/// `freed_percent` of them are freed at random; then compacts it. At most `most_objects` are filled in. The same
/// input gives the same pool.
pub fn wear(geometry: &Geometry, population: &Population, freed_percent: u8, most_objects: u32) -> Worn {
    let left = u64::from(100 - freed_percent.min(99));
    let mut pool = Pool::new(geometry.clone());
    let wanted = population.objects().saturating_mul(100) / left;
    let mut live = fill(&mut pool, population, wanted.min(most_objects.into()) as u32);
    let filled = live.len();
    let mut rng = Rng::new(0);
    while live.len() as u64 * 100 > filled as u64 * left {
        let object = live.swap_remove(rng.below(live.len() as u32) as usize);
        // Every object of the list is live.
        let _ = pool.free(object, &mut Ignore);
    }
    let packed = |class: &ClassTotals| {
        let spans = class.objects.div_ceil(u64::from(class.objects_per_span).max(1));
        spans * u64::from(class.pages_per_span)
    };
    let (pages, packed) = (pool.totals().pages, pool.classes().iter().map(packed).sum());
    pool.compact(&mut Ignore);
    let freed = (filled - live.len()) as u32;
    Worn { filled: filled as u32, freed, pages, packed, compacted: pool.totals().pages }
}

/// The fewest frees, in whole percent, after which a pool holds `held_thousandths` of a thousand of the pages that
/// its objects need. `None` if not even 99 % do.
pub fn wear_until(
    geometry: &Geometry,
    population: &Population,
    held_thousandths: u64,
    most_objects: u32,
) -> Option<(u8, Worn)> {
    let worn = |percent: u8| wear(geometry, population, percent, most_objects);
    let is_reached = |worn: &Worn| {
        worn.pages.saturating_mul(1000) >= worn.packed.saturating_mul(held_thousandths) && worn.packed > 0
    };
    let (mut enough, mut found) = (99, worn(99));
    if !is_reached(&found) {
        return None;
    }
    let mut too_few = None;
    while let least = too_few.map_or(0, |percent: u8| percent + 1)
        && least < enough
    {
        let middle = least.midpoint(enough);
        let tried = worn(middle);
        if is_reached(&tried) {
            (enough, found) = (middle, tried);
        } else {
            too_few = Some(middle);
        }
    }
    Some((enough, found))
}

/// Allocates `count` objects of the population's sizes, and says what is live.
fn fill(pool: &mut Pool, population: &Population, count: u32) -> Vec<ObjectId> {
    let page = 1u32 << population.page_shift().min(16);
    let scale = f64::from(count) / population.objects().max(1) as f64;
    let mut live = Vec::new();
    let mut place = |from: u32, to: u32, objects: u64| {
        let share = ((objects as f64 * scale).round() as u32).min(count);
        for index in 0..share {
            // The middle of the object's share of the interval.
            let step = (2 * u64::from(index) + 1) * u64::from(to - from + 1) / (2 * u64::from(share));
            let object = ObjectId(live.len() as u32);
            if pool.malloc(object, from + step as u32, &mut Ignore).is_ok() {
                live.push(object);
            }
        }
    };
    for sizes in population.sizes() {
        place(sizes.from, sizes.to, sizes.objects);
    }
    place(page, page, population.raw().objects);
    live
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::{Raw, Sizes};
    use super::*;
    use crate::zsmalloc::{Config, Era};

    fn geometry() -> Geometry {
        Geometry::new(&Config::default_for(Era::V6_12)).unwrap()
    }

    #[test]
    fn frees_reach_the_fragmentation_and_compaction_undoes_it() {
        let sizes = vec![Sizes { from: 500, to: 3000, objects: 4_000_000 }];
        let population = Population::new(12, sizes, Raw { objects: 200_000, from: 3625 });
        let (percent, worn) = wear_until(&geometry(), &population, 1500, 20_000).unwrap();
        assert!((30..60).contains(&percent), "{percent} {worn:?}");
        assert_eq!(worn.filled, 20_000);
        assert_eq!(u64::from(worn.freed), u64::from(worn.filled) * u64::from(percent) / 100);
        assert!(worn.pages * 1000 >= worn.packed * 1500, "{worn:?}");
        assert_eq!(worn.compacted, worn.packed);
        let less = wear(&geometry(), &population, percent - 1, 20_000);
        assert!(less.pages * 1000 < less.packed * 1500, "{less:?}");
        assert_eq!(wear_until(&geometry(), &population, 1000, 20_000).map(|found| found.0), Some(0));
    }

    #[test]
    fn a_small_pool_is_filled_beyond_what_is_left() {
        let population = Population::exact(12, [(1000, 400)]);
        let worn = wear(&geometry(), &population, 60, 20_000);
        assert_eq!((worn.filled, worn.filled - worn.freed), (1000, 400));
    }

    #[test]
    fn what_cannot_be_reached_is_none() {
        // Of one object a page there is never a hole.
        let population = Population::exact(12, [(4096, 1000)]);
        assert_eq!(wear_until(&geometry(), &population, 2000, 500), None);
        assert_eq!(wear_until(&geometry(), &Population::exact(12, []), 1000, 500), None);
        let all = Population::new(
            12,
            vec![Sizes { from: 1, to: 9, objects: u64::MAX }],
            Raw { objects: 0, from: 0 },
        );
        assert_eq!(wear(&geometry(), &all, 255, 100).filled, 100);
    }
}
