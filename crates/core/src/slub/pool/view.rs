//! Slabs and places as a picture, an inspector or a report wants them.

use crate::pool::{ClassTotals, ObjectId, SlotView, SpanId, SpanView};
use crate::slub::Cache;

use super::{CPU, CPU_PARTIAL, EMPTY, FREE_RECORD, GROUPS, NODE, PARTIAL, Pool};

impl Pool {
    /// True if a group is on a list of the kernel's. The empty and the partly used slabs of the node share one.
    pub fn keeps_list(&self, group: u8) -> bool {
        matches!(group, EMPTY | PARTIAL | CPU_PARTIAL)
    }

    /// The node's list of a cache, empty and partly used slabs as they come, head first.
    pub fn node_list(&self, cache: u16) -> Vec<SpanView> {
        if usize::from(cache) >= self.caches.len() {
            return Vec::new();
        }
        self.lists.keys(cache, NODE).map(|key| self.view(key)).collect()
    }

    pub(super) fn view(&self, key: u32) -> SpanView {
        let slab = &self.slabs[key as usize];
        let cache = &self.caches[usize::from(slab.cache)];
        SpanView {
            id: SpanId(slab.id),
            key,
            class: slab.cache,
            group: slab.group,
            used: slab.used,
            capacity: cache.objects,
            pages: cache.pages,
            born: slab.born,
        }
    }

    pub(super) fn list_of(&self, cache: u16, group: u8) -> Vec<SpanView> {
        if usize::from(cache) >= self.caches.len() || usize::from(group) >= GROUPS {
            return Vec::new();
        }
        if self.keeps_list(group) {
            let list = if group == CPU_PARTIAL { CPU } else { NODE };
            let views = self.lists.keys(cache, list).map(|key| self.view(key));
            return views.filter(|slab| slab.group == group).collect();
        }
        let mut list = Vec::new();
        for (key, slab) in self.slabs.iter().enumerate() {
            if slab.group == group && slab.cache == cache {
                list.push(self.view(key as u32));
            }
        }
        crate::pool::sort_by_number(&mut list);
        list
    }

    pub(super) fn slots_of(&self, key: u32) -> Vec<SlotView> {
        let Some(slab) = self.slabs.get(key as usize).filter(|slab| slab.group != FREE_RECORD) else {
            return Vec::new();
        };
        let places = self.caches[usize::from(slab.cache)].objects;
        let mut slots = vec![SlotView::Free { next: None }; usize::from(places)];
        for index in self.slots.used(slab, places) {
            let object = ObjectId(self.slots.object(slab, index));
            if let Some(record) = self.objects.get(object) {
                slots[usize::from(index)] = SlotView::Used { object, size: record.size(), born: record.born };
            }
        }
        for (next, index) in self.slots.free(slab).enumerate() {
            slots[usize::from(index)] = SlotView::Free { next: Some(next as u16) };
        }
        slots
    }

    pub(super) fn cache_totals(&self) -> Vec<ClassTotals> {
        let row = |(cache, state): (&Cache, &super::State)| ClassTotals {
            class: cache.index,
            size: cache.size,
            pages_per_span: cache.pages,
            objects_per_span: cache.objects,
            spans: state.slabs,
            capacity: u64::from(state.slabs) * u64::from(cache.objects),
            objects: state.used,
            freeable_pages: u64::from(state.empty) * u64::from(cache.pages),
        };
        self.geometry.caches().iter().zip(&self.caches).map(row).collect()
    }
}
