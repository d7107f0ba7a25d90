//! Which slots of a block are used, and by which object.

use super::Block;

/// Bits of a word of a bitmap.
const BITS: u16 = u64::BITS as u16;

/// The slots of all blocks: a bitmap as in a block's header, and the object of each slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    objects: Vec<u32>,
    bits: Vec<u64>,
}

impl Slots {
    /// Makes room for a block: its first word of objects and of bits.
    pub(super) fn reserve(&mut self, slots: u16) -> (u32, u32) {
        let first = (self.objects.len() as u32, self.bits.len() as u32);
        self.objects.resize(self.objects.len() + usize::from(slots), 0);
        self.bits.resize(self.bits.len() + usize::from(slots.div_ceil(BITS)), 0);
        first
    }

    /// Takes the lowest free slot of a block that has one.
    #[inline]
    pub(super) fn take_lowest(&mut self, block: &Block, object: u32) -> u16 {
        let mut word = 0;
        while self.bits[block.bits as usize + word] == u64::MAX {
            word += 1;
        }
        let bits = &mut self.bits[block.bits as usize + word];
        let bit = bits.trailing_ones();
        *bits |= 1 << bit;
        let index = word as u16 * BITS + bit as u16;
        self.objects[block.objects as usize + usize::from(index)] = object;
        index
    }

    #[inline]
    pub(super) fn clear(&mut self, block: &Block, index: u16) {
        self.bits[block.bits as usize + usize::from(index / BITS)] &= !(1 << (index % BITS));
    }

    pub(super) fn object(&self, block: &Block, index: u16) -> u32 {
        self.objects[block.objects as usize + usize::from(index)]
    }

    /// The words of a block's bitmap, lowest first.
    pub(super) fn words(&self, block: &Block, slots: u16) -> &[u64] {
        let first = block.bits as usize;
        &self.bits[first..first + usize::from(slots.div_ceil(BITS))]
    }

    /// The used slots, ascending.
    pub(super) fn used(&self, block: &Block, slots: u16) -> impl Iterator<Item = u16> + '_ {
        self.words(block, slots).iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| word as u16 * BITS + bits.trailing_zeros() as u16)
        })
    }

    /// Bytes of a copy.
    pub(super) fn memory_bytes(&self) -> usize {
        self.objects.len() * size_of::<u32>() + self.bits.len() * size_of::<u64>()
    }
}
