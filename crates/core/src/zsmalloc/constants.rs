//! The constants that follow from a configuration.

use super::{Config, ConfigError};

/// Constants of a configuration that can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Bits of a page frame number: physical address bits less `PAGE_SHIFT`.
    pub pfn_bits: i8,
    /// `OBJ_INDEX_BITS`: what the page frame number, and up to 6.10 the tag bit, leave of a word.
    pub obj_index_bits: i8,
    /// `ZS_HANDLE_SIZE` in bytes.
    pub handle_bytes: u32,
    /// `ZS_MIN_ALLOC_SIZE` in bytes: 32, or more where a zspage has more places than the index can name.
    pub min_alloc: u32,
    /// `ZS_MAX_ALLOC_SIZE` in bytes: a page.
    pub max_alloc: u32,
    /// `ZS_SIZE_CLASS_DELTA` in bytes.
    pub class_delta: u32,
    /// `ZS_SIZE_CLASSES`.
    pub size_classes: u16,
}

impl Constants {
    /// `pfn_bits` and `OBJ_INDEX_BITS`, which exist even where the rest does not.
    pub fn location_bits(config: &Config) -> (i8, i8) {
        let pfn_bits = config.phys_bits as i8 - config.page_shift as i8;
        let tag_bits = i8::from(config.era.rules().tag_in_location);
        (pfn_bits, config.bits.count() as i8 - pfn_bits - tag_bits)
    }

    /// Computes them.
    ///
    /// # Errors
    /// A number is out of range, or the kernel would not build.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        config.check()?;
        let (pfn_bits, obj_index_bits) = Self::location_bits(config);
        if obj_index_bits <= 0 {
            return Err(ConfigError::NoIndexBits { index_bits: obj_index_bits, pfn_bits });
        }
        let max_alloc = config.page_bytes();
        let zspage_bytes = u64::from(config.max_pages) << config.page_shift;
        let min_alloc = (zspage_bytes >> obj_index_bits).max(32) as u32;
        if min_alloc > max_alloc {
            return Err(ConfigError::MinAboveMax {
                max_pages: config.max_pages,
                index_bits: obj_index_bits,
                min: min_alloc,
                max: max_alloc,
            });
        }
        let class_delta = config.class_delta.unwrap_or(max_alloc >> 8);
        Ok(Self {
            pfn_bits,
            obj_index_bits,
            handle_bytes: config.bits.handle_bytes(),
            min_alloc,
            max_alloc,
            class_delta,
            size_classes: ((max_alloc - min_alloc).div_ceil(class_delta) + 1) as u16,
        })
    }

    /// Nominal size of a class index, before merging.
    pub fn nominal(&self, index: u16) -> u32 {
        (self.min_alloc + u32::from(index) * self.class_delta).min(self.max_alloc)
    }
}
