//! A zsmalloc pool: objects, zspages and the lists they are in.

mod compact;
mod lists;
mod slots;
mod stats;
mod view;

use std::sync::Arc;

use crate::pool::{
    ClassTotals, Compaction, Event, Freed, MallocError, NotLive, ObjectId, Place, Pool as PoolTrait, Sink,
    SlotView, SpanId, SpanView, Totals,
};

use self::lists::Lists;
use self::slots::Slots;
use super::groups::{GROUP_SLOTS, Groups};
use super::{Geometry, Rules};

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
    lists: Lists,
    slots: Slots,
    objects: Vec<Object>,
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
}

/// A zspage, or a free record of one.
#[derive(Clone, Copy, Debug)]
struct Zspage {
    id: u32,
    /// Its first slot.
    slots: u32,
    born: u32,
    /// Position of its class in the geometry.
    class: u16,
    /// Objects in use; 0 in a free record, since a zspage that becomes empty is freed at once.
    inuse: u16,
    /// Head of its free list: the place handed out next, or [`slots::END`].
    freed: u16,
    group: u8,
}

/// A live object, or a number that is free.
#[derive(Clone, Copy, Debug)]
struct Object {
    /// Its zspage; [`NONE`] if the number is free.
    zspage: u32,
    size: u32,
    born: u32,
    index: u16,
}

const NO_OBJECT: Object = Object { zspage: NONE, size: 0, born: 0, index: 0 };

/// The changing part of a class.
#[derive(Clone, Copy, Debug)]
struct Class {
    /// Zspages in each group.
    counts: [u32; GROUP_SLOTS],
    /// Bit `g` is set if group `g` has zspages.
    occupied: u16,
    /// Free records of this class.
    spare: u32,
    /// `obj_allocated`.
    capacity: u64,
    /// `obj_used`.
    used: u64,
}

const EMPTY_CLASS: Class = Class { counts: [0; GROUP_SLOTS], occupied: 0, spare: NONE, capacity: 0, used: 0 };

impl Pool {
    /// An empty pool.
    pub fn new(geometry: Geometry) -> Self {
        let rules = geometry.config().era.rules();
        let groups = Groups::new(&geometry, rules.grouping);
        let classes = vec![EMPTY_CLASS; geometry.classes().len()];
        let lists = Lists::new(classes.len());
        Self {
            plan: Arc::new(Plan { geometry, rules, groups }),
            zspages: Vec::new(),
            lists,
            slots: Slots::default(),
            objects: Vec::new(),
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
        self.plan.geometry.classes()[usize::from(position)].index
    }

    fn objects_of(&self, position: u16) -> u16 {
        self.plan.geometry.classes()[usize::from(position)].objects
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
        let size_class = self.plan.geometry.classes()[usize::from(class)];
        let state = &mut self.classes[usize::from(class)];
        let id = self.next_id;
        self.next_id += 1;
        let made = |slots| Zspage {
            id,
            slots,
            born: self.operations,
            class,
            inuse: 0,
            freed: 0,
            group: Groups::EMPTY,
        };
        let key = if state.spare == NONE {
            self.lists.grow();
            self.zspages.push(made(self.slots.reserve(size_class.objects)));
            self.zspages.len() as u32 - 1
        } else {
            let key = self.lists.unstack(&mut state.spare);
            let record = &mut self.zspages[key as usize];
            *record = made(record.slots);
            key
        };
        self.slots.make_free_list(self.zspages[key as usize].slots, size_class.objects);
        state.capacity += u64::from(size_class.objects);
        self.totals.pages += u64::from(size_class.pages);
        self.totals.pages_peak = self.totals.pages_peak.max(self.totals.pages);
        self.totals.spans += 1;
        self.totals.capacity += u64::from(size_class.objects);
        sink.event(Event::SpanCreated { class: size_class.index, span: SpanId(id), pages: size_class.pages });
        key
    }

    /// Gives the pages of an unlisted, empty zspage back.
    fn destroy<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let record = &self.zspages[key as usize];
        let (class, id) = (record.class, record.id);
        let state = &mut self.classes[usize::from(class)];
        self.lists.stack(key, &mut state.spare);
        let size_class = &self.plan.geometry.classes()[usize::from(class)];
        state.capacity -= u64::from(size_class.objects);
        self.totals.pages -= u64::from(size_class.pages);
        self.totals.spans -= 1;
        self.totals.capacity -= u64::from(size_class.objects);
        sink.event(Event::SpanFreed { class: size_class.index, span: SpanId(id), pages: size_class.pages });
    }

    /// Puts a zspage into another list if its fill now belongs to another group.
    #[inline]
    fn regroup<S: Sink>(&mut self, key: u32, new: bool, sink: &mut S) {
        let zspage = &self.zspages[key as usize];
        let to = self.plan.groups.of(zspage.class, zspage.inuse);
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
        let number = object.0 as usize;
        if number >= self.objects.len() {
            self.objects.resize(number + 1, NO_OBJECT);
        } else if self.objects[number].zspage != NONE {
            return Err(self.refuse(MallocError::Live));
        }
        let key = self.zspage_with_room(class, sink);
        let zspage = &mut self.zspages[key as usize];
        let new = zspage.inuse == 0;
        let index = self.slots.pop(zspage, object.0);
        self.objects[number] = Object { zspage: key, size, born: self.operations, index };
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
        let record = match self.objects.get_mut(object.0 as usize) {
            Some(record) if record.zspage != NONE => std::mem::replace(record, NO_OBJECT),
            _ => return Err(NotLive),
        };
        let key = record.zspage;
        let from = self.place_of(key, record.index);
        let zspage = &mut self.zspages[key as usize];
        self.slots.push(zspage, record.index);
        let (class, empty) = (zspage.class, zspage.inuse == 0);
        self.classes[usize::from(class)].used -= 1;
        self.totals.objects -= 1;
        self.totals.bytes -= u64::from(record.size);
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
        let counts = self.classes.get(position).map_or(EMPTY_CLASS.counts, |state| state.counts);
        counts.into_iter().take(self.group_names().len()).collect()
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
        let record = self.objects.get(object.0 as usize).filter(|record| record.zspage != NONE)?;
        Some(self.place_of(record.zspage, record.index))
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.zspages.capacity() * size_of::<Zspage>()
            + self.lists.memory_bytes()
            + self.slots.memory_bytes()
            + self.objects.capacity() * size_of::<Object>()
            + self.classes.capacity() * size_of::<Class>()
    }
}
