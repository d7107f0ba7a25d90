//! Compaction: emptying zspages into others of the same class.

use crate::pool::{Compaction, Event, ObjectId, Sink, SpanId, Why};

use super::{NONE, Pool};
use crate::zsmalloc::groups::Groups;
use crate::zsmalloc::{Compacting, Returns};

impl Pool {
    /// Compacts every class, the one of the largest objects first.
    pub(super) fn compact_all<S: Sink>(&mut self, sink: &mut S) -> Compaction {
        let pages_before = self.totals.pages;
        let mut moved = 0;
        for class in (0..self.classes.len()).rev() {
            // A class without a partly filled zspage has no source in any era.
            if self.classes[class].occupied & self.plan.partial_groups == 0 {
                continue;
            }
            let why = match self.plan.rules.compacting {
                Compacting::DestinationFirst => self.destination_first(class, &mut moved, sink),
                Compacting::AlmostEmptyOnly => self.source_first(class, false, &mut moved, sink),
                Compacting::SourceFirst => self.source_first(class, true, &mut moved, sink),
            };
            sink.event(Event::ClassDone { class: self.index_of_class(class as u16), why });
        }
        let pages_freed = pages_before - self.totals.pages;
        if self.plan.rules.counts_pages_compacted {
            self.pages_compacted += pages_freed;
        }
        let returned = match self.plan.rules.returns {
            Returns::Objects => moved,
            Returns::PagesSoFar => self.pages_compacted,
            Returns::Pages => pages_freed,
        };
        Compaction { returned, objects_moved: moved, pages_freed }
    }

    /// Up to 6.3: a source is unlinked first and emptied into one destination after the other. From
    /// 4.3 on (`asks`) it may be almost full too, and goes back if no zspage can be gained.
    fn source_first<S: Sink>(&mut self, class: usize, asks: bool, moved: &mut u64, sink: &mut S) -> Why {
        loop {
            let emptiest: &[u8] =
                if asks { &[Groups::ALMOST_EMPTY, Groups::ALMOST_FULL] } else { &[Groups::ALMOST_EMPTY] };
            let Some((source, group)) = self.take_first(class, emptiest) else { return Why::NoSource };
            self.taken(source, Why::EmptiestInUse(group), true, sink);
            if asks && self.classes[class].gain() == 0 {
                self.put_back(source, sink);
                return Why::NothingToGain;
            }
            while self.zspages[source as usize].inuse > 0 {
                let fullest = [Groups::ALMOST_FULL, Groups::ALMOST_EMPTY];
                let Some((destination, group)) = self.take_first(class, &fullest) else {
                    self.put_back(source, sink);
                    return Why::NoDestination;
                };
                self.taken(destination, Why::FullestWithRoom(group), false, sink);
                *moved += self.move_objects(source, destination, sink);
                self.put_back(destination, sink);
            }
            self.destroy(source, sink);
        }
    }

    /// From 6.4: while a zspage can be gained, the fullest with room takes from the emptiest in use;
    /// the destination stays held until it is full.
    fn destination_first<S: Sink>(&mut self, class: usize, moved: &mut u64, sink: &mut S) -> Why {
        let mut held = NONE;
        let why = loop {
            if self.classes[class].gain() == 0 {
                break Why::NothingToGain;
            }
            if held == NONE {
                let Some(group) = self.partial_group(class, u16::ilog2) else { break Why::NoDestination };
                held = self.take_head(class as u16, group);
                self.taken(held, Why::FullestWithRoom(group), false, sink);
            } else {
                self.taken(held, Why::StillHeld, false, sink);
            }
            let Some(group) = self.partial_group(class, u16::trailing_zeros) else { break Why::NoSource };
            let source = self.take_head(class as u16, group);
            self.taken(source, Why::EmptiestInUse(group), true, sink);
            *moved += self.move_objects(source, held, sink);
            if self.zspages[source as usize].inuse == 0 {
                self.destroy(source, sink);
            } else {
                self.put_back(source, sink);
            }
            if self.is_full(held) {
                self.put_back(held, sink);
                held = NONE;
            }
        };
        if held != NONE {
            self.put_back(held, sink);
        }
        why
    }

    /// The partly filled group that `pick` finds in the bits of those that have zspages.
    fn partial_group(&self, class: usize, pick: fn(u16) -> u32) -> Option<u8> {
        let partial = self.classes[class].occupied & self.plan.partial_groups;
        (partial != 0).then(|| pick(partial) as u8)
    }

    fn take_first(&mut self, class: usize, groups: &[u8]) -> Option<(u32, u8)> {
        let occupied = self.classes[class].occupied;
        let group = groups.iter().copied().find(|group| occupied & (1 << group) != 0)?;
        Some((self.take_head(class as u16, group), group))
    }

    fn put_back<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let zspage = &mut self.zspages[key as usize];
        let state = &mut self.classes[usize::from(zspage.class)];
        let (from, to) = (zspage.group, self.plan.groups.of(state.fills, zspage.inuse));
        state.count_in(to);
        zspage.group = to;
        let (position, class, span) = (zspage.class, state.index, SpanId(zspage.id));
        let spot = self.insert(key, position, to);
        sink.event(Event::Grouped { class, span, from: Some(from), to, spot });
    }

    fn is_full(&self, key: u32) -> bool {
        let zspage = &self.zspages[key as usize];
        zspage.inuse == self.objects_of(zspage.class)
    }

    fn taken<S: Sink>(&self, key: u32, why: Why, is_source: bool, sink: &mut S) {
        let zspage = &self.zspages[key as usize];
        let (class, span) = (self.index_of_class(zspage.class), SpanId(zspage.id));
        sink.event(if is_source {
            Event::SourceTaken { class, span, why }
        } else {
            Event::DestinationTaken { class, span, why }
        });
    }

    /// Moves objects in ascending order until the source is empty or the destination full.
    fn move_objects<S: Sink>(&mut self, source: u32, destination: u32, sink: &mut S) -> u64 {
        let mut moved = 0;
        for index in 0..self.objects_of(self.zspages[source as usize].class) {
            let Some(number) = self.slots.object(&self.zspages[source as usize], index) else { continue };
            if self.is_full(destination) {
                break;
            }
            let from = self.place_of(source, index);
            self.slots.push(&mut self.zspages[source as usize], index);
            let to_index = self.slots.pop(&mut self.zspages[destination as usize], number);
            self.objects.moved(number, destination, to_index);
            let to = self.place_of(destination, to_index);
            sink.event(Event::Moved { object: ObjectId(number), from, to });
            moved += 1;
        }
        moved
    }
}
