//! Sizes and how often each occurs.

use slabscope_core::rng::Rng;

use crate::bits::numbers;

/// Stored sizes in bytes and the number of pages of each, smallest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    sizes: Vec<(u32, u32)>,
    /// Objects up to and including each size.
    up_to: Vec<u64>,
}

impl Histogram {
    /// From sizes in ascending order with their counts. What is not in order, or counts nothing, is left out.
    pub fn new(sizes: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut histogram = Self::default();
        let mut sum = 0u64;
        for (size, count) in sizes {
            if count > 0 && histogram.sizes.last().is_none_or(|&(last, _)| last < size) {
                sum += u64::from(count);
                histogram.sizes.push((size, count));
                histogram.up_to.push(sum);
            }
        }
        histogram
    }

    /// Reads the packed form: for each size twice what it is above the one before, plus one if it occurs more than
    /// once, in which case that number follows.
    pub(crate) fn unpack(text: &[u8]) -> Option<Self> {
        let mut numbers = numbers(text)?.into_iter();
        let (mut sizes, mut size) = (Vec::new(), 0u32);
        while let Some(step) = numbers.next() {
            size = size.checked_add(step / 2)?;
            let count = if step % 2 == 1 { numbers.next()? } else { 1 };
            sizes.push((size, count));
        }
        let histogram = Self::new(sizes.iter().copied());
        (histogram.sizes == sizes).then_some(histogram)
    }

    /// Both together.
    pub fn with(&self, other: &Self) -> Self {
        let mut all: Vec<(u32, u32)> = self.sizes.iter().chain(&other.sizes).copied().collect();
        all.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (size, count) in all {
            match merged.last_mut() {
                Some(last) if last.0 == size => last.1 = last.1.saturating_add(count),
                _ => merged.push((size, count)),
            }
        }
        Self::new(merged)
    }

    /// So many percent of the objects of each size, rounded down.
    pub(crate) fn percent(&self, percent: u32) -> Self {
        let part = |count: u32| u64::from(count) * u64::from(percent) / 100;
        Self::new(
            self.sizes.iter().map(|&(size, count)| (size, u32::try_from(part(count)).unwrap_or(u32::MAX))),
        )
    }

    /// Only the sizes below a limit.
    pub fn below(&self, limit: u32) -> Self {
        Self::new(self.sizes.iter().copied().take_while(|&(size, _)| size < limit))
    }

    /// As zram stores them: what is not below `limit` takes a whole page.
    pub fn stored_whole_from(&self, limit: u32, page_bytes: u32) -> Self {
        let below = self.below(limit.min(page_bytes));
        let whole = u32::try_from(self.objects() - below.objects()).unwrap_or(u32::MAX);
        Self::new(below.sizes.into_iter().chain([(page_bytes, whole)]))
    }

    /// The sizes and their counts.
    pub fn sizes(&self) -> &[(u32, u32)] {
        &self.sizes
    }

    /// The pairs in the form that packing takes.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.sizes.iter().map(|&(size, count)| (size, u64::from(count)))
    }

    /// Objects.
    pub fn objects(&self) -> u64 {
        self.up_to.last().copied().unwrap_or(0)
    }

    /// Bytes of all objects.
    pub fn bytes(&self) -> u64 {
        self.counts().map(|(size, count)| u64::from(size) * count).sum()
    }

    /// Objects of at most a size.
    pub fn at_most(&self, size: u32) -> u64 {
        let index = self.sizes.partition_point(|&(other, _)| other <= size);
        index.checked_sub(1).and_then(|index| self.up_to.get(index).copied()).unwrap_or(0)
    }

    /// The largest size; 0 without objects.
    pub fn largest(&self) -> u32 {
        self.sizes.last().map_or(0, |&(size, _)| size)
    }

    /// A size drawn with the frequency that it has; 0 without objects. Objects beyond 2^32 are left out.
    pub fn sample(&self, rng: &mut Rng) -> u32 {
        let at = u64::from(rng.below(u32::try_from(self.objects()).unwrap_or(u32::MAX)));
        let index = self.up_to.partition_point(|&up_to| up_to <= at);
        self.sizes.get(index).map_or(0, |&(size, _)| size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_sizes_come_back() {
        // 3 once, 5 twice.
        assert_eq!(Histogram::unpack(b"GFC"), Some(Histogram::new([(3, 1), (5, 2)])));
        assert_eq!(Histogram::unpack(b"GF"), None, "the count is missing");
        assert_eq!(Histogram::unpack(b"GA"), None, "the same size again");
        assert_eq!(Histogram::unpack(b""), Some(Histogram::default()));
    }

    #[test]
    fn parts_and_sums() {
        let one = Histogram::new([(10, 2), (20, 1), (4096, 3)]);
        let both = one.with(&Histogram::new([(5, 1), (20, 4)]));
        assert_eq!(both.sizes(), [(5, 1), (10, 2), (20, 5), (4096, 3)]);
        assert_eq!((both.objects(), both.bytes(), both.largest()), (11, 125 + 12_288, 4096));
        assert_eq!([both.at_most(4), both.at_most(10), both.at_most(9999)], [0, 3, 11]);
        assert_eq!(both.below(20).sizes(), [(5, 1), (10, 2)]);
        assert_eq!(both.stored_whole_from(20, 4096).sizes(), [(5, 1), (10, 2), (4096, 8)]);
        assert_eq!(both.stored_whole_from(5000, 4096).sizes(), both.sizes());
    }

    #[test]
    fn samples_have_the_frequencies() {
        let histogram = Histogram::new([(10, 1), (20, 3)]);
        let mut rng = Rng::new(1);
        let tens = (0..40_000).filter(|_| histogram.sample(&mut rng) == 10).count();
        assert!((9_700..10_300).contains(&tens), "{tens}");
        assert_eq!(Histogram::default().sample(&mut rng), 0);
    }
}
