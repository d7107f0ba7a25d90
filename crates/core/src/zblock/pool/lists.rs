//! Lists of blocks, two for each type, and the stacks of free records.

use super::NONE;

/// Lists of each type.
const GROUPS: usize = 2;

/// Circular lists through an anchor of their own.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// The anchors, type after type, then a node for each block.
    links: Vec<Link>,
    anchors: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    prev: u32,
}

const fn anchor(kind: u16, group: u8) -> u32 {
    kind as u32 * GROUPS as u32 + group as u32
}

impl Lists {
    pub(super) fn new(types: usize) -> Self {
        let anchors = (types * GROUPS) as u32;
        let links = (0..anchors).map(|anchor| Link { next: anchor, prev: anchor }).collect();
        Self { links, anchors }
    }

    /// Makes room for the next block.
    pub(super) fn grow(&mut self) {
        self.links.push(Link { next: NONE, prev: NONE });
    }

    /// Puts an unlinked block on a stack of free records.
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

    /// First block of a list.
    #[inline]
    pub(super) fn first(&self, kind: u16, group: u8) -> Option<u32> {
        self.links[anchor(kind, group) as usize].next.checked_sub(self.anchors)
    }

    pub(super) fn push_front(&mut self, kind: u16, group: u8, key: u32) {
        self.link_behind(self.anchors + key, anchor(kind, group));
    }

    pub(super) fn push_back(&mut self, kind: u16, group: u8, key: u32) {
        let tail = self.links[anchor(kind, group) as usize].prev;
        self.link_behind(self.anchors + key, tail);
    }

    pub(super) fn unlink(&mut self, key: u32) {
        let Link { next, prev } = self.links[(self.anchors + key) as usize];
        self.links[prev as usize].next = next;
        self.links[next as usize].prev = prev;
    }

    fn link_behind(&mut self, node: u32, prev: u32) {
        let next = std::mem::replace(&mut self.links[prev as usize].next, node);
        self.links[next as usize].prev = node;
        self.links[node as usize] = Link { next, prev };
    }

    /// Blocks of a list, head first.
    pub(super) fn keys(&self, kind: u16, group: u8) -> impl Iterator<Item = u32> + '_ {
        let next = |node: u32| self.links[node as usize].next.checked_sub(self.anchors);
        std::iter::successors(next(anchor(kind, group)), move |&key| next(self.anchors + key))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }
}
