//! A zsmalloc pool: objects, zspages and the lists they are in.

mod compact;
mod lists;
mod slots;
mod stats;
mod view;

use std::sync::Arc;

use crate::objects::Objects;
use crate::pool::{
    ClassTotals, Compaction, Event, Freed, MallocError, NotLive, ObjectId, Place, Pool as PoolTrait, Sink,
    SlotView, SpanId, SpanView, Totals,
};

use self::lists::Lists;
use self::slots::Slots;
use super::groups::{GROUP_SLOTS, Groups};
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
    /// A bit for each group that is neither empty nor full.
    partial_groups: u16,
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
    /// Zspages of each group.
    counts: [u32; GROUP_SLOTS],
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
            fills,
            spare: NONE,
            occupied: 0,
            zspages: 0,
            used: 0,
            counts: [0; GROUP_SLOTS],
        };
        let classes: Vec<Class> = geometry.classes().iter().zip(starts).map(class).collect();
        let lists = Lists::new(classes.len());
        let always_to_head = (rules.insert, rules.insert_almost_full) == (Insert::Head, Insert::Head);
        Self {
            plan: Arc::new(Plan {
                geometry,
                rules,
                partial_groups: groups.partial_mask(),
                groups,
                always_to_head,
            }),
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

    /// The first zspage of the fullest group with room and that group, or a new zspage. An empty zspage is freed at once
    /// in this model, so the empty group never has one to offer.
    #[inline]
    fn zspage_with_room<S: Sink>(&mut self, class: u16, sink: &mut S) -> (u32, Option<u8>) {
        let partial = self.classes[usize::from(class)].occupied & self.plan.partial_groups;
        if partial == 0 {
            (self.create(class, sink), None)
        } else {
            let group = partial.ilog2() as u8;
            (self.lists.first(class, group), Some(group))
        }
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
        let (key, from) = self.zspage_with_room(class, sink);
        let zspage = &mut self.zspages[key as usize];
        let index = self.slots.pop(zspage, object.0);
        self.objects.enter(object, size, self.operations, (key, index));
        let state = &mut self.classes[usize::from(class)];
        state.used += 1;
        self.totals.objects += 1;
        self.totals.bytes += u64::from(size);
        let at = Place { class: state.index, span: SpanId(zspage.id), index };
        sink.event(Event::Placed { object, at });
        let to = self.plan.groups.of(state.fills, zspage.inuse);
        if from != Some(to) {
            if let Some(from) = from {
                self.lists.remove(key);
                state.count_out(from);
            }
            state.count_in(to);
            zspage.group = to;
            let spot = self.insert(key, class, to);
            sink.event(Event::Grouped { class: at.class, span: at.span, from, to, spot });
        }
        Ok(at)
    }

    #[inline]
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive> {
        self.operations = self.operations.wrapping_add(1);
        let record = self.objects.take(object).ok_or(NotLive)?;
        let key = record.span;
        let zspage = &mut self.zspages[key as usize];
        self.slots.push(zspage, record.index);
        let state = &mut self.classes[usize::from(zspage.class)];
        state.used -= 1;
        self.totals.objects -= 1;
        self.totals.bytes -= u64::from(record.size());
        let place = Place { class: state.index, span: SpanId(zspage.id), index: record.index };
        sink.event(Event::Removed { object, from: place });
        let (from, to) = (zspage.group, self.plan.groups.of(state.fills, zspage.inuse));
        if from != to {
            self.lists.remove(key);
            state.count_out(from);
            if to == Groups::EMPTY {
                self.destroy(key, sink);
            } else {
                state.count_in(to);
                zspage.group = to;
                let class = zspage.class;
                let spot = self.insert(key, class, to);
                let from = Some(from);
                sink.event(Event::Grouped { class: place.class, span: place.span, from, to, spot });
            }
        }
        Ok(Freed { from: place, span_freed: to == Groups::EMPTY })
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

    fn class_of(&self, size: u32) -> Option<u16> {
        let position = self.plan.geometry.class_of(size).ok()?;
        Some(self.classes[position].index)
    }

    fn group_names(&self) -> &'static [&'static str] {
        self.plan.groups.names()
    }

    fn group_counts(&self, class: u16) -> Vec<u32> {
        let position = self.plan.geometry.position_of_index(class).unwrap_or(usize::MAX);
        let counts = self.classes.get(position).map_or([0; GROUP_SLOTS], |state| state.counts);
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

    fn span_at(&self, key: u32) -> Option<SpanView> {
        self.zspages.get(key as usize).filter(|zspage| zspage.inuse > 0).map(|_| self.view(key))
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
        Some(self.place_of(record.span, record.index))
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.zspages.len() * size_of::<Zspage>()
            + self.zspages_born.len() * size_of::<u32>()
            + self.lists.memory_bytes()
            + self.slots.memory_bytes()
            + self.objects.memory_bytes()
            + self.classes.len() * size_of::<Class>()
    }
}
