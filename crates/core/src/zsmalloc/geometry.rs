//! Size classes: how many pages a zspage of each gets, and which merge.

use crate::pool::MallocError;

use super::{Chain, Config, ConfigError, Constants};

/// A size class as the kernel makes it: all nominal sizes that have the same pages and objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeClass {
    /// Index, that of its largest nominal size, as the kernel prints it.
    pub index: u16,
    /// Bytes of an object, handle included.
    pub size: u32,
    /// Pages of a zspage.
    pub pages: u16,
    /// Objects of a zspage.
    pub objects: u16,
    /// True for one object in one page: its handle lies outside.
    pub huge: bool,
    /// Bytes of a zspage behind its last object.
    pub waste: u32,
    /// Index of the smallest nominal size that merged into it.
    pub lowest_index: u16,
}

/// One number of pages a zspage could have for an object size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Pages.
    pub pages: u16,
    /// Objects that fit.
    pub objects: u32,
    /// Bytes left over.
    pub waste: u32,
    /// Whole percent in use, as the rule up to 6.2 computes it.
    pub used_percent: u32,
    /// True for the one the kernel takes.
    pub chosen: bool,
    /// False above the configuration's max pages.
    pub allowed: bool,
}

/// The distinct classes of a configuration, smallest first, without the look-up of a [`Geometry`]: for sweeps
/// over many configurations.
///
/// # Errors
/// The configuration is impossible.
pub fn size_classes(config: &Config) -> Result<Vec<SizeClass>, ConfigError> {
    Ok(make_classes(config, &Constants::new(config)?))
}

/// From the largest down, because a size merges only into the class above it.
fn make_classes(config: &Config, constants: &Constants) -> Vec<SizeClass> {
    let mut classes: Vec<SizeClass> = Vec::with_capacity(constants.size_classes.into());
    for index in (0..constants.size_classes).rev() {
        let size = constants.nominal(index);
        let Zspage { pages, objects, waste } = zspage_of(config, size);
        let objects = objects as u16;
        match classes.last_mut() {
            Some(above) if (above.pages, above.objects) == (pages, objects) => above.lowest_index = index,
            _ => classes.push(SizeClass {
                index,
                size,
                pages,
                objects,
                huge: pages == 1 && objects == 1,
                waste,
                lowest_index: index,
            }),
        }
    }
    classes.reverse();
    classes
}

/// The size classes of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    config: Config,
    constants: Constants,
    classes: Vec<SizeClass>,
    /// Position in `classes` for every eight bytes of a request above the smallest size.
    position_of_step: Vec<u16>,
    /// Position in `classes` of every class index.
    position_of_index: Vec<u16>,
}

impl Geometry {
    /// Builds the class table.
    ///
    /// # Errors
    /// The configuration is impossible.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        let constants = Constants::new(config)?;
        let classes = make_classes(config, &constants);
        let indices = classes
            .iter()
            .enumerate()
            .flat_map(|(position, class)| (class.lowest_index..=class.index).map(move |_| position as u16));
        let position_of_index: Vec<u16> = indices.collect();
        let position_of_step = steps(&constants, &classes);
        Ok(Self { config: *config, constants, classes, position_of_index, position_of_step })
    }

    /// What it was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The constants.
    pub fn constants(&self) -> &Constants {
        &self.constants
    }

    /// The distinct classes, smallest first.
    pub fn classes(&self) -> &[SizeClass] {
        &self.classes
    }

    /// Position in [`Self::classes`] of the class that a class index, merged or not, refers to.
    pub fn position_of_index(&self, index: u16) -> Option<usize> {
        self.position_of_index.get(usize::from(index)).map(|&position| usize::from(position))
    }

    /// Position in [`Self::classes`] of the class that serves a request. The handle is added to every
    /// request, also to those that end in the huge class.
    ///
    /// # Errors
    /// The request is 0 or above a page.
    #[inline]
    pub fn class_of(&self, request: u32) -> Result<usize, MallocError> {
        let Constants { handle_bytes, min_alloc, max_alloc, .. } = self.constants;
        if request == 0 {
            return Err(MallocError::ZeroSize);
        }
        let above_min = request.saturating_add(handle_bytes).saturating_sub(min_alloc);
        match self.position_of_step.get(above_min.div_ceil(STEP) as usize) {
            Some(&position) if request <= max_alloc => Ok(usize::from(position)),
            _ => Err(MallocError::TooLarge { max: max_alloc }),
        }
    }

    /// Class index that a request has before merging.
    ///
    /// # Errors
    /// The request is 0 or above a page.
    pub fn index_of_request(&self, request: u32) -> Result<u16, MallocError> {
        self.class_of(request)?;
        Ok(index_of(&self.constants, request) as u16)
    }

    /// Nominal size of a class index, before merging.
    pub fn nominal(&self, index: u16) -> u32 {
        self.constants.nominal(index)
    }

    /// The smallest and largest request that a class serves; `None` if none does.
    pub fn requests(&self, position: usize) -> Option<(u32, u32)> {
        // Up to the size of a class, less the handle; what is left above the largest has no other.
        let last = |position: usize| {
            let class = self.classes.get(position)?;
            let is_largest = position + 1 == self.classes.len();
            Some(if is_largest {
                self.constants.max_alloc
            } else {
                class.size.saturating_sub(self.constants.handle_bytes)
            })
        };
        let to = last(position)?;
        let from = position.checked_sub(1).and_then(last).unwrap_or(0) + 1;
        (from <= to).then_some((from, to))
    }

    /// Every number of pages up to `up_to` for an object size, handle included, and which one wins.
    pub fn candidates(&self, size: u32, up_to: u8) -> Vec<Candidate> {
        let page = self.config.page_bytes();
        let chosen = zspage_of(&self.config, size).pages;
        (1..=u16::from(up_to))
            .map(|pages| {
                let bytes = u32::from(pages) * page;
                let objects = bytes / size.max(1);
                let waste = bytes - objects * size;
                Candidate {
                    pages,
                    objects,
                    waste,
                    used_percent: used_percent(bytes, waste),
                    chosen: pages == chosen,
                    allowed: pages <= u16::from(self.config.max_pages),
                }
            })
            .collect()
    }

    /// `huge_class_size`: requests from here on take a whole page. 0 where the kernel finds none
    /// (one page per zspage).
    pub fn huge_class_size(&self) -> u32 {
        (0..self.constants.size_classes)
            .rev()
            .map(|index| self.nominal(index))
            .find(|&size| {
                let zspage = zspage_of(&self.config, size);
                zspage.pages != 1 && zspage.objects != 1
            })
            .map_or(0, |size| size - (self.constants.handle_bytes - 1))
    }

    /// The smallest nominal size that merged into the huge class, if there is one.
    pub fn huge_low_nominal(&self) -> Option<u32> {
        self.classes.last().filter(|class| class.huge).map(|class| self.nominal(class.lowest_index))
    }
}

fn index_of(constants: &Constants, request: u32) -> usize {
    let size = request + constants.handle_bytes;
    let index = size.saturating_sub(constants.min_alloc).div_ceil(constants.class_delta);
    index.min(u32::from(constants.size_classes) - 1) as usize
}

/// Class sizes are this many bytes apart, or a multiple of it: the look-up of a request needs a table
/// of steps, not one of bytes, and stays in the nearest cache.
const STEP: u32 = 8;

fn steps(constants: &Constants, classes: &[SizeClass]) -> Vec<u16> {
    let largest = constants.max_alloc + constants.handle_bytes - constants.min_alloc;
    let count = largest.div_ceil(STEP) as usize + 1;
    let mut steps = Vec::with_capacity(count);
    for (position, class) in classes.iter().enumerate() {
        // What is above the largest class has no other.
        let is_last = position + 1 == classes.len();
        let up_to = (u32::from(class.index) * constants.class_delta / STEP) as usize + 1;
        steps.resize(if is_last { count } else { up_to.min(count) }, position as u16);
    }
    steps
}

fn used_percent(bytes: u32, waste: u32) -> u32 {
    (u64::from(bytes - waste) * 100 / u64::from(bytes)) as u32
}

/// A number of pages and what it holds.
#[derive(Clone, Copy)]
struct Zspage {
    pages: u16,
    objects: u32,
    waste: u32,
}

/// The zspage for a nominal size. Up to 6.2 the first number of pages with the largest used percentage, from 6.3
/// the first with the fewest bytes left over, and 1 for a power of two.
///
/// Sweeps build hundreds of tables: each number of pages follows from the one before without a division, and
/// none is tried after one that leaves nothing over.
fn zspage_of(config: &Config, size: u32) -> Zspage {
    let (page, size) = (config.page_bytes(), size.max(1));
    let one = Zspage { pages: 1, objects: page / size, waste: page % size };
    let chain = config.era.rules().chain;
    let last = match chain {
        Chain::LeastWaste if size.is_power_of_two() => 1,
        Chain::LeastWaste | Chain::UsedPercent => u16::from(config.max_pages),
    };
    let (mut best, mut next) = (one, one);
    let mut best_percent = used_percent(page, one.waste);
    while next.pages < last && best.waste > 0 {
        next.pages += 1;
        next.objects += one.objects;
        next.waste += one.waste;
        if next.waste >= size {
            next.waste -= size;
            next.objects += 1;
        }
        match chain {
            Chain::LeastWaste if next.waste < best.waste => best = next,
            Chain::LeastWaste => {}
            Chain::UsedPercent => {
                let bytes = u32::from(next.pages) * page;
                // A percentage above the best, without rounding it.
                if u64::from(bytes - next.waste) * 100 >= u64::from(best_percent + 1) * u64::from(bytes) {
                    (best, best_percent) = (next, used_percent(bytes, next.waste));
                }
            }
        }
    }
    best
}
