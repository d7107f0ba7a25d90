//! Object places of zspages and their free lists.

use super::Zspage;

/// End of a free list.
pub(super) const END: u16 = u16::MAX;

/// Marks a word that holds the next free index instead of an object number.
const FREE: u32 = 1 << 31;

/// The places of all zspages, one word each.
///
/// As in the kernel, a new zspage's free list runs through its places in ascending order, an
/// allocation takes the first and a free puts its place first. So the place freed last is handed out
/// next, then those freed before it, then those never used, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    words: Vec<u32>,
}

impl Slots {
    /// Makes room for a zspage and returns its first word.
    pub(super) fn reserve(&mut self, objects: u16) -> u32 {
        let first = self.words.len();
        self.words.resize(first + usize::from(objects), FREE);
        first as u32
    }

    /// Writes the free list of a new zspage, whose `freed` is then 0.
    #[inline]
    pub(super) fn make_free_list(&mut self, first: u32, objects: u16) {
        let places = &mut self.words[first as usize..first as usize + usize::from(objects)];
        for (next, word) in (1..).zip(places.iter_mut()) {
            *word = FREE | next;
        }
        if let Some(last) = places.last_mut() {
            *last = FREE | u32::from(END);
        }
    }

    /// Takes the next free place for an object and counts it in.
    #[inline]
    pub(super) fn pop(&mut self, zspage: &mut Zspage, object: u32) -> u16 {
        let index = zspage.freed;
        let word = &mut self.words[zspage.slots as usize + usize::from(index)];
        zspage.freed = *word as u16;
        *word = object & !FREE;
        zspage.inuse += 1;
        index
    }

    /// Frees a place: it will be the next one handed out.
    #[inline]
    pub(super) fn push(&mut self, zspage: &mut Zspage, index: u16) {
        self.words[zspage.slots as usize + usize::from(index)] = FREE | u32::from(zspage.freed);
        zspage.freed = index;
        zspage.inuse -= 1;
    }

    /// The object in a place.
    pub(super) fn object(&self, zspage: &Zspage, index: u16) -> Option<u32> {
        let word = *self.words.get(zspage.slots as usize + usize::from(index))?;
        (word & FREE == 0).then_some(word)
    }

    /// The places in use among `objects`, ascending, each with its object.
    pub(super) fn used(&self, zspage: &Zspage, objects: u16) -> impl Iterator<Item = (u16, u32)> + '_ {
        let first = zspage.slots as usize;
        let places = self.words.get(first..first + usize::from(objects)).unwrap_or_default();
        (0..).zip(places).filter_map(|(index, &word)| (word & FREE == 0).then_some((index, word)))
    }

    /// The free places in the order in which they are handed out.
    pub(super) fn free(&self, zspage: &Zspage) -> impl Iterator<Item = u16> + '_ {
        let first = zspage.slots as usize;
        let some = |index: u16| (index != END).then_some(index);
        std::iter::successors(some(zspage.freed), move |&index| {
            some(self.words[first + usize::from(index)] as u16)
        })
    }

    /// Bytes of a copy.
    pub(super) fn memory_bytes(&self) -> usize {
        self.words.len() * size_of::<u32>()
    }
}
