//! The caches behind `kmalloc()`.

use super::{Generation, KmallocAlign};

/// A cache of one of the fixed sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KmallocCache {
    /// Bytes of an object, also with its alignment.
    pub size: u32,
    /// Alignment of objects.
    pub align: u32,
}

impl KmallocCache {
    /// The name in `/proc/slabinfo`: `kmalloc-8k`; in 2.6.26 `kmalloc-8192`.
    pub fn name(self, generation: Generation) -> String {
        match self.size {
            // Letters came with 5.4, and the rules of 6.1 stand for its whole generation.
            size if size >= 1024 && generation.rules().kmalloc_shift > 0 => {
                format!("kmalloc-{}k", size / 1024)
            }
            size => format!("kmalloc-{size}"),
        }
    }
}

/// The sizes beside the powers of two.
const BETWEEN: [u32; 2] = [96, 192];

/// The kmalloc caches of a generation, smallest first: powers of two from 8, and 96 and 192. What is larger comes
/// from the page allocator. A page shift above 16 counts as 16.
pub fn kmalloc_caches(generation: Generation, page_shift: u8) -> Vec<KmallocCache> {
    let rules = generation.rules();
    let highest = page_shift.min(16) + rules.kmalloc_shift;
    let mut sizes: Vec<u32> = (3..=highest).map(|shift| 1 << shift).chain(BETWEEN).collect();
    crate::ranked::distinct(&mut sizes);
    let cache = |size: u32| {
        let align = match rules.kmalloc_align {
            KmallocAlign::PowersOfTwo if size.is_power_of_two() => size,
            KmallocAlign::Word | KmallocAlign::PowersOfTwo => 8,
            KmallocAlign::LargestDivisor => 1 << size.trailing_zeros(),
        };
        KmallocCache { size, align }
    };
    sizes.into_iter().map(cache).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_names() {
        let caches = |generation| kmalloc_caches(generation, 12);
        let sizes: Vec<u32> = caches(Generation::V2_6_26).iter().map(|cache| cache.size).collect();
        assert_eq!(sizes, [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096]);
        let modern = caches(Generation::Modern);
        let last = modern.last().copied();
        assert_eq!(last, Some(KmallocCache { size: 8192, align: 8192 }));
        assert_eq!(last.map(|cache| cache.name(Generation::Modern)).as_deref(), Some("kmalloc-8k"));
        let aligned = |generation| {
            caches(generation)
                .iter()
                .filter(|cache| BETWEEN.contains(&cache.size))
                .map(|cache| cache.align)
                .collect()
        };
        let (old, middle, new): (Vec<u32>, Vec<u32>, Vec<u32>) =
            (aligned(Generation::V2_6_26), aligned(Generation::Classic), aligned(Generation::Modern));
        assert_eq!((old, middle, new), (vec![8, 8], vec![8, 8], vec![32, 64]));
    }
}
