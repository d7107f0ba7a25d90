//! The objects of a pool by the sizes that they may have.

use super::{Ladder, Setting};
use crate::ranked::rank;

/// Beyond the largest page.
const LARGEST: u32 = 1 << 17;

/// Objects whose size is known up to an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Fewest bytes requested.
    pub from: u32,
    /// Most bytes requested.
    pub to: u32,
    /// Objects.
    pub objects: u64,
}

/// Pages that were kept as they are, because what they compress to is too large for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw {
    /// Pages.
    pub objects: u64,
    /// Fewest bytes that they may compress to: the limit of the setting that kept them.
    pub from: u32,
}

/// What a pool holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Population {
    page_shift: u8,
    sizes: Vec<Sizes>,
    raw: Raw,
}

impl Population {
    /// Objects of a machine with pages of `1 << page_shift` bytes, in any order. Intervals that are empty or out
    /// of order are set right; objects without a byte count as one byte.
    pub fn new(page_shift: u8, mut sizes: Vec<Sizes>, raw: Raw) -> Self {
        sizes.retain(|sizes| sizes.objects > 0);
        for sizes in &mut sizes {
            sizes.from = sizes.from.max(1);
            sizes.to = sizes.to.max(sizes.from);
        }
        // Above any page the order does not matter.
        rank(&mut sizes, |sizes| (i64::from(sizes.from.min(LARGEST)) << 32) + i64::from(sizes.to));
        Self { page_shift, sizes, raw }
    }

    /// Objects of exactly known sizes: `(bytes, objects)`.
    pub fn exact(page_shift: u8, sizes: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let sizes = sizes.into_iter().map(|(size, objects)| Sizes { from: size, to: size, objects });
        Self::new(page_shift, sizes.collect(), Raw { objects: 0, from: 0 })
    }

    /// Page shift of the machine.
    pub const fn page_shift(&self) -> u8 {
        self.page_shift
    }

    /// Objects of known sizes, smallest first.
    pub fn sizes(&self) -> &[Sizes] {
        &self.sizes
    }

    /// Pages that were kept as they are.
    pub const fn raw(&self) -> Raw {
        self.raw
    }

    /// Objects in all, raw pages among them.
    pub fn objects(&self) -> u64 {
        self.sizes.iter().fold(self.raw.objects, |sum, sizes| sum.saturating_add(sizes.objects))
    }

    /// Fewest and most bytes stored; a raw page stores all of its bytes.
    pub fn stored_bytes(&self) -> (u64, u64) {
        let raw = self.raw.objects.saturating_mul(1 << self.page_shift.min(31));
        let sum = |bytes: fn(&Sizes) -> u32| {
            self.sizes.iter().fold(raw, |sum, sizes| {
                sum.saturating_add(u64::from(bytes(sizes)).saturating_mul(sizes.objects))
            })
        };
        (sum(|sizes| sizes.from), sum(|sizes| sizes.to))
    }

    /// Sizes that raw pages have under a setting. With the same pages and a higher limit they are stored as what
    /// they compress to, which is not known; otherwise they stay pages.
    pub fn raw_under(&self, ladder: &Ladder) -> Option<Sizes> {
        let Raw { objects, from } = self.raw;
        let page = 1u32 << self.page_shift.min(31);
        let keeps_more = ladder.setting.page_shift() == self.page_shift && ladder.whole_page_from() > from;
        let from = if keeps_more { from.clamp(1, page) } else { page };
        (objects > 0).then_some(Sizes { from, to: page, objects })
    }

    /// Objects that are larger than a page of a setting, or may be.
    pub fn above_page(&self, setting: &Setting) -> u64 {
        let page = setting.page_bytes();
        let above = self.sizes.iter().filter(|sizes| sizes.to > page);
        let raw = if self.page_shift > setting.page_shift() { self.raw.objects } else { 0 };
        above.fold(raw, |sum, sizes| sum.saturating_add(sizes.objects))
    }
}
