//! Operations as zram and zswap make them: a store that fills up and is then rewritten.

use slabscope_core::ops::Op;
use slabscope_core::pool::{Event, ObjectId, Pool, Sink};
use slabscope_core::rng::Rng;

use crate::Histogram;

/// Fills `live` blocks, then rewrites blocks at random. A rewrite allocates the new object before it frees the old
/// one, as zram does. `size` draws what is stored in a block.
pub(crate) struct Rewrites<F> {
    size: F,
    rng: Rng,
    /// Object of each block.
    blocks: Vec<u32>,
    live: u32,
    rewrites_left: u32,
    spare: u32,
    free_next: Option<u32>,
}

/// Draws sizes with the frequencies of a histogram, whatever the block.
pub(crate) fn of(sizes: &Histogram) -> impl FnMut(u32, &mut Rng) -> u32 + '_ {
    |_, rng| sizes.sample(rng)
}

impl<F: FnMut(u32, &mut Rng) -> u32> Rewrites<F> {
    pub(crate) fn new(size: F, live: u32, rewrites: u32, seed: u64) -> Self {
        Self {
            size,
            rng: Rng::new(seed),
            blocks: Vec::new(),
            live,
            rewrites_left: rewrites,
            spare: live,
            free_next: None,
        }
    }
}

impl<F: FnMut(u32, &mut Rng) -> u32> Iterator for Rewrites<F> {
    type Item = Op;

    fn next(&mut self) -> Option<Op> {
        if let Some(old) = self.free_next.take() {
            self.spare = old;
            return Some(Op::Free { object: ObjectId(old) });
        }
        let filled = self.blocks.len() as u32;
        if filled < self.live {
            self.blocks.push(filled);
            return Some(Op::Alloc { object: ObjectId(filled), size: (self.size)(filled, &mut self.rng) });
        }
        self.rewrites_left = self.rewrites_left.checked_sub(1)?;
        let at = self.rng.below(filled);
        let block = self.blocks.get_mut(at as usize)?;
        self.free_next = Some(std::mem::replace(block, self.spare));
        Some(Op::Alloc { object: ObjectId(self.spare), size: (self.size)(at, &mut self.rng) })
    }
}

/// Counts what a pool asks the page allocator for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Demand {
    /// Spans created.
    pub(crate) spans: u64,
    /// Pages of those.
    pub(crate) pages: u64,
    /// Most pages of one.
    pub(crate) largest: u16,
}

impl Demand {
    /// Pages of a span on average.
    pub(crate) fn pages_each(&self) -> f64 {
        self.pages as f64 / self.spans.max(1) as f64
    }
}

impl Sink for Demand {
    fn event(&mut self, event: Event) {
        if let Event::SpanCreated { pages, .. } = event {
            self.spans += 1;
            self.pages += u64::from(pages);
            self.largest = self.largest.max(pages);
        }
    }
}

/// Spans of a pool that hold objects and have room.
pub(crate) fn partly_filled<P: Pool>(pool: &P) -> u64 {
    let mut count = 0;
    pool.for_each_span(&mut |span| count += u64::from(span.used > 0 && span.used < span.capacity));
    count
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_new_object_comes_before_the_old_one_goes() {
        let sizes = Histogram::new([(100, 1), (3000, 2)]);
        let mut live = BTreeSet::new();
        let mut lives = Vec::new();
        for op in Rewrites::new(of(&sizes), 10, 50, 3) {
            match op {
                Op::Alloc { object, size } => assert!(live.insert(object) && [100, 3000].contains(&size)),
                Op::Free { object } => assert!(live.remove(&object)),
                Op::Compact | Op::Report => unreachable!(),
            }
            lives.push(live.len());
        }
        assert_eq!(lives.len(), 10 + 2 * 50);
        assert_eq!(lives[10..].chunks(2).collect::<Vec<_>>(), vec![[11, 10]; 50]);
    }
}
