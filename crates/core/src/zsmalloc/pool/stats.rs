//! What the kernel's files say about a pool.

use crate::pool::ClassTotals;

use super::Pool;
use crate::zsmalloc::SizeClass;

/// A row of the debugfs `classes` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassStats {
    /// The class.
    pub class: SizeClass,
    /// Zspages of each group, emptiest first.
    pub groups: Vec<u32>,
    /// Objects that fit the zspages held.
    pub obj_allocated: u64,
    /// Objects live.
    pub obj_used: u64,
    /// Pages held.
    pub pages_used: u64,
    /// Pages that compaction could return.
    pub freeable: u64,
}

impl Pool {
    /// A row for each class, smallest first, unused ones included.
    pub fn class_stats(&self) -> Vec<ClassStats> {
        let groups = self.plan.groups.names().len();
        let table = self.plan.geometry.classes().iter().zip(&self.classes);
        table
            .map(|(&class, state)| ClassStats {
                class,
                groups: state.counts.iter().copied().take(groups).collect(),
                obj_allocated: state.capacity(),
                obj_used: u64::from(state.used),
                pages_used: u64::from(state.zspages) * u64::from(class.pages),
                freeable: state.gain() * u64::from(class.pages),
            })
            .collect()
    }

    /// Pages that compaction has returned so far; stays 0 in 4.2, which does not count them.
    pub fn pages_compacted(&self) -> u64 {
        self.pages_compacted
    }

    /// Pages that compaction could return now.
    pub fn freeable_pages(&self) -> u64 {
        (0..self.classes.len()).map(|position| self.class_totals(position).freeable_pages).sum()
    }

    pub(super) fn class_totals(&self, position: usize) -> ClassTotals {
        let class = &self.plan.geometry.classes()[position];
        let state = &self.classes[position];
        ClassTotals {
            class: class.index,
            size: class.size,
            pages_per_span: class.pages,
            objects_per_span: class.objects,
            spans: state.zspages,
            capacity: state.capacity(),
            objects: u64::from(state.used),
            freeable_pages: state.gain() * u64::from(class.pages),
        }
    }
}
