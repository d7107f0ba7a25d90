//! A zblock pool: objects, blocks and the lists or caches that find blocks with room.

mod cache;
mod slots;
mod view;

use std::sync::Arc;

use crate::lists::{Lists, NONE};
use crate::objects::Objects;
use crate::pool::{
    ClassTotals, Compaction, Event, Freed, ListSpot, MallocError, NotLive, ObjectId, Place,
    Pool as PoolTrait, Sink, SlotView, SpanId, SpanView, Totals,
};

use self::cache::Cache;
use self::slots::Slots;
use super::{BlockType, FullBlocks, Geometry, Keeping, Rules};

/// The group of blocks that an allocation may look at: the list, the active list, or not in the cache.
const FIRST: u8 = 0;
/// The other group: full blocks, or those in the cache.
const SECOND: u8 = 1;

/// A pool of one configuration.
///
/// Blocks never change their type, and an empty block goes back to the page allocator at once, in every version
/// (mm0508: after an RCU grace period, which passes at once here). There is no compaction.
#[derive(Clone, Debug)]
pub struct Pool {
    geometry: Arc<Geometry>,
    keeping: Keeping,
    blocks: Vec<Block>,
    lists: Lists,
    /// One for each type, in versions with caches.
    caches: Vec<Cache>,
    slots: Slots,
    objects: Objects,
    types: Vec<Type>,
    totals: Totals,
    operations: u32,
    next_id: u32,
}

/// A block, or a free record of one.
#[derive(Clone, Copy, Debug)]
struct Block {
    id: u32,
    /// Its first word in the table of objects.
    objects: u32,
    /// Its first word in the table of bitmaps.
    bits: u32,
    /// Operation that created it.
    born: u32,
    kind: u16,
    /// Objects in it; 0 in a free record, since an empty block is freed at once.
    used: u16,
    group: u8,
}

/// A block type: what never changes of it and its counts.
#[derive(Clone, Copy, Debug)]
struct Type {
    slots: u16,
    pages: u16,
    /// Blocks held (`block_count`).
    blocks: u32,
    /// Blocks of each group.
    grouped: [u32; 2],
    /// Objects live.
    used: u64,
    /// Top of the stack of its free records.
    spare: u32,
}

impl Pool {
    /// An empty pool.
    pub fn new(geometry: Geometry) -> Self {
        let make = |kind: &BlockType| Type {
            slots: kind.slots,
            pages: kind.pages,
            blocks: 0,
            grouped: [0; 2],
            used: 0,
            spare: NONE,
        };
        let types: Vec<Type> = geometry.types().iter().map(make).collect();
        let keeping = geometry.rules().keeping;
        let caches = if matches!(keeping, Keeping::Cache(_)) { types.len() } else { 0 };
        Self {
            keeping,
            blocks: Vec::new(),
            lists: Lists::new(types.len()),
            caches: vec![Cache::default(); caches],
            slots: Slots::default(),
            objects: Objects::default(),
            types,
            totals: Totals::default(),
            operations: 0,
            next_id: 0,
            geometry: Arc::new(geometry),
        }
    }

    /// The table of block types.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// What the version does.
    pub fn rules(&self) -> &'static Rules {
        self.geometry.rules()
    }

    /// Blocks created so far; the next one gets this number.
    pub const fn blocks_created(&self) -> u32 {
        self.next_id
    }

    /// The block that the version takes an object's slot from, if it finds one with room.
    #[inline]
    fn block_with_room(&self, kind: u16) -> Option<u32> {
        match self.keeping {
            Keeping::Cache(_) => self.cached_with_room(kind),
            // A list may be headed by a full block: then the blocks behind it are not looked at.
            Keeping::HeadOnly | Keeping::Active { .. } => {
                self.lists.first(kind, FIRST).filter(|&key| self.free_slots(key) > 0)
            }
        }
    }

    #[inline]
    fn free_slots(&self, key: u32) -> u16 {
        let block = &self.blocks[key as usize];
        self.types[usize::from(block.kind)].slots - block.used
    }

    fn create<S: Sink>(&mut self, kind: u16, sink: &mut S) -> u32 {
        let state = &mut self.types[usize::from(kind)];
        let id = self.next_id;
        self.next_id += 1;
        let born = self.operations;
        let key = if state.spare == NONE {
            let (objects, bits) = self.slots.reserve(state.slots);
            self.lists.grow();
            self.blocks.push(Block { id, objects, bits, born, kind, used: 0, group: FIRST });
            self.blocks.len() as u32 - 1
        } else {
            let key = self.lists.unstack(&mut state.spare);
            let record = &mut self.blocks[key as usize];
            (record.id, record.born) = (id, born);
            key
        };
        state.blocks += 1;
        self.totals.pages += u64::from(state.pages);
        self.totals.pages_peak = self.totals.pages_peak.max(self.totals.pages);
        self.totals.spans += 1;
        self.totals.capacity += u64::from(state.slots);
        sink.event(Event::SpanCreated { class: kind, span: SpanId(id), pages: state.pages });
        match self.keeping {
            Keeping::Cache(_) => self.offer_new(key, sink),
            Keeping::HeadOnly | Keeping::Active { .. } => {
                self.link(key, FIRST, ListSpot::Head);
                self.enter_group(key, None, FIRST, ListSpot::Head, sink);
            }
        }
        key
    }

    /// Gives the pages of an empty block back.
    fn destroy<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let Block { id, kind, group, .. } = self.blocks[key as usize];
        self.leave_group(key);
        match self.keeping {
            Keeping::Cache(_) => self.forget_cached(kind, key),
            Keeping::Active { full: FullBlocks::Unlisted, .. } if group == SECOND => {}
            Keeping::HeadOnly | Keeping::Active { .. } => self.lists.unlink(key),
        }
        let state = &mut self.types[usize::from(kind)];
        self.lists.stack(key, &mut state.spare);
        state.blocks -= 1;
        self.totals.pages -= u64::from(state.pages);
        self.totals.spans -= 1;
        self.totals.capacity -= u64::from(state.slots);
        sink.event(Event::SpanFreed { class: kind, span: SpanId(id), pages: state.pages });
    }

    /// After the last slot of a block was taken.
    fn became_full<S: Sink>(&mut self, key: u32, sink: &mut S) {
        match self.keeping {
            Keeping::Cache(_) => {}
            Keeping::HeadOnly => {
                self.lists.unlink(key);
                self.regroup(key, FIRST, ListSpot::Tail, sink);
            }
            Keeping::Active { full, .. } => {
                self.lists.unlink(key);
                let spot = match full {
                    FullBlocks::List => ListSpot::Head,
                    FullBlocks::Unlisted => ListSpot::Unlisted,
                };
                self.regroup(key, SECOND, spot, sink);
            }
        }
    }

    /// After an object of a block was freed that holds others still.
    fn got_room<S: Sink>(&mut self, key: u32, sink: &mut S) {
        match self.keeping {
            Keeping::Cache(rule) => self.offer_freed(rule, key, sink),
            Keeping::HeadOnly => {}
            Keeping::Active { full, back } => {
                if self.free_slots(key) == 1 {
                    if full == FullBlocks::List {
                        self.lists.unlink(key);
                    }
                    self.regroup(key, FIRST, back, sink);
                }
            }
        }
    }

    /// Puts an unlinked block into the list of a group and says so.
    fn regroup<S: Sink>(&mut self, key: u32, to: u8, spot: ListSpot, sink: &mut S) {
        let from = self.leave_group(key);
        self.link(key, to, spot);
        self.enter_group(key, Some(from), to, spot, sink);
    }

    fn link(&mut self, key: u32, group: u8, spot: ListSpot) {
        let kind = self.blocks[key as usize].kind;
        match spot {
            ListSpot::Head | ListSpot::Second => self.lists.push_front(kind, group, key),
            ListSpot::Tail => self.lists.push_back(kind, group, key),
            ListSpot::Unlisted | ListSpot::Kept => {}
        }
    }

    fn leave_group(&mut self, key: u32) -> u8 {
        let Block { kind, group, .. } = self.blocks[key as usize];
        self.types[usize::from(kind)].grouped[usize::from(group)] -= 1;
        group
    }

    fn enter_group<S: Sink>(&mut self, key: u32, from: Option<u8>, to: u8, spot: ListSpot, sink: &mut S) {
        let block = &mut self.blocks[key as usize];
        block.group = to;
        self.types[usize::from(block.kind)].grouped[usize::from(to)] += 1;
        sink.event(Event::Grouped { class: block.kind, span: SpanId(block.id), from, to, spot });
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
        let kind = match self.geometry.type_of(size) {
            Ok(kind) => kind,
            Err(error) => return Err(self.refuse(error)),
        };
        if self.objects.get(object).is_some() {
            return Err(self.refuse(MallocError::Live));
        }
        let key = match self.block_with_room(kind) {
            Some(key) => key,
            None => self.create(kind, sink),
        };
        let block = &mut self.blocks[key as usize];
        let index = self.slots.take_lowest(block, object.0);
        block.used += 1;
        self.objects.enter(object, size, self.operations, (key, index));
        self.types[usize::from(kind)].used += 1;
        self.totals.objects += 1;
        self.totals.bytes += u64::from(size);
        let at = Place { class: kind, span: SpanId(block.id), index };
        sink.event(Event::Placed { object, at });
        if self.free_slots(key) == 0 {
            self.became_full(key, sink);
        }
        Ok(at)
    }

    #[inline]
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive> {
        self.operations = self.operations.wrapping_add(1);
        let record = self.objects.take(object).ok_or(NotLive)?;
        let block = &mut self.blocks[record.span as usize];
        self.slots.clear(block, record.index);
        block.used -= 1;
        self.types[usize::from(block.kind)].used -= 1;
        self.totals.objects -= 1;
        self.totals.bytes -= u64::from(record.size());
        let from = Place { class: block.kind, span: SpanId(block.id), index: record.index };
        let span_freed = block.used == 0;
        sink.event(Event::Removed { object, from });
        if span_freed {
            self.destroy(record.span, sink);
        } else {
            self.got_room(record.span, sink);
        }
        Ok(Freed { from, span_freed })
    }

    /// zblock has no compaction.
    fn compact<S: Sink>(&mut self, _: &mut S) -> Option<Compaction> {
        self.operations = self.operations.wrapping_add(1);
        None
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
        self.type_totals()
    }

    fn header_bytes(&self) -> u32 {
        self.geometry.header_bytes()
    }

    fn class_of(&self, size: u32) -> Option<u16> {
        self.geometry.type_of(size).ok()
    }

    fn group_names(&self) -> &'static [&'static str] {
        match self.keeping {
            Keeping::Cache(_) => &["uncached", "cached"],
            Keeping::HeadOnly => &["list"],
            Keeping::Active { .. } => &["active", "full"],
        }
    }

    fn group_counts(&self, class: u16) -> Vec<u32> {
        let grouped = self.types.get(usize::from(class)).map_or([0; 2], |state| state.grouped);
        grouped.into_iter().take(self.group_names().len()).collect()
    }

    fn group_list(&self, class: u16, group: u8) -> Vec<SpanView> {
        self.list_of(class, group)
    }

    fn for_each_span(&self, visit: &mut dyn FnMut(SpanView)) {
        for (key, block) in self.blocks.iter().enumerate() {
            if block.used > 0 {
                visit(self.view(key as u32));
            }
        }
    }

    fn span(&self, id: SpanId) -> Option<SpanView> {
        let key = self.blocks.iter().position(|block| block.used > 0 && block.id == id.0)?;
        Some(self.view(key as u32))
    }

    fn span_at(&self, key: u32) -> Option<SpanView> {
        self.blocks.get(key as usize).filter(|block| block.used > 0).map(|_| self.view(key))
    }

    fn slots(&self, key: u32) -> Vec<SlotView> {
        self.slots_of(key)
    }

    fn for_each_used(&self, key: u32, visit: &mut dyn FnMut(u16)) {
        if let Some(block) = self.blocks.get(key as usize) {
            for index in self.slots.used(block, self.types[usize::from(block.kind)].slots) {
                visit(index);
            }
        }
    }

    fn place(&self, object: ObjectId) -> Option<Place> {
        let record = self.objects.get(object)?;
        let block = self.blocks[record.span as usize];
        Some(Place { class: block.kind, span: SpanId(block.id), index: record.index })
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.blocks.len() * size_of::<Block>()
            + self.lists.memory_bytes()
            + self.caches.len() * size_of::<Cache>()
            + self.slots.memory_bytes()
            + self.objects.memory_bytes()
            + self.types.len() * size_of::<Type>()
    }
}
