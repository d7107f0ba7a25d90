//! Sizes packed into the classes of a setting without a gap: what each class holds, and what it loses to what.

use slabscope_core::whatif::part;
use slabscope_core::workload::Measured;

use super::rungs::{Rung, Rungs};

/// What a class holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// Objects.
    pub(super) objects: u64,
    /// Zspages, blocks or slabs.
    pub(super) spans: u64,
    /// Bytes asked for, to the nearest whole number where only a range is known.
    pub(super) asked: u64,
    /// Bytes of handles.
    pub(super) handles: u64,
    /// Bytes between what was asked for and a place.
    pub(super) rounding: u64,
    /// Bytes of headers, and those behind the last place.
    pub(super) around: u64,
    /// Bytes of places without an object.
    pub(super) empty: u64,
}

impl Held {
    /// Bytes of whole pages.
    pub(super) fn bytes(&self) -> u64 {
        self.asked.saturating_add(self.lost())
    }

    /// Bytes that were not asked for.
    pub(super) fn lost(&self) -> u64 {
        let parts = [self.handles, self.rounding, self.around, self.empty];
        parts.into_iter().fold(0, u64::saturating_add)
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (sum, part) in [
            (&mut self.objects, other.objects),
            (&mut self.spans, other.spans),
            (&mut self.asked, other.asked),
            (&mut self.handles, other.handles),
            (&mut self.rounding, other.rounding),
            (&mut self.around, other.around),
            (&mut self.empty, other.empty),
        ] {
            *sum = sum.saturating_add(part);
        }
    }
}

/// Objects of a range that one rung serves.
struct Piece {
    rung: Option<usize>,
    from: u32,
    to: u32,
    objects: u64,
}

/// What every rung holds, and how many objects are too large for any. Sizes are spread evenly over their ranges, as the
/// what-if does it.
pub(super) fn packed(sizes: &Measured, rungs: &Rungs) -> (Vec<Held>, u64) {
    let mut twice_asked = vec![0u64; rungs.all.len()];
    let mut held = vec![Held::default(); rungs.all.len()];
    let mut refused = 0u64;
    each_piece(sizes, rungs, |piece| match piece.rung {
        None => refused = refused.saturating_add(piece.objects),
        Some(at) => {
            held[at].objects = held[at].objects.saturating_add(piece.objects);
            let both = u64::from(piece.from) + u64::from(piece.to);
            twice_asked[at] = twice_asked[at].saturating_add(both.saturating_mul(piece.objects));
        }
    });
    for ((held, rung), twice) in held.iter_mut().zip(&rungs.all).zip(twice_asked) {
        let places = held.objects.saturating_mul(rung.place.into());
        held.asked = (twice / 2).min(places);
        held.rounding = places - held.asked;
        held.handles = held.objects.saturating_mul(rung.handle.into());
        held.spans = held.objects.div_ceil(u64::from(rung.objects).max(1));
        held.around = held.spans.saturating_mul(rung.around.into());
        let room = held.spans.saturating_mul(rung.objects.into()).saturating_sub(held.objects);
        held.empty = room.saturating_mul((rung.place + rung.handle).into());
    }
    (held, refused)
}

/// Cuts every range where one rung ends and the next begins.
fn each_piece(sizes: &Measured, rungs: &Rungs, mut take: impl FnMut(Piece)) {
    for (from, to, objects) in sizes.ranges() {
        let first = rungs.all.partition_point(|rung| rung.up_to < from);
        let (mut start, mut placed) = (from, 0);
        for (at, rung) in rungs.all.iter().enumerate().skip(first) {
            let end = to.min(rung.up_to);
            let up_to = part(objects, end - from + 1, to - from + 1).clamp(placed, objects);
            take(Piece { rung: Some(at), from: start, to: end, objects: up_to - placed });
            (start, placed) = (end + 1, up_to);
            if end == to {
                break;
            }
        }
        if placed < objects {
            take(Piece { rung: None, from: start, to, objects: objects - placed });
        }
    }
}

/// The shares, in percent, of objects and of lost bytes that lie in each of `bins` equal stretches of sizes up to `most`.
pub(super) fn shares(sizes: &Measured, rungs: &Rungs, most: u32, bins: usize) -> Vec<(f32, f32)> {
    let mut sums = vec![(0.0, 0.0); bins];
    let width = f64::from(most) / bins as f64;
    each_piece(sizes, rungs, |piece| {
        let Some(rung) = piece.rung.and_then(|at| rungs.all.get(at)) else { return };
        let each = piece.objects as f64 / f64::from(piece.to - piece.from + 1);
        // A size stands for the stretch below it.
        let (mut left, right) = (f64::from(piece.from - 1), f64::from(piece.to));
        while left < right {
            let bin = ((left / width) as usize).min(bins - 1);
            let end = if bin + 1 == bins { right } else { right.min((bin + 1) as f64 * width) };
            let objects = each * (end - left);
            sums[bin].0 += objects;
            sums[bin].1 += objects * lost(rung, (left + end + 1.0) / 2.0);
            left = end;
        }
    });
    let whole = sums.iter().fold((0.0, 0.0), |whole, sum| (whole.0 + sum.0, whole.1 + sum.1));
    let percent = |part: f64, whole: f64| if whole > 0.0 { (100.0 * part / whole) as f32 } else { 0.0 };
    sums.into_iter().map(|sum| (percent(sum.0, whole.0), percent(sum.1, whole.1))).collect()
}

/// Bytes lost by an object of a size in a full zspage, block or slab.
fn lost(rung: &Rung, size: f64) -> f64 {
    let around = f64::from(rung.around) / f64::from(rung.objects.max(1));
    (f64::from(rung.place) - size).max(0.0) + f64::from(rung.handle) + around
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::model::AnyConfig;
    use slabscope_core::whatif::{Ladder, Population, Raw, Setting, Sizes, predict};
    use slabscope_core::{slub, zblock, zsmalloc};

    use super::*;

    fn measured() -> Measured {
        let ranges = [(1, 900, 12_345), (700, 700, 999), (1500, 3300, 70_001), (4000, 4096, 77)];
        Measured::new(&ranges).unwrap()
    }

    fn sum(config: &AnyConfig, sizes: &Measured) -> (Held, u64, u64) {
        let rungs = Rungs::new(config).unwrap();
        let (all, refused) = packed(sizes, &rungs);
        let (mut sum, mut pages) = (Held::default(), 0);
        for (held, rung) in all.iter().zip(&rungs.all) {
            assert_eq!(held.bytes(), held.spans * u64::from(rung.pages * rungs.page), "{}", rung.name);
            pages += held.spans * u64::from(rung.pages);
            sum.add(held);
        }
        (sum, pages, refused)
    }

    #[test]
    fn pages_are_those_of_the_what_if() {
        let sizes: Vec<Sizes> =
            measured().ranges().map(|(from, to, objects)| Sizes { from, to, objects }).collect();
        let population = Population::new(12, sizes, Raw { objects: 0, from: 0 });
        let expected =
            |setting: Setting| predict(&population, &Ladder::new(&setting).unwrap()).unwrap().expected;
        for max_pages in [1, 4, 8, 16] {
            let config =
                zsmalloc::Config { max_pages, ..zsmalloc::Config::default_for(zsmalloc::Era::default()) };
            let (held, pages, refused) = sum(&AnyConfig::Zsmalloc(config), &measured());
            assert_eq!((pages, refused), (expected(Setting::Zsmalloc(config)), 0));
            assert_eq!(held.objects, measured().total());
        }
        let config = zblock::Config::default_for(zblock::Version::default());
        let (_, pages, refused) = sum(&AnyConfig::Zblock(config), &measured());
        // The what-if keeps what zblock refuses in pages of their own.
        assert_eq!(pages + refused, expected(Setting::Zblock(config)));
        assert!(refused > 0);
    }

    #[test]
    fn slabs_hold_what_caches_serve() {
        let config = slub::Config::default_for(slub::Generation::default());
        let sizes = Measured::new(&[(90, 90, 100), (20_000, 20_000, 3)]).unwrap();
        let (held, pages, refused) = sum(&AnyConfig::Slub(config), &sizes);
        // 96-byte places, 42 of them in a page.
        assert_eq!((held.objects, held.spans, pages, refused), (100, 3, 3, 3));
        assert_eq!((held.asked, held.rounding, held.empty), (9000, 600, 26 * 96));
    }

    #[test]
    fn shares_are_of_the_whole() {
        let config = zsmalloc::Config::default_for(zsmalloc::Era::default());
        let rungs = Rungs::new(&AnyConfig::Zsmalloc(config)).unwrap();
        let shares = shares(&measured(), &rungs, 4096, 64);
        let sums = shares.iter().fold((0.0, 0.0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
        assert!((sums.0 - 100.0_f32).abs() < 0.01 && (sums.1 - 100.0_f32).abs() < 0.01, "{sums:?}");
        // Nothing lies between 901 and 1499.
        assert!(shares[15..23].iter().all(|share| *share == (0.0, 0.0)), "{shares:?}");
        let one = Measured::new(&[(64, 64, 5)]).unwrap();
        assert_eq!(super::shares(&one, &rungs, 4096, 64)[0], (100.0, 100.0));
    }

    #[test]
    fn any_numbers_are_survived() {
        let wild =
            Measured::new(&[(1, u32::MAX, u64::MAX), (1, 1, u64::MAX), (u32::MAX, u32::MAX, 9)]).unwrap();
        let config = zsmalloc::Config::default_for(zsmalloc::Era::default());
        let rungs = Rungs::new(&AnyConfig::Zsmalloc(config)).unwrap();
        let (held, refused) = packed(&wild, &rungs);
        let objects = held.iter().fold(refused, |sum, held| sum + held.objects);
        assert_eq!(objects, wild.total());
        shares(&wild, &rungs, 4096, 64);
    }
}
