//! Object places of zspages and their free lists.

use super::Zspage;

/// End of a free list.
pub(super) const END: u16 = u16::MAX;

/// Marks a word that holds the next free index instead of an object number.
const FREE: u32 = 1 << 31;

/// The places of all zspages, one word each.
///
/// A zspage hands out the place freed last, then those freed before it, then those never used in
/// ascending order. The kernel writes that order into the pages as a linked list when it makes the
/// zspage; here a counter of the places used so far stands for the untouched rest.
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

    /// Takes the next free place for an object and counts it in.
    #[inline]
    pub(super) fn pop(&mut self, zspage: &mut Zspage, object: u32) -> u16 {
        let index = if zspage.freed == END {
            zspage.fresh += 1;
            zspage.fresh - 1
        } else {
            zspage.freed
        };
        let word = &mut self.words[zspage.slots as usize + usize::from(index)];
        if index == zspage.freed {
            zspage.freed = *word as u16;
        }
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
        (index < zspage.fresh && word & FREE == 0).then_some(word)
    }

    /// The places in use, ascending, each with its object.
    pub(super) fn used(&self, zspage: &Zspage) -> impl Iterator<Item = (u16, u32)> + '_ {
        let zspage = *zspage;
        (0..zspage.fresh).filter_map(move |index| Some((index, self.object(&zspage, index)?)))
    }

    /// The freed places in the order in which they are handed out.
    pub(super) fn freed(&self, zspage: &Zspage) -> impl Iterator<Item = u16> + '_ {
        let first = zspage.slots as usize;
        let some = |index: u16| (index != END).then_some(index);
        std::iter::successors(some(zspage.freed), move |&index| {
            some(self.words[first + usize::from(index)] as u16)
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}
