//! A SLUB pool: objects, slabs, and the lists that find slabs with room.

mod hands;
mod shrink;
mod slots;
mod view;

use std::sync::Arc;

use crate::lists::{Lists, NONE};
use crate::objects::Objects;
use crate::pool::{
    ClassTotals, Compaction, Event, Freed, ListSpot, MallocError, NotLive, ObjectId, Place,
    Pool as PoolTrait, Sink, SlotView, SpanId, SpanView, Totals,
};

use self::slots::{END, Slots};
use super::{Cache, Emptied, Geometry, Sorting};

/// Empty slabs of the node, on its list.
const EMPTY: u8 = 0;
/// Partly used slabs of the node, on the same list.
const PARTIAL: u8 = 1;
/// Slabs that the CPU keeps beside the one it allocates from.
const CPU_PARTIAL: u8 = 2;
/// The slab that the CPU allocates from, however full.
const CPU_SLAB: u8 = 3;
/// Full slabs, which nobody remembers.
const FULL: u8 = 4;
/// Groups.
const GROUPS: usize = 5;
/// The group of a free record.
const FREE_RECORD: u8 = u8::MAX;

/// The node's list of a cache.
const NODE: u8 = 0;
/// The CPU's list of a cache, used as a stack.
const CPU: u8 = 1;

/// The caches as one CPU sees them that allocates and frees everything, on a machine with one node.
///
/// An allocation takes the first place of the free list of the CPU's slab; a free puts the place in front of its
/// slab's list. A new slab's list is 0, 1, 2 ... (the kernel can be built to shuffle it). When the CPU's slab is
/// full, the next is the first of the CPU's other slabs, else the first of the node's list, from which the CPU
/// then takes more until they exceed half its limit, else a new one of the cache's order: pages never run out, so
/// that the smaller order which the kernel falls back to is not modelled.
///
/// The first free in a full slab makes it one of the CPU's; if those have reached their limit, all of them go to
/// the tail of the node's list before. In 2.6.26 a CPU has one slab only, and a full slab in which an object is
/// freed goes to the tail of the node's list. An empty slab of the node goes back to the page allocator if the
/// node has enough slabs with room, in 2.6.26 always; one that the CPU holds stays. The newest kernels (sheaves)
/// and debugging, which keep other lists, are not modelled.
///
/// Compaction is `kmem_cache_shrink()` for every cache: the CPU gives its slabs up, empty ones go, and those with
/// room are sorted, fullest first. No object moves; what is reported as returned are the slabs freed.
///
/// Two rules of 2.6.26 have no measured or compiled data behind them: that an emptied slab goes back at once, and the
/// order after shrinking. Both were read in sources and patches of that time and agree with them.
#[derive(Clone, Debug)]
pub struct Pool {
    geometry: Arc<Geometry>,
    emptied: Emptied,
    sorting: Sorting,
    slabs: Vec<Slab>,
    lists: Lists,
    slots: Slots,
    objects: Objects<u32>,
    caches: Vec<State>,
    totals: Totals,
    operations: u32,
    next_id: u32,
}

/// A slab, or a free record of one.
#[derive(Clone, Copy, Debug)]
struct Slab {
    id: u32,
    /// Its first word in the table of places.
    words: u32,
    /// Its first word in the table of bitmaps.
    bits: u32,
    /// Operation that created it.
    born: u32,
    cache: u16,
    /// Objects in it.
    used: u16,
    /// First place of its free list.
    free: u16,
    /// [`FREE_RECORD`] in a free record.
    group: u8,
}

/// A cache: what never changes of it, its lists' lengths and its counts.
#[derive(Clone, Copy, Debug)]
struct State {
    objects: u16,
    pages: u16,
    min_partial: u32,
    /// Most slabs that the CPU keeps beside the one it allocates from; 0: none.
    cpu_partial: u32,
    /// The CPU's slab.
    cpu_slab: u32,
    /// Slabs held.
    slabs: u32,
    /// Slabs without objects, wherever they are.
    empty: u32,
    /// Slabs of each group.
    grouped: [u32; GROUPS],
    /// Objects live.
    used: u64,
    /// Top of the stack of its free records.
    spare: u32,
}

impl Pool {
    /// An empty pool.
    pub fn new(geometry: Geometry) -> Self {
        let make = |cache: &Cache| State {
            objects: cache.objects,
            pages: cache.pages,
            min_partial: cache.min_partial,
            cpu_partial: cache.cpu_partial_slabs,
            cpu_slab: NONE,
            slabs: 0,
            empty: 0,
            grouped: [0; GROUPS],
            used: 0,
            spare: NONE,
        };
        let caches: Vec<State> = geometry.caches().iter().map(make).collect();
        Self {
            emptied: geometry.rules().emptied,
            sorting: geometry.rules().sorting,
            slabs: Vec::new(),
            lists: Lists::new(caches.len()),
            slots: Slots::default(),
            objects: Objects::default(),
            caches,
            totals: Totals::default(),
            operations: 0,
            next_id: 0,
            geometry: Arc::new(geometry),
        }
    }

    /// The caches.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    fn create<S: Sink>(&mut self, cache: u16, sink: &mut S) -> u32 {
        let state = &mut self.caches[usize::from(cache)];
        let (id, born) = (self.next_id, self.operations);
        self.next_id += 1;
        let key = if state.spare == NONE {
            let (words, bits) = self.slots.reserve(state.objects);
            self.lists.grow();
            self.slabs.push(Slab { id, words, bits, born, cache, used: 0, free: END, group: CPU_SLAB });
            self.slabs.len() as u32 - 1
        } else {
            let key = self.lists.unstack(&mut state.spare);
            let record = &mut self.slabs[key as usize];
            (record.id, record.born, record.group) = (id, born, CPU_SLAB);
            key
        };
        self.slots.string(&mut self.slabs[key as usize], state.objects);
        state.slabs += 1;
        state.empty += 1;
        state.grouped[usize::from(CPU_SLAB)] += 1;
        self.totals.pages += u64::from(state.pages);
        self.totals.pages_peak = self.totals.pages_peak.max(self.totals.pages);
        self.totals.spans += 1;
        self.totals.capacity += u64::from(state.objects);
        let span = SpanId(id);
        sink.event(Event::SpanCreated { class: cache, span, pages: state.pages });
        sink.event(Event::Grouped { class: cache, span, from: None, to: CPU_SLAB, spot: ListSpot::Unlisted });
        key
    }

    /// Gives the pages of an empty slab back that is on no list any more.
    fn destroy<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let slab = &mut self.slabs[key as usize];
        let (id, cache) = (slab.id, slab.cache);
        let group = std::mem::replace(&mut slab.group, FREE_RECORD);
        let state = &mut self.caches[usize::from(cache)];
        state.grouped[usize::from(group)] -= 1;
        state.slabs -= 1;
        state.empty -= 1;
        self.lists.stack(key, &mut state.spare);
        self.totals.pages -= u64::from(state.pages);
        self.totals.spans -= 1;
        self.totals.capacity -= u64::from(state.objects);
        sink.event(Event::SpanFreed { class: cache, span: SpanId(id), pages: state.pages });
    }

    /// Notes the group of a slab and says so.
    fn regroup<S: Sink>(&mut self, key: u32, to: u8, spot: ListSpot, sink: &mut S) {
        let slab = &mut self.slabs[key as usize];
        let (class, span) = (slab.cache, SpanId(slab.id));
        let from = std::mem::replace(&mut slab.group, to);
        let grouped = &mut self.caches[usize::from(class)].grouped;
        grouped[usize::from(from)] -= 1;
        grouped[usize::from(to)] += 1;
        sink.event(Event::Grouped { class, span, from: Some(from), to, spot });
    }

    fn refuse(&mut self, error: MallocError) -> MallocError {
        self.totals.failed += 1;
        error
    }
}

impl PoolTrait for Pool {
    #[inline]
    fn malloc<S: Sink>(&mut self, object: ObjectId, size: u32, sink: &mut S) -> Result<Place, MallocError> {
        self.operations = self.operations.wrapping_add(1);
        let cache = match self.geometry.cache_of(size) {
            Ok(cache) => cache,
            Err(error) => return Err(self.refuse(error)),
        };
        if self.objects.get(object).is_some() {
            return Err(self.refuse(MallocError::Live));
        }
        let mut key = self.caches[usize::from(cache)].cpu_slab;
        if key == NONE || self.slabs[key as usize].free == END {
            key = self.next_cpu_slab(cache, sink);
        }
        let (slab, state) = (&mut self.slabs[key as usize], &mut self.caches[usize::from(cache)]);
        let index = self.slots.take(slab, object.0);
        state.empty -= u32::from(slab.used == 0);
        slab.used += 1;
        state.used += 1;
        self.objects.enter(object, size, self.operations, (key, index));
        self.totals.objects += 1;
        self.totals.bytes += u64::from(size);
        let at = Place { class: cache, span: SpanId(slab.id), index };
        sink.event(Event::Placed { object, at });
        Ok(at)
    }

    #[inline]
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive> {
        self.operations = self.operations.wrapping_add(1);
        let record = self.objects.take(object).ok_or(NotLive)?;
        let slab = &mut self.slabs[record.span as usize];
        let state = &mut self.caches[usize::from(slab.cache)];
        self.slots.give(slab, record.index);
        slab.used -= 1;
        state.empty += u32::from(slab.used == 0);
        state.used -= 1;
        self.totals.objects -= 1;
        self.totals.bytes -= u64::from(record.size());
        let from = Place { class: slab.cache, span: SpanId(slab.id), index: record.index };
        sink.event(Event::Removed { object, from });
        let span_freed = self.after_free(record.span, sink);
        Ok(Freed { from, span_freed })
    }

    /// Shrinks every cache.
    fn compact<S: Sink>(&mut self, sink: &mut S) -> Option<Compaction> {
        self.operations = self.operations.wrapping_add(1);
        Some(self.shrink(sink))
    }

    fn tick(&mut self) {
        self.operations = self.operations.wrapping_add(1);
    }

    fn operations(&self) -> u32 {
        self.operations
    }

    fn totals(&self) -> Totals {
        self.totals
    }

    fn classes(&self) -> Vec<ClassTotals> {
        self.cache_totals()
    }

    fn class_of(&self, size: u32) -> Option<u16> {
        self.geometry.cache_of(size).ok()
    }

    fn group_names(&self) -> &'static [&'static str] {
        &["empty", "partial", "cpu partial", "cpu slab", "full"]
    }

    fn group_counts(&self, class: u16) -> Vec<u32> {
        self.caches.get(usize::from(class)).map_or([0; GROUPS], |state| state.grouped).to_vec()
    }

    fn group_list(&self, class: u16, group: u8) -> Vec<SpanView> {
        self.list_of(class, group)
    }

    fn for_each_span(&self, visit: &mut dyn FnMut(SpanView)) {
        for (key, slab) in self.slabs.iter().enumerate() {
            if slab.group != FREE_RECORD {
                visit(self.view(key as u32));
            }
        }
    }

    fn span(&self, id: SpanId) -> Option<SpanView> {
        let key = self.slabs.iter().position(|slab| slab.group != FREE_RECORD && slab.id == id.0)?;
        Some(self.view(key as u32))
    }

    fn span_at(&self, key: u32) -> Option<SpanView> {
        self.slabs.get(key as usize).filter(|slab| slab.group != FREE_RECORD).map(|_| self.view(key))
    }

    fn slots(&self, key: u32) -> Vec<SlotView> {
        self.slots_of(key)
    }

    fn for_each_used(&self, key: u32, visit: &mut dyn FnMut(u16)) {
        if let Some(slab) = self.slabs.get(key as usize).filter(|slab| slab.group != FREE_RECORD) {
            for index in self.slots.used(slab, self.caches[usize::from(slab.cache)].objects) {
                visit(index);
            }
        }
    }

    fn place(&self, object: ObjectId) -> Option<Place> {
        let record = self.objects.get(object)?;
        let slab = self.slabs[record.span as usize];
        Some(Place { class: slab.cache, span: SpanId(slab.id), index: record.index })
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.slabs.len() * size_of::<Slab>()
            + self.lists.memory_bytes()
            + self.slots.memory_bytes()
            + self.objects.memory_bytes()
            + self.caches.len() * size_of::<State>()
    }
}
