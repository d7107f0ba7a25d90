//! Lists of spans, two for each class, and the stacks of free records.

/// No span.
pub(crate) const NONE: u32 = u32::MAX;

/// Lists of each class.
const LISTS: usize = 2;

/// Circular lists through an anchor of their own.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// The anchors, class after class, then a node for each span.
    links: Vec<Link>,
    anchors: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    prev: u32,
}

const fn anchor(class: u16, list: u8) -> u32 {
    class as u32 * LISTS as u32 + list as u32
}

impl Lists {
    pub(crate) fn new(classes: usize) -> Self {
        let anchors = (classes * LISTS) as u32;
        let links = (0..anchors).map(|anchor| Link { next: anchor, prev: anchor }).collect();
        Self { links, anchors }
    }

    /// Makes room for the next span.
    pub(crate) fn grow(&mut self) {
        self.links.push(Link { next: NONE, prev: NONE });
    }

    /// Puts an unlinked span on a stack of free records.
    pub(crate) fn stack(&mut self, key: u32, top: &mut u32) {
        self.links[(self.anchors + key) as usize].next = *top;
        *top = key;
    }

    /// Takes the top of such a stack, which is not empty.
    pub(crate) fn unstack(&self, top: &mut u32) -> u32 {
        let key = *top;
        *top = self.links[(self.anchors + key) as usize].next;
        key
    }

    /// First span of a list.
    #[inline]
    pub(crate) fn first(&self, class: u16, list: u8) -> Option<u32> {
        self.links[anchor(class, list) as usize].next.checked_sub(self.anchors)
    }

    pub(crate) fn push_front(&mut self, class: u16, list: u8, key: u32) {
        self.link_behind(self.anchors + key, anchor(class, list));
    }

    pub(crate) fn push_back(&mut self, class: u16, list: u8, key: u32) {
        let tail = self.links[anchor(class, list) as usize].prev;
        self.link_behind(self.anchors + key, tail);
    }

    pub(crate) fn unlink(&mut self, key: u32) {
        let Link { next, prev } = self.links[(self.anchors + key) as usize];
        self.links[prev as usize].next = next;
        self.links[next as usize].prev = prev;
    }

    fn link_behind(&mut self, node: u32, prev: u32) {
        let next = std::mem::replace(&mut self.links[prev as usize].next, node);
        self.links[next as usize].prev = node;
        self.links[node as usize] = Link { next, prev };
    }

    /// Spans of a list, head first.
    pub(crate) fn keys(&self, class: u16, list: u8) -> impl Iterator<Item = u32> + '_ {
        let next = |node: u32| self.links[node as usize].next.checked_sub(self.anchors);
        std::iter::successors(next(anchor(class, list)), move |&key| next(self.anchors + key))
    }

    /// Bytes of a copy.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.links.len() * size_of::<Link>()
    }
}
