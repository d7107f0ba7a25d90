//! Blocks and slots as a picture, an inspector or a report wants them.

use crate::pool::{ClassTotals, ObjectId, SlotView, SpanId, SpanView};
use crate::ranked::{largest_first, rank};
use crate::zblock::{CacheRule, FullBlocks, Keeping};

use super::{Pool, SECOND};

impl Pool {
    /// The used cells of a type's cache with the block in each, ascending; empty in versions without caches.
    pub fn cache(&self, kind: u16) -> Vec<(u8, SpanId)> {
        let cells = self.caches.get(usize::from(kind)).into_iter().flat_map(|cache| cache.cells());
        cells.map(|(cell, key)| (cell, SpanId(self.blocks[key as usize].id))).collect()
    }

    /// The list that 2022 keeps of all blocks of a type, newest first; empty in other versions. Blocks enter at
    /// the head and are never moved, so that it is in the order of their numbers.
    pub fn creation_list(&self, kind: u16) -> Vec<SpanId> {
        if self.keeping != Keeping::Cache(CacheRule::AnyFree) {
            return Vec::new();
        }
        let mut list: Vec<SpanId> =
            self.blocks_of(kind).map(|key| SpanId(self.blocks[key as usize].id)).collect();
        rank(&mut list, |id| largest_first(id.0.into()));
        list
    }

    /// True if a group is a list of the kernel's; the others are what is left over.
    pub fn keeps_list(&self, group: u8) -> bool {
        match self.keeping {
            Keeping::Cache(_) => false,
            Keeping::HeadOnly | Keeping::Active { full: FullBlocks::List, .. } => true,
            Keeping::Active { full: FullBlocks::Unlisted, .. } => group != SECOND,
        }
    }

    /// The bitmap of a block: words of 64 bits, lowest first, bit set for a used slot. Empty for an unknown key.
    pub fn bitmap(&self, key: u32) -> &[u64] {
        self.blocks
            .get(key as usize)
            .map_or(&[], |block| self.slots.words(block, self.types[usize::from(block.kind)].slots))
    }

    fn blocks_of(&self, kind: u16) -> impl Iterator<Item = u32> + '_ {
        let all = self.blocks.iter().enumerate();
        all.filter(move |(_, block)| block.used > 0 && block.kind == kind).map(|(key, _)| key as u32)
    }

    pub(super) fn view(&self, key: u32) -> SpanView {
        let block = &self.blocks[key as usize];
        let state = &self.types[usize::from(block.kind)];
        SpanView {
            id: SpanId(block.id),
            key,
            class: block.kind,
            group: block.group,
            used: block.used,
            capacity: state.slots,
            pages: state.pages,
            born: block.born,
        }
    }

    pub(super) fn list_of(&self, kind: u16, group: u8) -> Vec<SpanView> {
        if usize::from(kind) >= self.types.len() || group > SECOND {
            return Vec::new();
        }
        if self.keeps_list(group) {
            return self.lists.keys(kind, group).map(|key| self.view(key)).collect();
        }
        let members = self.blocks_of(kind).filter(|&key| self.blocks[key as usize].group == group);
        let mut list: Vec<SpanView> = members.map(|key| self.view(key)).collect();
        crate::pool::sort_by_number(&mut list);
        list
    }

    pub(super) fn slots_of(&self, key: u32) -> Vec<SlotView> {
        let Some(block) = self.blocks.get(key as usize).filter(|block| block.used > 0) else {
            return Vec::new();
        };
        let capacity = self.types[usize::from(block.kind)].slots;
        let mut slots = vec![SlotView::Free { next: None }; usize::from(capacity)];
        for index in self.slots.used(block, capacity) {
            let number = self.slots.object(block, index);
            let object = ObjectId(number);
            if let Some(record) = self.objects.get(object) {
                slots[usize::from(index)] = SlotView::Used { object, size: record.size(), born: record.born };
            }
        }
        // The lowest free slot is always handed out first.
        let free = slots.iter_mut().filter(|slot| matches!(slot, SlotView::Free { .. }));
        for (next, slot) in free.enumerate() {
            *slot = SlotView::Free { next: Some(next as u16) };
        }
        slots
    }

    pub(super) fn type_totals(&self) -> Vec<ClassTotals> {
        let row = |(kind, state): (&crate::zblock::BlockType, &super::Type)| ClassTotals {
            class: kind.index,
            size: kind.slot_size,
            pages_per_span: kind.pages,
            objects_per_span: kind.slots,
            spans: state.blocks,
            capacity: u64::from(state.blocks) * u64::from(state.slots),
            objects: state.used,
            freeable_pages: 0,
        };
        self.geometry.types().iter().zip(&self.types).map(row).collect()
    }
}
