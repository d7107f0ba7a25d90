//! SLUB written a second time, straight from its rules in the plainest way: maps, vectors and no thought of speed.
//! Of the model in core it takes the table of caches, which other tests hold, and nothing else.

use std::collections::{BTreeMap, HashMap};

use slabscope_core::slub::{Cache, Geometry};

/// A slab.
#[derive(Clone, Debug)]
pub struct SlowSlab {
    /// What lies in each place.
    pub places: Vec<Option<u32>>,
    /// Free places, the next one last.
    pub free: Vec<usize>,
}

impl SlowSlab {
    fn is_empty(&self) -> bool {
        self.free.len() == self.places.len()
    }
}

/// What is remembered of a cache's slabs.
#[derive(Clone, Debug, Default)]
pub struct SlowCache {
    /// The CPU's slab.
    pub cpu: Option<u32>,
    /// The CPU's other slabs, first first.
    pub cpu_partial: Vec<u32>,
    /// The node's slabs with room, first first.
    pub node: Vec<u32>,
}

/// Cache, slab and place of an object.
type Spot = (usize, u32, usize);

/// The pool.
#[derive(Clone, Debug)]
pub struct SlowPool {
    is_old: bool,
    table: Vec<Cache>,
    /// One for each cache.
    pub caches: Vec<SlowCache>,
    objects: HashMap<u32, Spot>,
    /// All slabs by number.
    pub slabs: BTreeMap<u32, SlowSlab>,
    next: u32,
}

impl SlowPool {
    /// An empty pool.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            is_old: geometry.config().generation.name().starts_with("2.6.26"),
            table: geometry.caches().to_vec(),
            caches: vec![SlowCache::default(); geometry.caches().len()],
            objects: HashMap::new(),
            slabs: BTreeMap::new(),
            next: 0,
        }
    }

    /// Allocates; `None` if that fails.
    pub fn malloc(&mut self, object: u32, size: u32) -> Option<Spot> {
        let cache = self.table.iter().position(|cache| size > 0 && size <= cache.object_size)?;
        if self.objects.contains_key(&object) {
            return None;
        }
        let has_room = |id: &u32| !self.slabs[id].free.is_empty();
        let id = match self.caches[cache].cpu.filter(has_room) {
            Some(id) => id,
            None => self.next_slab(cache),
        };
        self.caches[cache].cpu = Some(id);
        let slab = self.slabs.get_mut(&id)?;
        let place = slab.free.pop()?;
        slab.places[place] = Some(object);
        self.objects.insert(object, (cache, id, place));
        Some((cache, id, place))
    }

    fn next_slab(&mut self, cache: usize) -> u32 {
        let state = &mut self.caches[cache];
        if !state.cpu_partial.is_empty() {
            return state.cpu_partial.remove(0);
        }
        if !state.node.is_empty() {
            let id = state.node.remove(0);
            if !self.is_old {
                let most = self.table[cache].cpu_partial_slabs as usize / 2 + 1;
                let more = most.min(state.node.len());
                for id in state.node.drain(..more) {
                    state.cpu_partial.insert(0, id);
                }
            }
            return id;
        }
        let places = usize::from(self.table[cache].objects);
        let slab = SlowSlab { places: vec![None; places], free: (0..places).rev().collect() };
        self.slabs.insert(self.next, slab);
        self.next += 1;
        self.next - 1
    }

    /// Frees; the last value tells if the slab went too.
    pub fn free(&mut self, object: u32) -> Option<(usize, u32, usize, bool)> {
        let (cache, id, place) = self.objects.remove(&object)?;
        let slab = self.slabs.get_mut(&id)?;
        let was_full = slab.free.is_empty();
        slab.places[place] = None;
        slab.free.push(place);
        let is_empty = slab.is_empty();
        let state = &mut self.caches[cache];
        if state.cpu == Some(id) || state.cpu_partial.contains(&id) {
            return Some((cache, id, place, false));
        }
        if was_full && !self.is_old {
            if state.cpu_partial.len() == self.table[cache].cpu_partial_slabs as usize {
                self.drain(cache);
            }
            self.caches[cache].cpu_partial.insert(0, id);
            return Some((cache, id, place, false));
        }
        if is_empty && (self.is_old || state.node.len() >= self.table[cache].min_partial as usize) {
            state.node.retain(|&other| other != id);
            self.slabs.remove(&id);
            return Some((cache, id, place, true));
        }
        if was_full {
            state.node.push(id);
        }
        Some((cache, id, place, false))
    }

    fn drain(&mut self, cache: usize) {
        let state = &mut self.caches[cache];
        for id in std::mem::take(&mut state.cpu_partial) {
            if self.slabs[&id].is_empty() && state.node.len() >= self.table[cache].min_partial as usize {
                self.slabs.remove(&id);
            } else {
                state.node.push(id);
            }
        }
    }

    /// Shrinks all caches; returns the pages that went.
    pub fn shrink(&mut self) -> u64 {
        let mut pages = 0;
        for cache in 0..self.caches.len() {
            let before = self.slabs.len();
            if let Some(id) = self.caches[cache].cpu.take()
                && !self.slabs[&id].free.is_empty()
            {
                // The CPU's slab is discarded here or below if it is empty: the same in the end, unless it makes
                // the node keep one that would have gone, and that one goes below too.
                self.caches[cache].node.insert(0, id);
            }
            self.drain(cache);
            let (slabs, state) = (&mut self.slabs, &mut self.caches[cache]);
            let (empty, mut kept): (Vec<u32>, Vec<u32>) =
                state.node.iter().partition(|id| slabs[id].is_empty());
            for id in empty {
                slabs.remove(&id);
            }
            let free = |id: &u32| slabs[id].free.len();
            let mut list = Vec::new();
            let most = if self.is_old { usize::MAX } else { 32 };
            let highest = kept.iter().map(free).max().unwrap_or(0).min(most);
            for count in 1..=highest {
                list.extend(kept.iter().rev().copied().filter(|id| free(id) == count));
            }
            kept.retain(|id| free(id) > most);
            list.extend(kept);
            state.node = list;
            pages += (before - self.slabs.len()) as u64 * u64::from(self.table[cache].pages);
        }
        pages
    }
}
