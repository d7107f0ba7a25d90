//! How a pool that was packed without a gap comes to hold more: objects are freed, their zspages stay.

use super::Population;
use crate::pool::{Ignore, ObjectId, Pool as _};
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

impl Worn {
    /// Share of the objects that were freed, in whole percent.
    pub fn freed_percent(&self) -> u32 {
        let freed = u64::from(self.freed) * 100 + u64::from(self.filled) / 2;
        freed.checked_div(self.filled.into()).unwrap_or(0) as u32
    }
}

/// Fills a pool with at most `most_objects` of the population's sizes, and frees at random until it holds
/// `held_thousandths` of a thousand of the pages that the rest needs, or a hundredth of the objects is left. Then
/// compacts it. The same input gives the same pool.
pub fn wear(geometry: Geometry, population: &Population, held_thousandths: u64, most_objects: u32) -> Worn {
    let mut pool = Pool::new(geometry);
    let mut live = fill(&mut pool, population, most_objects);
    let filled = live.len() as u32;
    let mut counts = Counts::of(&pool);
    let mut rng = Rng::new(0);
    while live.len() as u64 * 100 > u64::from(filled)
        && pool.totals().pages.saturating_mul(1000) < counts.packed.saturating_mul(held_thousandths)
    {
        let object = live.swap_remove(rng.below(live.len() as u32) as usize);
        if let Ok(freed) = pool.free(object, &mut Ignore) {
            counts.take(freed.from.class);
        }
    }
    let (pages, packed) = (pool.totals().pages, counts.packed);
    pool.compact(&mut Ignore);
    Worn { filled, freed: filled - live.len() as u32, pages, packed, compacted: pool.totals().pages }
}

/// Allocates the population scaled down, and says what is live.
fn fill(pool: &mut Pool, population: &Population, most_objects: u32) -> Vec<ObjectId> {
    let page = 1u32 << population.page_shift().min(16);
    let scale = (f64::from(most_objects) / population.objects().max(1) as f64).min(1.0);
    let mut live = Vec::new();
    let mut place = |from: u32, to: u32, objects: u64| {
        let count = (objects as f64 * scale).round() as u32;
        for index in 0..count.min(most_objects) {
            // The middle of the object's share of the interval.
            let step = (2 * u64::from(index) + 1) * u64::from(to - from + 1) / (2 * u64::from(count));
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

/// Objects of each class and the pages that they need.
struct Counts {
    classes: Vec<(u16, u64, u64, u64)>,
    packed: u64,
}

impl Counts {
    fn of(pool: &Pool) -> Self {
        let classes: Vec<_> = pool
            .classes()
            .iter()
            .map(|class| {
                let each = u64::from(class.objects_per_span).max(1);
                (class.class, class.objects, each, u64::from(class.pages_per_span))
            })
            .collect();
        let packed = classes.iter().map(|&(_, objects, each, pages)| objects.div_ceil(each) * pages).sum();
        Self { classes, packed }
    }

    /// One object fewer.
    fn take(&mut self, class: u16) {
        let found = self.classes.binary_search_by_key(&class, |&(index, ..)| index);
        if let Some((_, objects, each, pages)) = found.ok().and_then(|at| self.classes.get_mut(at)) {
            let before = objects.div_ceil(*each);
            *objects = objects.saturating_sub(1);
            self.packed -= (before - objects.div_ceil(*each)) * *pages;
        }
    }
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
        let worn = wear(geometry(), &population, 1500, 20_000);
        assert_eq!(worn.filled, 20_000);
        assert!(
            worn.pages * 1000 >= worn.packed * 1500 && worn.pages * 1000 < worn.packed * 1510,
            "{worn:?}"
        );
        assert!((30..60).contains(&worn.freed_percent()), "{worn:?}");
        assert_eq!(worn.compacted, worn.packed);
        assert_eq!(worn, wear(geometry(), &population, 1500, 20_000));
    }

    #[test]
    fn what_cannot_be_reached_ends() {
        // Of one object a page there is never a hole.
        let population = Population::exact(12, [(4096, 1000)]);
        let worn = wear(geometry(), &population, 2000, 500);
        assert_eq!((worn.filled, worn.freed), (500, 495));
        let none = wear(geometry(), &Population::exact(12, []), 2000, 500);
        assert_eq!((none.filled, none.freed_percent(), none.pages), (0, 0, 0));
        let still = wear(geometry(), &population, 1000, 0);
        assert_eq!(still.filled, 0);
    }
}
