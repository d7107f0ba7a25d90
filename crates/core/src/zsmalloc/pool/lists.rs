//! Lists of the fullness groups.

use crate::pool::ListSpot;

use super::{Class, NONE, Pool};
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

#[inline]
fn link_behind(links: &mut [Link], node: u32, prev: u32) {
    let next = std::mem::replace(&mut links[prev as usize].next, node);
    links[next as usize].prev = node;
    links[node as usize] = Link { next, prev };
}

#[inline]
fn unlink(links: &mut [Link], node: u32) {
    let Link { next, prev } = links[node as usize];
    links[prev as usize].next = next;
    links[next as usize].prev = prev;
}

impl Lists {
    pub(super) fn new(classes: usize) -> Self {
        let anchors = (classes * GROUP_SLOTS) as u32;
        Self { links: (0..anchors).map(|anchor| Link { next: anchor, prev: anchor }).collect(), anchors }
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

    /// First zspage of a list that is not empty.
    #[inline]
    pub(super) fn first(&self, class: u16, group: u8) -> u32 {
        self.links[list(class, group) as usize].next - self.anchors
    }

    /// Takes a zspage out of the list it is in; the next one becomes the head if it was.
    #[inline]
    pub(super) fn remove(&mut self, key: u32) {
        unlink(&mut self.links, self.anchors + key);
    }

    /// Puts an unlinked zspage at the head of a list.
    #[inline]
    fn put_first(&mut self, key: u32, list: u32) {
        link_behind(&mut self.links, self.anchors + key, list);
    }

    /// Puts an unlinked zspage at the end of a list.
    fn put_last(&mut self, key: u32, list: u32) {
        let last = self.links[list as usize].prev;
        link_behind(&mut self.links, self.anchors + key, last);
    }

    /// Puts an unlinked zspage behind another.
    fn put_behind(&mut self, key: u32, other: u32) {
        link_behind(&mut self.links, self.anchors + key, self.anchors + other);
    }

    /// Bytes of a copy.
    pub(super) fn memory_bytes(&self) -> usize {
        self.links.len() * size_of::<Link>()
    }
}

impl Class {
    /// Counts a zspage of a group out.
    #[inline]
    pub(super) fn count_out(&mut self, group: u8) {
        let count = &mut self.counts[usize::from(group)];
        *count -= 1;
        self.occupied &= !(u16::from(*count == 0) << group);
    }

    /// Counts a zspage of a group in.
    #[inline]
    pub(super) fn count_in(&mut self, group: u8) {
        self.counts[usize::from(group)] += 1;
        self.occupied |= 1 << group;
    }
}

impl Pool {
    /// True if a group is a list; the others are only counted (full and empty ones up to 4.5).
    pub fn keeps_list(&self, group: u8) -> bool {
        self.plan.rules.lists_all_groups || (group != Groups::EMPTY && group != self.plan.groups.full())
    }

    /// Puts an unlinked zspage, which is counted in already, into the list of its group.
    #[inline]
    pub(super) fn insert(&mut self, key: u32, class: u16, to: u8) -> ListSpot {
        let spot = if self.plan.always_to_head {
            self.lists.put_first(key, list(class, to));
            ListSpot::Head
        } else {
            self.insert_by_fill(key, class, to)
        };
        if self.keeps_list(to) { spot } else { ListSpot::Unlisted }
    }

    /// The rules that look at the head: alone in its list the zspage is the head in any case.
    fn insert_by_fill(&mut self, key: u32, class: u16, to: u8) -> ListSpot {
        let Rules { insert, insert_almost_full, .. } = self.plan.rules;
        let rule = if to == Groups::ALMOST_FULL { *insert_almost_full } else { *insert };
        let list = list(class, to);
        if self.classes[usize::from(class)].counts[usize::from(to)] == 1 {
            self.lists.put_first(key, list);
            return ListSpot::Head;
        }
        let head = self.lists.first(class, to);
        let lower = self.zspages[key as usize].inuse < self.zspages[head as usize].inuse;
        match rule {
            Insert::LowerToTail if lower => {
                self.lists.put_last(key, list);
                ListSpot::Tail
            }
            Insert::LowerBehindHead if lower => {
                self.lists.put_behind(key, head);
                ListSpot::Second
            }
            _ => {
                if rule == Insert::Rotate || (rule == Insert::RotateUnlessLower && !lower) {
                    self.lists.remove(head);
                    self.lists.put_last(head, list);
                }
                self.lists.put_first(key, list);
                ListSpot::Head
            }
        }
    }

    /// Takes the first zspage of a list that is not empty out of it.
    pub(super) fn take_head(&mut self, class: u16, group: u8) -> u32 {
        let key = self.lists.first(class, group);
        self.lists.remove(key);
        self.classes[usize::from(class)].count_out(group);
        key
    }

    /// Keys of a list, head first.
    pub(super) fn list_keys(&self, class: u16, group: u8) -> impl Iterator<Item = u32> + '_ {
        let Lists { links, anchors } = &self.lists;
        let anchor = list(class, group);
        let node = move |at: u32| (at != anchor).then_some(at);
        std::iter::successors(node(links[anchor as usize].next), move |&at| node(links[at as usize].next))
            .map(move |at| at - anchors)
    }
}
