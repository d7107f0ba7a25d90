//! The places of slabs: which are used by which object, and the free list that runs through the others.

use super::Slab;

/// Bits of a word of a bitmap.
const BITS: u16 = u64::BITS as u16;

/// End of a free list. A slab has at most 65,535 places, so that this is no place.
pub(super) const END: u16 = u16::MAX;

/// The places of all slabs.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// The object of a used place, the next free place of a free one.
    words: Vec<u32>,
    /// Set for used places.
    bits: Vec<u64>,
}

impl Slots {
    /// Makes room for a slab: its first word and its first word of bits.
    pub(super) fn reserve(&mut self, places: u16) -> (u32, u32) {
        let first = (self.words.len() as u32, self.bits.len() as u32);
        self.words.resize(self.words.len() + usize::from(places), 0);
        self.bits.resize(self.bits.len() + usize::from(places.div_ceil(BITS)), 0);
        first
    }

    /// Strings the places of an empty slab together, from 0 on.
    pub(super) fn string(&mut self, slab: &mut Slab, places: u16) {
        let first = slab.words as usize;
        for (next, word) in (1..=places).zip(&mut self.words[first..first + usize::from(places)]) {
            *word = u32::from(if next == places { END } else { next });
        }
        slab.free = 0;
    }

    /// Takes the first place of the free list of a slab that has one.
    #[inline]
    pub(super) fn take(&mut self, slab: &mut Slab, object: u32) -> u16 {
        let index = slab.free;
        let word = &mut self.words[slab.words as usize + usize::from(index)];
        slab.free = std::mem::replace(word, object) as u16;
        self.bits[slab.bits as usize + usize::from(index / BITS)] |= 1 << (index % BITS);
        index
    }

    /// Puts a place in front of the free list.
    #[inline]
    pub(super) fn give(&mut self, slab: &mut Slab, index: u16) {
        let next = std::mem::replace(&mut slab.free, index);
        self.words[slab.words as usize + usize::from(index)] = next.into();
        self.bits[slab.bits as usize + usize::from(index / BITS)] &= !(1 << (index % BITS));
    }

    /// The object in a used place.
    pub(super) fn object(&self, slab: &Slab, index: u16) -> u32 {
        self.words[slab.words as usize + usize::from(index)]
    }

    /// The free places in the order of the free list.
    pub(super) fn free(&self, slab: &Slab) -> impl Iterator<Item = u16> + '_ {
        let known = |index: u16| (index != END).then_some(index);
        let first = slab.words as usize;
        std::iter::successors(known(slab.free), move |&index| {
            known(self.words[first + usize::from(index)] as u16)
        })
    }

    /// The used places, ascending.
    pub(super) fn used(&self, slab: &Slab, places: u16) -> impl Iterator<Item = u16> + '_ {
        let first = slab.bits as usize;
        let words = &self.bits[first..first + usize::from(places.div_ceil(BITS))];
        words.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| word as u16 * BITS + bits.trailing_zeros() as u16)
        })
    }

    /// Bytes of a copy.
    pub(super) fn memory_bytes(&self) -> usize {
        self.words.len() * size_of::<u32>() + self.bits.len() * size_of::<u64>()
    }
}
