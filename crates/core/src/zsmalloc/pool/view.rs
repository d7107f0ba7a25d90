//! Zspages and places as a picture or an inspector wants them.

use crate::pool::{ObjectId, SlotView, SpanId, SpanView};

use super::Pool;

impl Pool {
    pub(super) fn view(&self, key: u32) -> SpanView {
        let zspage = &self.zspages[key as usize];
        let class = &self.plan.geometry.classes()[usize::from(zspage.class)];
        SpanView {
            id: SpanId(zspage.id),
            key,
            class: class.index,
            group: zspage.group,
            used: zspage.inuse,
            capacity: class.objects,
            pages: class.pages,
            born: self.zspages_born[key as usize],
        }
    }

    pub(super) fn list_of(&self, class: u16, group: u8) -> Vec<SpanView> {
        let position = self.plan.geometry.position_of_index(class).unwrap_or(usize::MAX);
        if position >= self.classes.len() || usize::from(group) >= self.plan.groups.names().len() {
            return Vec::new();
        }
        let mut list: Vec<SpanView> =
            self.list_keys(position as u16, group).map(|key| self.view(key)).collect();
        if !self.keeps_list(group) {
            crate::pool::sort_by_number(&mut list);
        }
        list
    }

    pub(super) fn slots_of(&self, key: u32) -> Vec<SlotView> {
        let Some(zspage) = self.zspages.get(key as usize).filter(|zspage| zspage.inuse > 0) else {
            return Vec::new();
        };
        let capacity = self.objects_of(zspage.class);
        let mut slots = vec![SlotView::Free { next: None }; usize::from(capacity)];
        for (index, number) in self.slots.used(zspage, capacity) {
            let object = ObjectId(number);
            if let Some(record) = self.objects.get(object) {
                slots[usize::from(index)] = SlotView::Used { object, size: record.size(), born: record.born };
            }
        }
        for (next, index) in self.slots.free(zspage).enumerate() {
            slots[usize::from(index)] = SlotView::Free { next: Some(next as u16) };
        }
        slots
    }
}
