//! Lists of the fullness groups: circular, linked through the zspages.

use crate::pool::{Event, ListSpot, Sink, SpanId};

use super::{NONE, Pool};
use crate::zsmalloc::Insert;
use crate::zsmalloc::groups::Groups;

impl Pool {
    /// True if a group is a list; the others are only counted (full and empty ones up to 4.5).
    pub fn keeps_list(&self, group: u8) -> bool {
        self.plan.rules.lists_all_groups || (group != Groups::EMPTY && group != self.plan.groups.full())
    }

    /// Puts an unlinked zspage into the list of a group.
    #[inline]
    pub(super) fn insert<S: Sink>(&mut self, key: u32, to: u8, from: Option<u8>, sink: &mut S) {
        let zspage = &mut self.zspages[key as usize];
        let (class, inuse, id) = (zspage.class, zspage.inuse, zspage.id);
        zspage.group = to;
        let state = &mut self.classes[usize::from(class)];
        let head = state.heads[usize::from(to)];
        state.counts[usize::from(to)] += 1;
        let spot;
        if head == NONE {
            state.occupied |= 1 << to;
            state.heads[usize::from(to)] = key;
            zspage.next = key;
            zspage.prev = key;
            spot = ListSpot::Head;
        } else {
            let lower = inuse < self.zspages[head as usize].inuse;
            let rule = if to == Groups::ALMOST_FULL {
                self.plan.rules.insert_almost_full
            } else {
                self.plan.rules.insert
            };
            spot = match rule {
                Insert::LowerToTail if lower => ListSpot::Tail,
                Insert::LowerBehindHead if lower => ListSpot::Second,
                _ => ListSpot::Head,
            };
            let rotates = match rule {
                Insert::Rotate => true,
                Insert::RotateUnlessLower => !lower,
                _ => false,
            };
            // In a circle, before the head is the tail; behind the old head makes that one the tail
            // once the new one is head.
            let before =
                if spot == ListSpot::Second || rotates { self.zspages[head as usize].next } else { head };
            self.link_before(key, before);
            if spot == ListSpot::Head {
                self.classes[usize::from(class)].heads[usize::from(to)] = key;
            }
        }
        let spot = if self.keeps_list(to) { spot } else { ListSpot::Unlisted };
        let class = self.index_of_class(class);
        sink.event(Event::Grouped { class, span: SpanId(id), from, to, spot });
    }

    fn link_before(&mut self, key: u32, next: u32) {
        let prev = self.zspages[next as usize].prev;
        self.zspages[next as usize].prev = key;
        self.zspages[prev as usize].next = key;
        let zspage = &mut self.zspages[key as usize];
        zspage.next = next;
        zspage.prev = prev;
    }

    /// Takes a zspage out of its list; the next one becomes the head if it was.
    #[inline]
    pub(super) fn unlink(&mut self, key: u32) {
        let zspage = self.zspages[key as usize];
        let state = &mut self.classes[usize::from(zspage.class)];
        let group = usize::from(zspage.group);
        state.counts[group] -= 1;
        if zspage.next == key {
            state.heads[group] = NONE;
            state.occupied &= !(1 << group);
            return;
        }
        if state.heads[group] == key {
            state.heads[group] = zspage.next;
        }
        self.zspages[zspage.prev as usize].next = zspage.next;
        self.zspages[zspage.next as usize].prev = zspage.prev;
    }

    /// Keys of a list, head first.
    pub(super) fn list_keys(&self, class: usize, group: u8) -> impl Iterator<Item = u32> + '_ {
        let state = &self.classes[class];
        let head = state.heads[usize::from(group)];
        let count = state.counts[usize::from(group)] as usize;
        std::iter::successors(Some(head), |&key| Some(self.zspages[key as usize].next)).take(count)
    }
}
