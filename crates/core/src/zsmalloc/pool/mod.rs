//! A zsmalloc pool: objects, zspages and the lists they are in.

mod compact;
mod lists;
mod objects;
mod slots;
mod stats;
mod view;

use std::sync::Arc;

use crate::pool::{
    ClassTotals, Compaction, Event, Freed, MallocError, NotLive, ObjectId, Place, Pool as PoolTrait, Sink,
    SlotView, SpanId, SpanView, Totals,
};

use self::lists::Lists;
use self::objects::Objects;
use self::slots::Slots;
use super::groups::Groups;
use super::{Geometry, Insert, Rules, SizeClass};

pub use stats::ClassStats;

/// No zspage, no slot.
const NONE: u32 = u32::MAX;

/// A pool of one configuration.
///
/// Everything lies in a few flat vectors, so that cloning it is a handful of block copies: that is how
/// a timeline keeps snapshots. Zspages are linked into the lists of their groups through their own
/// fields, and a zspage that is freed is kept for the next one of its class.
#[derive(Clone, Debug)]
pub struct Pool {
    /// What never changes: class table, rules, group of every fill.
    plan: Arc<Plan>,
    zspages: Vec<Zspage>,
    /// Operation that created each zspage; apart because only inspectors read it.
    zspages_born: Vec<u32>,
    lists: Lists,
    slots: Slots,
    objects: Objects,
    classes: Vec<Class>,
    totals: Totals,
    pages_compacted: u64,
    operations: u32,
    next_id: u32,
}

/// What a pool never changes.
#[derive(Debug)]
struct Plan {
    geometry: Geometry,
    rules: &'static Rules,
    groups: Groups,
    /// True if no list looks at fills.
    always_to_head: bool,
}

/// A zspage, or a free record of one.
#[derive(Clone, Copy, Debug)]
struct Zspage {
    id: u32,
    /// Its first slot.
    slots: u32,
    /// Position of its class in the geometry.
    class: u16,
    /// Objects in use; 0 in a free record, since a zspage that becomes empty is freed at once.
    inuse: u16,
    /// Head of its free list: the place handed out next, or [`slots::END`].
    freed: u16,
    group: u8,
}

/// A class: what never changes of it and its counts, in one line of the nearest cache.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// Index as the kernel prints it.
    index: u16,
    /// Objects of a zspage.
    objects: u16,
    /// Pages of a zspage.
    pages: u16,
    /// Bit `g` is set if group `g` has zspages.
    occupied: u16,
    /// Where its fills start in the table of groups.
    fills: u32,
    /// Top of the stack of its free records.
    spare: u32,
    /// Zspages held.
    zspages: u32,
    /// `obj_used`.
    used: u32,
}

impl Class {
    /// `obj_allocated`.
    fn capacity(&self) -> u64 {
        u64::from(self.zspages) * u64::from(self.objects)
    }

    /// Zspages that moving objects could free: `zs_can_compact()` in zspages.
    fn gain(&self) -> u64 {
        (self.capacity() - u64::from(self.used)) / u64::from(self.objects)
    }
}

impl Pool {
    /// An empty pool.
    pub fn new(geometry: Geometry) -> Self {
        let rules = geometry.config().era.rules();
        let (groups, starts) = Groups::new(&geometry, rules.grouping);
        let class = |(class, fills): (&SizeClass, u32)| Class {
            index: class.index,
            objects: class.objects,
            pages: class.pages,
            occupied: 0,
            fills,
            spare: NONE,
            zspages: 0,
            used: 0,
        };
        let classes: Vec<Class> = geometry.classes().iter().zip(starts).map(class).collect();
        let lists = Lists::new(classes.len());
        let always_to_head = (rules.insert, rules.insert_almost_full) == (Insert::Head, Insert::Head);
        Self {
            plan: Arc::new(Plan { geometry, rules, groups, always_to_head }),
            zspages: Vec::new(),
            zspages_born: Vec::new(),
            lists,
            slots: Slots::default(),
            objects: Objects::default(),
            classes,
            totals: Totals::default(),
            pages_compacted: 0,
            operations: 0,
            next_id: 1,
        }
    }

    /// The class table.
    pub fn geometry(&self) -> &Geometry {
        &self.plan.geometry
    }

    /// What the era does.
    pub fn rules(&self) -> &'static Rules {
        self.plan.rules
    }

    #[inline]
    fn place_of(&self, key: u32, index: u16) -> Place {
        let zspage = &self.zspages[key as usize];
        Place { class: self.index_of_class(zspage.class), span: SpanId(zspage.id), index }
    }

    #[inline]
    fn index_of_class(&self, position: u16) -> u16 {
        self.classes[usize::from(position)].index
    }

    fn objects_of(&self, position: u16) -> u16 {
        self.classes[usize::from(position)].objects
    }

    /// The first zspage of the fullest group with room, or a new one. An empty zspage is freed at once
    /// in this model, so the empty group never has one to offer.
    #[inline]
    fn zspage_with_room<S: Sink>(&mut self, class: u16, sink: &mut S) -> u32 {
        let state = &self.classes[usize::from(class)];
        let partial = state.occupied & self.plan.groups.partial_mask();
        if partial != 0 { self.lists.first(class, partial.ilog2() as u8) } else { self.create(class, sink) }
    }

    fn create<S: Sink>(&mut self, class: u16, sink: &mut S) -> u32 {
        let state = &mut self.classes[usize::from(class)];
        let id = self.next_id;
        self.next_id += 1;
        let made = |slots| Zspage { id, slots, class, inuse: 0, freed: 0, group: Groups::EMPTY };
        let key = if state.spare == NONE {
            self.lists.grow();
            self.zspages.push(made(self.slots.reserve(state.objects)));
            self.zspages_born.push(self.operations);
            self.zspages.len() as u32 - 1
        } else {
            let key = self.lists.unstack(&mut state.spare);
            let record = &mut self.zspages[key as usize];
            *record = made(record.slots);
            self.zspages_born[key as usize] = self.operations;
            key
        };
        self.slots.make_free_list(self.zspages[key as usize].slots, state.objects);
        state.zspages += 1;
        self.totals.pages += u64::from(state.pages);
        self.totals.pages_peak = self.totals.pages_peak.max(self.totals.pages);
        self.totals.spans += 1;
        self.totals.capacity += u64::from(state.objects);
        sink.event(Event::SpanCreated { class: state.index, span: SpanId(id), pages: state.pages });
        key
    }

    /// Gives the pages of an unlisted, empty zspage back.
    fn destroy<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let Zspage { class, id, .. } = self.zspages[key as usize];
        let state = &mut self.classes[usize::from(class)];
        self.lists.stack(key, &mut state.spare);
        state.zspages -= 1;
        self.totals.pages -= u64::from(state.pages);
        self.totals.spans -= 1;
        self.totals.capacity -= u64::from(state.objects);
        sink.event(Event::SpanFreed { class: state.index, span: SpanId(id), pages: state.pages });
    }

    /// The group a zspage belongs to by its fill.
    #[inline]
    fn group_by_fill(&self, zspage: &Zspage) -> u8 {
        self.plan.groups.of(self.classes[usize::from(zspage.class)].fills, zspage.inuse)
    }

    /// Puts a zspage into another list if its fill now belongs to another group.
    #[inline]
    fn regroup<S: Sink>(&mut self, key: u32, new: bool, sink: &mut S) {
        let zspage = &self.zspages[key as usize];
        let to = self.group_by_fill(zspage);
        let from = zspage.group;
        if new {
            self.insert(key, to, None, sink);
        } else if from != to {
            self.unlink(key);
            self.insert(key, to, Some(from), sink);
        }
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
        let class = match self.plan.geometry.class_of(size) {
            Ok(class) => class as u16,
            Err(error) => return Err(self.refuse(error)),
        };
        if self.objects.get(object).is_some() {
            return Err(self.refuse(MallocError::Live));
        }
        let key = self.zspage_with_room(class, sink);
        let zspage = &mut self.zspages[key as usize];
        let new = zspage.inuse == 0;
        let index = self.slots.pop(zspage, object.0);
        self.objects.enter(object, size, self.operations, (key, index));
        self.classes[usize::from(class)].used += 1;
        self.totals.objects += 1;
        self.totals.bytes += u64::from(size);
        let at = self.place_of(key, index);
        sink.event(Event::Placed { object, at });
        self.regroup(key, new, sink);
        Ok(at)
    }

    #[inline]
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive> {
        self.operations = self.operations.wrapping_add(1);
        let record = self.objects.take(object).ok_or(NotLive)?;
        let key = record.zspage;
        let from = self.place_of(key, record.index);
        let zspage = &mut self.zspages[key as usize];
        self.slots.push(zspage, record.index);
        let (class, empty) = (zspage.class, zspage.inuse == 0);
        self.classes[usize::from(class)].used -= 1;
        self.totals.objects -= 1;
        self.totals.bytes -= u64::from(record.size());
        sink.event(Event::Removed { object, from });
        if empty {
            self.unlink(key);
            self.destroy(key, sink);
        } else {
            self.regroup(key, false, sink);
        }
        Ok(Freed { from, span_freed: empty })
    }

    fn compact<S: Sink>(&mut self, sink: &mut S) -> Option<Compaction> {
        self.operations = self.operations.wrapping_add(1);
        Some(self.compact_all(sink))
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
        (0..self.classes.len()).map(|position| self.class_totals(position)).collect()
    }

    fn group_names(&self) -> &'static [&'static str] {
        self.plan.groups.names()
    }

    fn group_counts(&self, class: u16) -> Vec<u32> {
        let position = self.plan.geometry.position_of_index(class).unwrap_or(usize::MAX);
        (0..self.group_names().len() as u8).map(|group| self.lists.count(position, group)).collect()
    }

    fn group_list(&self, class: u16, group: u8) -> Vec<SpanView> {
        self.list_of(class, group)
    }

    fn for_each_span(&self, visit: &mut dyn FnMut(SpanView)) {
        for (key, zspage) in self.zspages.iter().enumerate() {
            if zspage.inuse > 0 {
                visit(self.view(key as u32));
            }
        }
    }

    fn span(&self, id: SpanId) -> Option<SpanView> {
        let key = self.zspages.iter().position(|zspage| zspage.inuse > 0 && zspage.id == id.0)?;
        Some(self.view(key as u32))
    }

    fn slots(&self, key: u32) -> Vec<SlotView> {
        self.slots_of(key)
    }

    fn for_each_used(&self, key: u32, visit: &mut dyn FnMut(u16)) {
        if let Some(zspage) = self.zspages.get(key as usize) {
            for (index, _) in self.slots.used(zspage, self.objects_of(zspage.class)) {
                visit(index);
            }
        }
    }

    fn place(&self, object: ObjectId) -> Option<Place> {
        let record = self.objects.get(object)?;
        Some(self.place_of(record.zspage, record.index))
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.zspages.capacity() * size_of::<Zspage>()
            + self.zspages_born.capacity() * size_of::<u32>()
            + self.lists.memory_bytes()
            + self.slots.memory_bytes()
            + self.objects.memory_bytes()
            + self.classes.capacity() * size_of::<Class>()
    }
}
