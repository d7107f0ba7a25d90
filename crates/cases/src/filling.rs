//! A store to which objects are only added, counted as it grows.

use slabscope_core::packing::Places;

/// What a geometry needs for the objects so far: zspages or blocks are filled before new ones are made.
#[derive(Clone)]
pub(crate) struct Filling<'a, P> {
    geometry: &'a P,
    /// Objects and pages of a zspage or block, and free places of the last one, by class.
    classes: Vec<(u32, u32, u32)>,
    pages: u64,
}

impl<'a, P: Places> Filling<'a, P> {
    pub(crate) fn new(geometry: &'a P) -> Self {
        let classes = geometry.units().into_iter().map(|unit| (unit.objects, unit.pages, 0)).collect();
        Self { geometry, classes, pages: 0 }
    }

    /// Adds an object; false if no class serves its size.
    pub(crate) fn add(&mut self, size: u32) -> bool {
        let class = self.geometry.place(size).ok().and_then(|position| self.classes.get_mut(position));
        let Some((objects, pages, free)) = class else { return false };
        if *free == 0 {
            *free = *objects;
            self.pages += u64::from(*pages);
        }
        *free -= 1;
        true
    }

    /// Pages so far.
    pub(crate) fn pages(&self) -> u64 {
        self.pages
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::packing::Packing;
    use slabscope_core::{zblock, zsmalloc};

    use super::*;

    #[test]
    fn what_grows_is_perfect_packing() {
        let zsmalloc = zsmalloc::Geometry::new(&zsmalloc::Config::default_for(zsmalloc::Era::V6_12)).unwrap();
        let zblock = zblock::Geometry::new(&zblock::Config::default()).unwrap();
        let (mut one, mut other) = (Filling::new(&zsmalloc), Filling::new(&zblock));
        let sizes: Vec<u32> = (1..4000).step_by(7).flat_map(|size| [size, size / 2 + 1]).collect();
        assert!(sizes.iter().all(|&size| one.add(size) && other.add(size)));
        let counts = || sizes.iter().map(|&size| (size, 1));
        assert_eq!(one.pages(), Packing::new(&zsmalloc, counts()).pages());
        assert_eq!(other.pages(), Packing::new(&zblock, counts()).pages());
        assert!(!other.add(4090) && one.add(4090));
    }
}
