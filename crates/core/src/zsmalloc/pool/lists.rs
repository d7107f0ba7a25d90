//! Lists of the fullness groups.

use crate::pool::{Event, ListSpot, Sink, SpanId};

use super::{NONE, Pool};
use crate::zsmalloc::groups::{GROUP_SLOTS, Groups};
use crate::zsmalloc::{Insert, Rules};

/// Circular lists, one for each group of each class, that run through an anchor of their own.
///
/// The anchor is what makes insertion and removal free of conditions: a processor guesses wrong about
/// half of the conditions of a random workload, and a wrong guess costs more than the whole relinking.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// The anchors, class after class, then a node for each zspage.
    links: Vec<Link>,
    anchors: u32,
    /// Zspages of each list.
    counts: Vec<u32>,
    /// For each class a bit for each group that has zspages.
    occupied: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    prev: u32,
}

/// Number of the list of a group of a class, which is also its anchor.
#[inline]
const fn list(class: u16, group: u8) -> u32 {
    class as u32 * GROUP_SLOTS as u32 + group as u32
}

impl Lists {
    pub(super) fn new(classes: usize) -> Self {
        let anchors = (classes * GROUP_SLOTS) as u32;
        let links = (0..anchors).map(|anchor| Link { next: anchor, prev: anchor }).collect();
        Self { links, anchors, counts: vec![0; anchors as usize], occupied: vec![0; classes] }
    }

    /// Makes room for the next zspage.
    pub(super) fn grow(&mut self) {
        self.links.push(Link { next: NONE, prev: NONE });
    }

    /// Puts an unlinked zspage on a stack of free records.
    pub(super) fn stack(&mut self, key: u32, top: &mut u32) {
        self.links[(self.anchors + key) as usize].next = *top;
        *top = key;
    }

    /// Takes the top of such a stack, which is not empty.
    pub(super) fn unstack(&self, top: &mut u32) -> u32 {
        let key = *top;
        *top = self.links[(self.anchors + key) as usize].next;
        key
    }

    /// Zspages of a group of the class at a position; 0 if there is no such class.
    pub(super) fn count(&self, position: usize, group: u8) -> u32 {
        self.counts.get(position * GROUP_SLOTS + usize::from(group)).copied().unwrap_or(0)
    }

    /// A bit for each group of a class that has zspages.
    #[inline]
    pub(super) fn occupied(&self, class: u16) -> u16 {
        self.occupied[usize::from(class)]
    }

    /// First zspage of a list that is not empty.
    #[inline]
    pub(super) fn first(&self, class: u16, group: u8) -> u32 {
        self.links[list(class, group) as usize].next - self.anchors
    }

    #[inline]
    fn link_behind(&mut self, node: u32, prev: u32) {
        let next = std::mem::replace(&mut self.links[prev as usize].next, node);
        self.links[next as usize].prev = node;
        self.links[node as usize] = Link { next, prev };
    }

    #[inline]
    fn unlink(&mut self, node: u32) {
        let Link { next, prev } = self.links[node as usize];
        self.links[prev as usize].next = next;
        self.links[next as usize].prev = prev;
    }

    /// Takes a zspage out of the list it is in; the next one becomes the head if it was.
    #[inline]
    pub(super) fn remove(&mut self, class: u16, group: u8, key: u32) {
        self.unlink(self.anchors + key);
        let count = &mut self.counts[list(class, group) as usize];
        *count -= 1;
        self.occupied[usize::from(class)] &= !(u16::from(*count == 0) << group);
    }

    #[inline]
    fn count_in(&mut self, class: u16, group: u8) {
        self.counts[list(class, group) as usize] += 1;
        self.occupied[usize::from(class)] |= 1 << group;
    }

    /// Zspages of a list, first to last.
    fn keys(&self, class: u16, group: u8) -> impl Iterator<Item = u32> + '_ {
        let anchor = list(class, group);
        let node = move |at: u32| (at != anchor).then_some(at);
        let links = &self.links;
        std::iter::successors(node(links[anchor as usize].next), move |&at| node(links[at as usize].next))
            .map(|at| at - self.anchors)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
            + self.counts.capacity() * size_of::<u32>()
            + self.occupied.capacity() * size_of::<u16>()
    }
}

impl Pool {
    /// True if a group is a list; the others are only counted (full and empty ones up to 4.5).
    pub fn keeps_list(&self, group: u8) -> bool {
        self.plan.rules.lists_all_groups || (group != Groups::EMPTY && group != self.plan.groups.full())
    }

    /// Puts an unlinked zspage into the list of a group.
    #[inline]
    pub(super) fn insert<S: Sink>(&mut self, key: u32, to: u8, from: Option<u8>, sink: &mut S) {
        let zspage = &mut self.zspages[key as usize];
        let (class, id) = (zspage.class, zspage.id);
        zspage.group = to;
        let spot = if self.plan.always_to_head {
            self.lists.link_behind(self.lists.anchors + key, list(class, to));
            ListSpot::Head
        } else {
            self.insert_by_fill(key, class, to)
        };
        self.lists.count_in(class, to);
        let spot = if self.keeps_list(to) { spot } else { ListSpot::Unlisted };
        sink.event(Event::Grouped { class: self.index_of_class(class), span: SpanId(id), from, to, spot });
    }

    /// The rules that look at the head: of an empty list the zspage becomes the head in any case.
    fn insert_by_fill(&mut self, key: u32, class: u16, to: u8) -> ListSpot {
        let Rules { insert, insert_almost_full, .. } = self.plan.rules;
        let rule = if to == Groups::ALMOST_FULL { *insert_almost_full } else { *insert };
        let (anchor, node) = (list(class, to), self.lists.anchors + key);
        if self.lists.counts[anchor as usize] == 0 {
            self.lists.link_behind(node, anchor);
            return ListSpot::Head;
        }
        let head = self.lists.first(class, to);
        let lower = self.zspages[key as usize].inuse < self.zspages[head as usize].inuse;
        let old_head = self.lists.anchors + head;
        let (spot, behind) = match rule {
            Insert::LowerToTail if lower => (ListSpot::Tail, self.lists.links[anchor as usize].prev),
            Insert::LowerBehindHead if lower => (ListSpot::Second, old_head),
            _ => (ListSpot::Head, anchor),
        };
        if rule == Insert::Rotate || (rule == Insert::RotateUnlessLower && !lower) {
            self.lists.unlink(old_head);
            let tail = self.lists.links[anchor as usize].prev;
            self.lists.link_behind(old_head, tail);
        }
        self.lists.link_behind(node, behind);
        spot
    }

    /// Keys of a list, head first.
    pub(super) fn list_keys(&self, class: u16, group: u8) -> impl Iterator<Item = u32> + '_ {
        self.lists.keys(class, group)
    }
}
