//! What a setting does with a size: one rung for each class, smallest first.

use super::{Impossible, Setting};
use crate::packing::Unit;
use crate::{zblock, zsmalloc};

/// A class or block type and the largest request that it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The largest request in bytes. The smallest is one above that of the rung before.
    pub up_to: u32,
    /// What one zspage or block holds.
    pub unit: Unit,
    /// Objects of a full zspage that lie in two pages, which a reader has to join. 0 where pages are mapped side
    /// by side.
    pub crossing: u32,
}

/// The classes of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The setting.
    pub setting: Setting,
    /// Its rungs. The last serves whatever the others do not, and gives each object a page: zsmalloc's huge class,
    /// or a page outside for what zblock refuses.
    pub rungs: Vec<Rung>,
}

impl Ladder {
    /// Builds it.
    ///
    /// # Errors
    /// The setting does not exist.
    pub fn new(setting: &Setting) -> Result<Self, Impossible> {
        let rungs = match setting {
            Setting::Zsmalloc(config) => chains(config)?,
            Setting::Zblock(config) => blocks(config)?,
        };
        Ok(Self { setting: *setting, rungs })
    }

    /// The smallest request that takes a whole page.
    pub fn whole_page_from(&self) -> u32 {
        let below = self.rungs.len().checked_sub(2).and_then(|index| self.rungs.get(index));
        below.map_or(1, |rung| rung.up_to.saturating_add(1))
    }

    /// True if what takes a whole page is none of the allocator's objects.
    pub const fn refuses(&self) -> bool {
        matches!(self.setting, Setting::Zblock(_))
    }
}

fn chains(config: &zsmalloc::Config) -> Result<Vec<Rung>, Impossible> {
    let classes = zsmalloc::size_classes(config).map_err(Impossible::Zsmalloc)?;
    let (page, handle) = (config.page_bytes(), config.bits.handle_bytes());
    let rung = |class: &zsmalloc::SizeClass| Rung {
        up_to: class.size.saturating_sub(handle),
        unit: Unit { size: class.size, objects: class.objects.into(), pages: class.pages.into() },
        crossing: class.crossing(page).into(),
    };
    let mut rungs: Vec<Rung> = classes.iter().map(rung).collect();
    // The largest class is a page, which the handle of its object stays out of.
    if let Some(last) = rungs.last_mut() {
        last.up_to = u32::MAX;
    }
    Ok(rungs)
}

fn blocks(config: &zblock::Config) -> Result<Vec<Rung>, Impossible> {
    let geometry = zblock::Geometry::new(config).map_err(Impossible::Zblock)?;
    let rung = |kind: &zblock::BlockType| Rung {
        up_to: kind.max_size,
        unit: Unit { size: kind.slot_size, objects: kind.slots.into(), pages: kind.pages.into() },
        crossing: 0,
    };
    let page = Unit { size: config.page_bytes(), objects: 1, pages: 1 };
    let outside = Rung { up_to: u32::MAX, unit: page, crossing: 0 };
    Ok(geometry.types().iter().map(rung).chain([outside]).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::packing::Places as _;

    fn check<P: crate::packing::Places>(ladder: &Ladder, geometry: &P) {
        let units = geometry.units();
        for request in 1..=ladder.setting.page_bytes() {
            let rung = ladder.rungs.iter().find(|rung| rung.up_to >= request).unwrap();
            match geometry.place(request) {
                Ok(position) => assert_eq!(rung.unit, units[position], "{request}"),
                Err(_) => assert!(ladder.refuses() && request >= ladder.whole_page_from(), "{request}"),
            }
        }
    }

    #[test]
    fn rungs_are_the_classes_of_the_models() {
        for era in [zsmalloc::Era::V4_5, zsmalloc::Era::V6_12] {
            for (page_shift, max_pages) in [(12, 1), (12, 4), (12, 8), (14, 6), (16, 16)] {
                let config = zsmalloc::Config { page_shift, max_pages, ..zsmalloc::Config::default_for(era) };
                let ladder = Ladder::new(&Setting::Zsmalloc(config)).unwrap();
                check(&ladder, &zsmalloc::Geometry::new(&config).unwrap());
            }
        }
        for version in zblock::Version::ALL {
            for page_shift in [12, 14] {
                let config = zblock::Config { version, page_shift };
                let ladder = Ladder::new(&Setting::Zblock(config)).unwrap();
                check(&ladder, &zblock::Geometry::new(&config).unwrap());
            }
        }
    }

    #[test]
    fn a_whole_page_is_taken_from_the_huge_limit_on() {
        for (max_pages, from) in [(4, 3257), (5, 3401), (8, 3625), (16, 3833)] {
            let config = zsmalloc::Config { max_pages, ..zsmalloc::Config::default_for(Default::default()) };
            let geometry = zsmalloc::Geometry::new(&config).unwrap();
            let ladder = Ladder::new(&Setting::Zsmalloc(config)).unwrap();
            assert_eq!((ladder.whole_page_from(), geometry.huge_class_size()), (from, from));
            assert_eq!(geometry.page_bytes(), 4096);
        }
        let zblock = Ladder::new(&Setting::Zblock(zblock::Config::default())).unwrap();
        assert_eq!(zblock.whole_page_from(), 4080);
        let bad = Setting::Zblock(zblock::Config { page_shift: 13, ..Default::default() });
        assert!(matches!(Ladder::new(&bad), Err(Impossible::Zblock(_))));
    }
}
