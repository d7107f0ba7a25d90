//! Perfect packing: the pages that objects need when every zspage or block but the last of its class is full.

use crate::pool::MallocError;
use crate::{zblock, zsmalloc};

/// What one zspage or block of a class holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Bytes of a place, handle included where the allocator keeps it there.
    pub size: u32,
    /// Objects.
    pub objects: u32,
    /// Pages.
    pub pages: u32,
}

/// A geometry that says which class an object of a size goes to.
pub trait Places {
    /// Bytes of a page.
    fn page_bytes(&self) -> u32;

    /// The classes, smallest first.
    fn units(&self) -> Vec<Unit>;

    /// Position in [`Self::units`] of the class that serves a request of so many bytes.
    ///
    /// # Errors
    /// No class serves it.
    fn place(&self, request: u32) -> Result<usize, MallocError>;
}

impl Places for zsmalloc::Geometry {
    fn page_bytes(&self) -> u32 {
        self.config().page_bytes()
    }

    fn units(&self) -> Vec<Unit> {
        let unit = |class: &zsmalloc::SizeClass| Unit {
            size: class.size,
            objects: class.objects.into(),
            pages: class.pages.into(),
        };
        self.classes().iter().map(unit).collect()
    }

    fn place(&self, request: u32) -> Result<usize, MallocError> {
        self.class_of(request)
    }
}

impl Places for zblock::Geometry {
    fn page_bytes(&self) -> u32 {
        self.config().page_bytes()
    }

    fn units(&self) -> Vec<Unit> {
        let unit = |kind: &zblock::BlockType| Unit {
            size: kind.slot_size,
            objects: kind.slots.into(),
            pages: kind.pages.into(),
        };
        self.types().iter().map(unit).collect()
    }

    fn place(&self, request: u32) -> Result<usize, MallocError> {
        self.type_of(request).map(usize::from)
    }
}

/// Objects of one class, packed without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What a zspage or block of the class holds.
    pub unit: Unit,
    /// Objects in it.
    pub objects: u64,
    /// Bytes that were asked for.
    pub requested: u64,
}

impl Share {
    /// Zspages or blocks: `ceil(objects / objects of one)`.
    pub fn units(&self) -> u64 {
        self.objects.div_ceil(u64::from(self.unit.objects).max(1))
    }

    /// Pages of those.
    pub fn pages(&self) -> u64 {
        self.units().saturating_mul(self.unit.pages.into())
    }

    /// True if the last zspage or block has room left.
    pub fn is_partial(&self) -> bool {
        !self.objects.is_multiple_of(u64::from(self.unit.objects).max(1))
    }
}

/// A set of objects, packed without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// One per class, smallest first; classes without objects too.
    pub classes: Vec<Share>,
    /// Objects that no class serves.
    pub refused: u64,
    /// Bytes of those.
    pub refused_bytes: u64,
}

impl Packing {
    /// Packs `(bytes, objects)` pairs. Sums stop at the largest number instead of wrapping.
    pub fn new<P: Places>(geometry: &P, sizes: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let classes = geometry.units().into_iter();
        let mut packing = Self {
            classes: classes.map(|unit| Share { unit, objects: 0, requested: 0 }).collect(),
            refused: 0,
            refused_bytes: 0,
        };
        for (request, objects) in sizes {
            let requested = u64::from(request).saturating_mul(objects);
            let place = geometry.place(request).ok();
            match place.and_then(|position| packing.classes.get_mut(position)) {
                Some(share) => {
                    share.objects = share.objects.saturating_add(objects);
                    share.requested = share.requested.saturating_add(requested);
                }
                None => {
                    packing.refused = packing.refused.saturating_add(objects);
                    packing.refused_bytes = packing.refused_bytes.saturating_add(requested);
                }
            }
        }
        packing
    }

    /// Pages of all classes.
    pub fn pages(&self) -> u64 {
        self.classes.iter().fold(0, |sum, share| sum.saturating_add(share.pages()))
    }

    /// Objects of all classes, without those refused.
    pub fn objects(&self) -> u64 {
        self.classes.iter().fold(0, |sum, share| sum.saturating_add(share.objects))
    }

    /// Classes whose last zspage or block has room left.
    pub fn partial(&self) -> usize {
        self.classes.iter().filter(|share| share.is_partial()).count()
    }

    /// The most pages that a single allocation asks for: those of the largest zspage or block in use.
    pub fn largest_demand(&self) -> u32 {
        let in_use = self.classes.iter().filter(|share| share.objects > 0);
        in_use.map(|share| share.unit.pages).max().unwrap_or(0)
    }
}

/// zbud and z3fold as reference lines, which keep at most so many whole objects in a page: a lower bound
/// of their pages that ignores headers and the rounding to chunks.
pub fn whole_objects_bound(per_page: u32, page_bytes: u32, objects: u64, bytes: u64) -> u64 {
    objects.div_ceil(u64::from(per_page).max(1)).max(bytes.div_ceil(u64::from(page_bytes).max(1)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_last_zspage_of_a_class_counts_whole() {
        let geometry = zsmalloc::Geometry::new(&zsmalloc::Config::default_for(zsmalloc::Era::V6_12)).unwrap();
        // Class 1632 holds 5 objects in 2 pages.
        let packing = Packing::new(&geometry, [(1620, 6), (4097, 2), (0, 1)]);
        assert_eq!((packing.pages(), packing.objects(), packing.partial()), (4, 6, 1));
        assert_eq!((packing.refused, packing.refused_bytes, packing.largest_demand()), (3, 8194, 2));
        assert_eq!(Packing::new(&geometry, [(1620, u64::MAX), (1624, 9)]).objects(), u64::MAX);
    }

    #[test]
    fn reference_lines_are_bound_by_objects_or_by_bytes() {
        assert_eq!(whole_objects_bound(2, 4096, 5, 500), 3);
        assert_eq!(whole_objects_bound(3, 4096, 3, 9000), 3);
        assert_eq!(whole_objects_bound(3, 4096, 6, 12_289), 4);
    }
}
