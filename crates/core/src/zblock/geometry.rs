//! Block types: how many slots of which size each has.

use crate::pool::MallocError;

use super::{Config, ConfigError, Find, Rules, TableEnd};

/// A block type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockType {
    /// Index, from 0.
    pub index: u16,
    /// Bytes of a slot: `floor8(floor((pages * page - header) / slots))`.
    pub slot_size: u32,
    /// Slots of a block.
    pub slots: u16,
    /// Pages of a block.
    pub pages: u16,
    /// Bytes of a block behind its last slot.
    pub waste: u32,
    /// Smallest size that the look-up sends here.
    pub min_size: u32,
    /// Largest size that the look-up sends here.
    pub max_size: u32,
}

/// The block types of a combination of version and page size, whether or not it builds: the table that is in
/// the source. [`Geometry::new`] refuses what [`Config::check`] refuses.
///
/// # Errors
/// The page shift is not from 12 to 16, or the source has no table for it.
pub fn block_types(config: &Config) -> Result<Vec<BlockType>, ConfigError> {
    match config.check() {
        Err(why @ (ConfigError::PageShift(0..12 | 17..) | ConfigError::DoesNotCompile { .. })) => Err(why),
        _ => Ok(make_types(config)),
    }
}

fn make_types(config: &Config) -> Vec<BlockType> {
    let rules = config.rules();
    let (page, header) = (config.page_bytes(), config.header_bytes());
    let rows = if config.page_shift == 12 { rules.small } else { rules.large };
    let mut types: Vec<BlockType> = Vec::with_capacity(rows.len());
    for (index, &(slots, pages)) in rows.iter().enumerate() {
        let room = u32::from(pages) * page - header;
        let slot_size = room / u32::from(slots) / 8 * 8;
        let largest = match rules.find {
            Find::Linear | Find::LowerBound => slot_size,
            Find::Tree(_) => slot_size - 1,
        };
        types.push(BlockType {
            index: index as u16,
            slot_size,
            slots,
            pages,
            waste: room - u32::from(slots) * slot_size,
            min_size: types.last().map_or(1, |before| before.max_size + 1),
            max_size: largest.min(page),
        });
    }
    types
}

/// The block types of a configuration that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    config: Config,
    types: Vec<BlockType>,
    /// The look-up tree; not asked where the look-up is linear.
    pub(super) tree: super::tree::Tree,
}

impl Geometry {
    /// Builds the table of types.
    ///
    /// # Errors
    /// The configuration does not exist.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        config.check()?;
        let types = make_types(config);
        let tree = super::tree::Tree::ascending(types.len());
        Ok(Self { config: *config, types, tree })
    }

    /// What it was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the version does.
    pub fn rules(&self) -> &'static Rules {
        self.config.rules()
    }

    /// Bytes of a block in front of its first slot.
    pub fn header_bytes(&self) -> u32 {
        self.config.header_bytes()
    }

    /// The block types, smallest slot first.
    pub fn types(&self) -> &[BlockType] {
        &self.types
    }

    /// The largest size that gets a slot.
    pub fn max_size(&self) -> u32 {
        self.types.last().map_or(0, |last| last.max_size)
    }

    /// The type that serves a size, without the steps of the look-up; [`Self::lookup`] shows those.
    ///
    /// # Errors
    /// The version refuses the size, or its look-up leaves the table.
    #[inline]
    pub fn type_of(&self, size: u32) -> Result<u16, MallocError> {
        if size == 0 {
            return Err(MallocError::ZeroSize);
        }
        if size > self.max_size() {
            return Err(self.refusal(size));
        }
        Ok(self.types.partition_point(|kind| kind.max_size < size) as u16)
    }

    /// Why a size above the largest is refused.
    pub(super) fn refusal(&self, size: u32) -> MallocError {
        let (max, page) = (self.max_size(), self.config.page_bytes());
        let last_slot = self.types.last().map_or(0, |last| last.slot_size);
        match self.rules().find {
            Find::Tree(TableEnd::NoSpace) if size == page => MallocError::NoType,
            Find::Tree(TableEnd::Warns) if size <= page => MallocError::NoType,
            Find::Tree(TableEnd::Unchecked) if size == last_slot => MallocError::OutOfBounds,
            Find::LowerBound if size > page => MallocError::Invalid { max },
            Find::Linear | Find::Tree(_) | Find::LowerBound => MallocError::TooLarge { max },
        }
    }
}
