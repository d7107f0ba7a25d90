//! What a request costs, and which objects cross a page border.

use crate::pool::MallocError;

use super::{Geometry, SizeClass};

/// Where the bytes go that an object takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Bytes requested.
    pub request: u32,
    /// Position of the class in [`Geometry::classes`].
    pub class: usize,
    /// Bytes of the handle in front of the object; none in a huge zspage, which keeps it outside.
    pub handle: u32,
    /// Bytes between the end of the data and the end of the object.
    pub rounding: u32,
    /// The object's share of the bytes behind the last object of its zspage.
    pub tail: f64,
}

impl Cost {
    /// Bytes lost: all but those requested.
    pub fn lost(&self) -> f64 {
        f64::from(self.handle) + f64::from(self.rounding) + self.tail
    }

    /// Bytes paid: the object's share of its zspage.
    pub fn paid(&self) -> f64 {
        f64::from(self.request) + self.lost()
    }
}

impl Geometry {
    /// What a request costs.
    ///
    /// # Errors
    /// The request is 0 or above a page.
    pub fn cost(&self, request: u32) -> Result<Cost, MallocError> {
        let position = self.class_of(request)?;
        let class = &self.classes()[position];
        let handle = if class.huge { 0 } else { self.constants().handle_bytes };
        Ok(Cost {
            request,
            class: position,
            handle,
            rounding: class.size - handle - request,
            tail: f64::from(class.waste) / f64::from(class.objects),
        })
    }
}

impl SizeClass {
    /// Objects of a zspage that lie in two pages.
    pub fn crossing(&self, page_bytes: u32) -> u16 {
        // Every border inside the zspage lies in an object or between two, since no object is larger than a page
        // and fewer bytes are left over than an object has. A border between two is a multiple of both sizes.
        let borders = self.pages.saturating_sub(1);
        let between = self.size >> self.size.trailing_zeros().min(page_bytes.trailing_zeros());
        borders - (u32::from(borders) / between.max(1)) as u16
    }

    /// True if object `index` lies in two pages.
    pub fn crosses(&self, index: u16, page_bytes: u32) -> bool {
        let start = u32::from(index) * self.size;
        start / page_bytes != (start + self.size - 1) / page_bytes
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::zsmalloc::{Config, Era, Geometry};

    #[test]
    fn a_request_of_1568_bytes_at_4_pages() {
        let config = Config { max_pages: 4, ..Config::default_for(Era::V6_12) };
        let geometry = Geometry::new(&config).unwrap();
        let cost = geometry.cost(1568).unwrap();
        let class = geometry.classes()[cost.class];
        assert_eq!((class.size, class.pages, class.objects), (1632, 2, 5));
        assert_eq!((cost.handle, cost.rounding), (8, 56));
        assert!((cost.paid() - 1638.4).abs() < 1e-9);
        assert_eq!(class.crossing(4096), 1);
        let huge = geometry.cost(4000).unwrap();
        assert_eq!((huge.handle, huge.rounding, huge.lost()), (0, 96, 96.0));
    }

    #[test]
    fn every_request_pays_its_share_of_a_zspage() {
        for page_shift in [12, 14, 16] {
            let geometry = Geometry::new(&Config { page_shift, ..Config::default_for(Era::V6_12) }).unwrap();
            for request in 1..=geometry.config().page_bytes() {
                let cost = geometry.cost(request).unwrap();
                let class = geometry.classes()[cost.class];
                let share = f64::from(u32::from(class.pages) << page_shift) / f64::from(class.objects);
                assert!((cost.paid() - share).abs() < 1e-6, "{request}");
            }
        }
    }

    #[test]
    fn crossing_objects_are_counted_without_looking_at_each() {
        for page_shift in [12, 14, 16] {
            for (era, max_pages) in [(Era::V6_12, 16), (Era::V6_12, 5), (Era::V4_5, 7)] {
                let config = Config { page_shift, max_pages, ..Config::default_for(era) };
                for class in crate::zsmalloc::size_classes(&config).unwrap() {
                    let page = config.page_bytes();
                    let each = (0..class.objects).filter(|&index| class.crosses(index, page)).count();
                    assert_eq!(usize::from(class.crossing(page)), each, "{class:?}");
                }
            }
        }
    }
}
