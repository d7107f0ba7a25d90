//! Sizes that a reader brings: how often each occurs, alone or in ranges.

use super::sizes::Part;
use crate::ops::Ops;
use crate::ranked::ascending;
use crate::rng::Rng;

/// A distribution of request sizes that was counted somewhere. In a range all sizes are equally likely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Ascending by their first size.
    ranges: Vec<Range>,
}

/// Objects of the sizes `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    from: u32,
    to: u32,
    /// Objects in the ranges before it and in it.
    end: u64,
}

impl Measured {
    /// Ranges of sizes in bytes, both ends included, each with its number of objects. Ranges without objects are
    /// dropped; ends are brought into order and into 1 to [`Ops::MAX_SIZE`]; more objects than 2^32 in all are
    /// scaled down. `None` without objects.
    pub fn new(ranges: &[(u32, u32, u64)]) -> Option<Self> {
        let total = ranges.iter().fold(0u64, |sum, range| sum.saturating_add(range.2));
        // Products of a size and a count then fit into 64 bits.
        let scale = 32u32.saturating_sub(total.leading_zeros());
        let keys: Vec<i64> =
            ranges.iter().map(|range| (i64::from(range.0) << 31) | i64::from(range.1)).collect();
        let mut kept: Vec<Range> = Vec::new();
        for at in ascending(&keys) {
            let Some(&(from, to, count)) = ranges.get(at as usize).filter(|range| range.2 > 0) else {
                continue;
            };
            let before = kept.last().map_or(0, |last| last.end);
            let end = before.saturating_add((count >> scale).max(1));
            let from = from.clamp(1, Ops::MAX_SIZE);
            let to = to.clamp(from, Ops::MAX_SIZE);
            match kept.last_mut() {
                Some(same) if (same.from, same.to) == (from, to) => same.end = end,
                _ => kept.push(Range { from, to, end }),
            }
        }
        (!kept.is_empty()).then_some(Self { ranges: kept })
    }

    /// The ranges, ascending, each with its number of objects.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = (u32, u32, u64)> + '_ {
        let mut before = 0;
        self.ranges.iter().map(move |range| {
            let count = range.end - before;
            before = range.end;
            (range.from, range.to, count)
        })
    }

    /// Number of objects.
    pub fn total(&self) -> u64 {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// Mean size in bytes, rounded down.
    pub fn mean_bytes(&self) -> u64 {
        let twice = self.ranges().fold(0u64, |sum, (from, to, count)| {
            sum.saturating_add((u64::from(from) + u64::from(to)).saturating_mul(count))
        });
        twice / 2 / self.total().max(1)
    }

    /// The smallest and the largest size in bytes.
    pub fn range(&self) -> (u32, u32) {
        let first = self.ranges.first().map_or(0, |range| range.from);
        (first, self.ranges.iter().map(|range| range.to).max().unwrap_or(0))
    }

    /// One size from a part of the distribution.
    pub(super) fn sample_part(&self, part: Part, rng: &mut Rng) -> u32 {
        let at = u64::from(part.from + rng.below(part.len));
        let fine = u64::from(rng.below(1 << 16));
        // Which of all objects, smallest first: a place of 2^32, so that rare sizes come up too.
        let total = self.total().min(u32::MAX.into());
        let object = (((at << 16) | fine) * total) >> 32;
        let place = self.ranges.partition_point(|range| range.end <= object);
        let Some(range) = self.ranges.get(place) else { return 1 };
        let before = place.checked_sub(1).and_then(|at| self.ranges.get(at)).map_or(0, |range| range.end);
        let count = (range.end - before).max(1);
        let width = u64::from(range.to - range.from) + 1;
        // Few objects in a wide range: anywhere in the share that belongs to the one that was drawn.
        let (start, end) = (width * (object - before) / count, width * (object - before + 1) / count);
        range.from + start as u32 + rng.below((end - start) as u32)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn samples(measured: &Measured, part: Part) -> Vec<u32> {
        let mut rng = Rng::new(5);
        (0..50_000).map(|_| measured.sample_part(part, &mut rng)).collect()
    }

    #[test]
    fn sizes_come_as_often_as_they_were_counted() {
        let measured = Measured::new(&[(3000, 3000, 1), (100, 100, 2), (1000, 1999, 1), (5, 5, 0)]).unwrap();
        assert_eq!((measured.total(), measured.range(), measured.mean_bytes()), (4, (100, 3000), 1174));
        let sizes = samples(&measured, Part::WHOLE);
        let share = |of: fn(u32) -> bool| sizes.iter().filter(|&&size| of(size)).count();
        assert!((24_500..25_500).contains(&share(|size| size == 100)));
        assert!((12_000..13_000).contains(&share(|size| size == 3000)));
        // A range of which one object is known has all its sizes.
        assert!((5_900..6_600).contains(&share(|size| (1000..1500).contains(&size))));
        assert!(sizes.iter().all(|&size| size == 100 || size == 3000 || (1000..2000).contains(&size)));
    }

    #[test]
    fn parts_go_from_small_to_large() {
        let measured = Measured::new(&[(2000, 2000, 5), (10, 10, 5), (300, 300, 5)]).unwrap();
        for (index, size) in [10, 300, 2000].into_iter().enumerate() {
            let sizes = samples(&measured, Part::nth(index as u32, 3));
            let others = sizes.iter().filter(|&&other| other != size).count();
            // A third of 65536 is no whole number.
            assert!(others < 10, "{index}: {others}");
        }
    }

    #[test]
    fn rare_sizes_come_up() {
        let measured = Measured::new(&[(1, 1, 1_000_000), (4096, 4096, 10)]).unwrap();
        let mut rng = Rng::new(1);
        let rare = (0..1_000_000).filter(|_| measured.sample_part(Part::WHOLE, &mut rng) == 4096).count();
        assert!((3..25).contains(&rare), "{rare}");
    }

    #[test]
    fn any_numbers_are_survived() {
        assert_eq!(Measured::new(&[]), None);
        assert_eq!(Measured::new(&[(1, 1, 0)]), None);
        let most = Measured::new(&[(0, u32::MAX, u64::MAX), (7, 3, u64::MAX), (u32::MAX, 0, 1)]).unwrap();
        assert_eq!(most.range(), (1, Ops::MAX_SIZE));
        assert!(most.total() > u64::from(u32::MAX) && most.mean_bytes() > 0);
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| (1..=Ops::MAX_SIZE).contains(&most.sample_part(Part::WHOLE, &mut rng))));
    }
}
