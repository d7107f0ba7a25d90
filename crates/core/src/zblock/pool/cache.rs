//! The caches of blocks of 2022 and v1.

use crate::lists::NONE;
use crate::pool::{ListSpot, Sink};
use crate::zblock::CacheRule;

use super::{FIRST, Pool, SECOND};

/// Cells of one type's cache.
const CELLS: usize = 32;

/// Blocks that allocations of a type look at, in the order of their cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cache([u32; CELLS]);

impl Default for Cache {
    fn default() -> Self {
        Self([NONE; CELLS])
    }
}

impl Cache {
    /// Cells in use with the block in each, ascending.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        self.0.iter().enumerate().filter(|&(_, &key)| key != NONE).map(|(cell, &key)| (cell as u8, key))
    }
}

impl Pool {
    /// The block with room in the lowest cell.
    pub(super) fn cached_with_room(&self, kind: u16) -> Option<u32> {
        let cache = &self.caches[usize::from(kind)];
        cache.cells().map(|(_, key)| key).find(|&key| self.free_slots(key) > 0)
    }

    /// Puts a new block into the cache. It always finds a place: it is made because no cached block has room.
    pub(super) fn offer_new<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let cell = self.cell_to_take(key, CacheRule::AnyFree);
        self.enter_cache(key, cell, None, sink);
    }

    /// Offers a block in which an object was freed to the cache.
    pub(super) fn offer_freed<S: Sink>(&mut self, rule: CacheRule, key: u32, sink: &mut S) {
        let block = self.blocks[key as usize];
        let slots = self.types[usize::from(block.kind)].slots;
        let offered = match rule {
            CacheRule::AnyFree => true,
            CacheRule::BelowHalf => slots - block.used < slots / 2,
        };
        if block.group == FIRST && offered {
            let cell = self.cell_to_take(key, rule);
            if cell.is_some() {
                self.leave_group(key);
                self.enter_cache(key, cell, Some(FIRST), sink);
            }
        }
    }

    /// The lowest cell that is empty or holds a full block; else the lowest of those whose blocks have the
    /// fewest free slots, in v1 only if the newcomer has more.
    fn cell_to_take(&self, key: u32, rule: CacheRule) -> Option<usize> {
        let cells = &self.caches[usize::from(self.blocks[key as usize].kind)].0;
        let free = |&cached: &u32| if cached == NONE { 0 } else { self.free_slots(cached) };
        let (cell, fewest) = cells.iter().map(free).enumerate().min_by_key(|&(_, free)| free)?;
        let taken = match rule {
            CacheRule::AnyFree => true,
            CacheRule::BelowHalf => fewest < self.free_slots(key),
        };
        taken.then_some(cell)
    }

    fn enter_cache<S: Sink>(&mut self, key: u32, cell: Option<usize>, from: Option<u8>, sink: &mut S) {
        let kind = usize::from(self.blocks[key as usize].kind);
        let Some(place) = cell.and_then(|cell| self.caches[kind].0.get_mut(cell)) else { return };
        let victim = std::mem::replace(place, key);
        if victim != NONE {
            self.leave_group(victim);
            self.enter_group(victim, Some(SECOND), FIRST, ListSpot::Unlisted, sink);
        }
        self.enter_group(key, from, SECOND, ListSpot::Unlisted, sink);
    }

    /// Empties the cell of a block, if it has one.
    pub(super) fn forget_cached(&mut self, kind: u16, key: u32) {
        if let Some(cell) = self.caches[usize::from(kind)].0.iter_mut().find(|cached| **cached == key) {
            *cell = NONE;
        }
    }
}
