//! Where a store's bytes go, per object.

use slabscope_core::packing::Packing;
use slabscope_core::pool::{ClassTotals, Totals};

use super::backends::Backend;

/// Bytes per object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waste {
    /// All pages, divided by the objects.
    pub(super) total: f64,
    /// The handle that zsmalloc keeps in front of an object.
    pub(super) handle: f64,
    /// From the end of the object to the end of its slot.
    pub(super) rounding: f64,
    /// The block's header, and what is behind the last slot of a block or zspage.
    pub(super) tail: f64,
    /// Slots without an object.
    pub(super) empty: f64,
}

/// What is known of a class.
struct Part {
    size: u32,
    objects_per_span: u32,
    pages: u32,
    spans: u64,
    objects: u64,
}

impl Waste {
    fn new(backend: &Backend, page: u32, parts: impl Iterator<Item = Part>, requested: u64) -> Self {
        let (mut sums, mut objects, mut slots) = (Self::default(), 0u64, 0.0);
        for part in parts {
            let span = f64::from(part.pages) * f64::from(page);
            let used = f64::from(part.objects_per_span) * f64::from(part.size);
            let free = part.spans * u64::from(part.objects_per_span) - part.objects;
            objects += part.objects;
            slots += part.objects as f64 * f64::from(part.size);
            sums.total += part.spans as f64 * span;
            sums.tail += part.spans as f64 * (span - used);
            sums.empty += free as f64 * f64::from(part.size);
            let handle = backend.handle_bytes(part.objects_per_span, part.pages);
            sums.handle += part.objects as f64 * f64::from(handle);
        }
        sums.rounding = slots - sums.handle - requested as f64;
        let each = |sum: f64| sum / objects.max(1) as f64;
        Self {
            total: each(sums.total),
            handle: each(sums.handle),
            rounding: each(sums.rounding),
            tail: each(sums.tail),
            empty: each(sums.empty),
        }
    }

    /// Of objects that are packed without a gap.
    pub(super) fn packed(backend: &Backend, page: u32, packing: &Packing) -> Self {
        let requested = packing.classes.iter().map(|share| share.requested).sum();
        let parts = packing.classes.iter().map(|share| Part {
            size: share.unit.size,
            objects_per_span: share.unit.objects,
            pages: share.unit.pages,
            spans: share.units(),
            objects: share.objects,
        });
        Self::new(backend, page, parts, requested)
    }

    /// Of a pool as it is.
    pub(super) fn of_pool(backend: &Backend, page: u32, classes: &[ClassTotals], totals: &Totals) -> Self {
        let parts = classes.iter().map(|class| Part {
            size: class.size,
            objects_per_span: class.objects_per_span.into(),
            pages: class.pages_per_span.into(),
            spans: class.spans.into(),
            objects: class.objects,
        });
        Self::new(backend, page, parts, totals.bytes)
    }

    /// What is not the object's own bytes.
    pub(super) fn parts(&self) -> [f64; 4] {
        [self.handle, self.rounding, self.tail, self.empty]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_data_are_the_whole() {
        for page_shift in [12, 14] {
            for backend in Backend::all(page_shift) {
                let packing = Packing::new(&backend, [(100, 7), (1000, 3), (4000, 2)]);
                let waste = Waste::packed(&backend, 1 << page_shift, &packing);
                let data = (700.0 + 3000.0 + 8000.0) / 12.0;
                let sum = data + waste.parts().iter().sum::<f64>();
                assert!((sum - waste.total).abs() < 1e-6, "{sum} of {}", waste.total);
                assert!(waste.parts().iter().all(|&part| part >= 0.0), "{waste:?}");
            }
        }
    }
}
