//! Shrinking: what `kmem_cache_shrink()` does to every cache.

use crate::lists::NONE;
use crate::pool::{Compaction, ListSpot, Sink};
use crate::ranked::rank;
use crate::slub::Sorting;

use super::{FULL, NODE, Pool};

impl Pool {
    /// Shrinks all caches, one after the other.
    pub(super) fn shrink<S: Sink>(&mut self, sink: &mut S) -> Compaction {
        let (pages, slabs) = (self.totals.pages, self.totals.spans);
        for cache in 0..self.caches.len() as u16 {
            self.flush(cache, sink);
            self.drain(cache, sink);
            let (empty, kept): (Vec<u32>, Vec<u32>) =
                self.lists.keys(cache, NODE).partition(|&key| self.slabs[key as usize].used == 0);
            for key in empty {
                self.lists.unlink(key);
                self.destroy(key, sink);
            }
            self.sort(&kept, sink);
        }
        Compaction {
            returned: slabs - self.totals.spans,
            objects_moved: 0,
            pages_freed: pages - self.totals.pages,
        }
    }

    /// Takes the CPU's slab away from it.
    fn flush<S: Sink>(&mut self, cache: u16, sink: &mut S) {
        let key = std::mem::replace(&mut self.caches[usize::from(cache)].cpu_slab, NONE);
        if key == NONE {
            return;
        }
        let used = self.slabs[key as usize].used;
        if used == self.caches[usize::from(cache)].objects {
            self.regroup(key, FULL, ListSpot::Unlisted, sink);
        } else if used == 0 && self.node_has_enough(cache) {
            self.destroy(key, sink);
        } else {
            self.hand_to_node(key, ListSpot::Head, sink);
        }
    }

    /// Sorts the node's slabs with room, all of which are given, head first.
    fn sort<S: Sink>(&mut self, kept: &[u32], sink: &mut S) {
        let Some(&first) = kept.first() else { return };
        let places = self.caches[usize::from(self.slabs[first as usize].cache)].objects;
        let free = |key: &u32| places - self.slabs[*key as usize].used;
        let sorted_up_to = match self.sorting {
            Sorting::All => u16::MAX,
            Sorting::UpToFree(most) => most,
        };
        let (few_free, others): (Vec<u32>, Vec<u32>) =
            kept.iter().partition(|&key| free(key) <= sorted_up_to);
        // Equally full ones end up in reverse: each is put in front of those before it.
        let mut sorted: Vec<u32> = few_free.into_iter().rev().collect();
        rank(&mut sorted, |key| free(key).into());
        sorted.extend(others);
        if sorted == kept {
            return;
        }
        for key in sorted {
            self.lists.unlink(key);
            self.hand_to_node(key, ListSpot::Tail, sink);
        }
    }
}
