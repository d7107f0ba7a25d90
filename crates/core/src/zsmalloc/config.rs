//! What a zsmalloc is built with.

use std::fmt;

use super::Era;

/// Bits of a machine word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bits {
    /// 32.
    B32,
    /// 64.
    #[default]
    B64,
}

impl Bits {
    /// The number.
    pub const fn count(self) -> u8 {
        match self {
            Self::B32 => 32,
            Self::B64 => 64,
        }
    }

    /// Bytes of a handle, which every object but a huge one starts with (`ZS_HANDLE_SIZE`).
    pub const fn handle_bytes(self) -> u32 {
        self.count() as u32 / 8
    }

    /// 32 or 64 as `Bits`.
    pub const fn from_count(count: u64) -> Option<Self> {
        match count {
            32 => Some(Self::B32),
            64 => Some(Self::B64),
            _ => None,
        }
    }
}

/// What a zsmalloc is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Generation.
    pub era: Era,
    /// Word size.
    pub bits: Bits,
    /// Bits of a physical address (`MAX_POSSIBLE_PHYSMEM_BITS`).
    pub phys_bits: u8,
    /// `PAGE_SHIFT`.
    pub page_shift: u8,
    /// Most pages of a zspage (`ZS_MAX_PAGES_PER_ZSPAGE`, `CONFIG_ZSMALLOC_CHAIN_SIZE`).
    pub max_pages: u8,
    /// Bytes between classes instead of a 256th of a page (the RFC of January 2026 proposes 16).
    pub class_delta: Option<u32>,
}

impl Config {
    /// Page shifts that are modelled.
    pub const PAGE_SHIFTS: std::ops::RangeInclusive<u8> = 12..=16;
    /// Max pages that are modelled.
    pub const MAX_PAGES: std::ops::RangeInclusive<u8> = 1..=16;

    /// An unchanged kernel of this era on x86-64.
    pub const fn default_for(era: Era) -> Self {
        let rules = era.rules();
        Self {
            era,
            bits: Bits::B64,
            phys_bits: rules.default_phys_bits,
            page_shift: 12,
            max_pages: rules.default_max_pages,
            class_delta: None,
        }
    }

    /// Bytes of a page.
    pub const fn page_bytes(&self) -> u32 {
        1 << self.page_shift
    }

    /// Bytes of the descriptor that a zspage has beside its pages: the fields that 6.x has, not measured. `None` for
    /// kernels that keep them in the first page's own descriptor (up to 4.5).
    pub const fn descriptor_bytes(&self) -> Option<u32> {
        // The zspage with a descriptor of its own came with the lists of empty and full ones.
        if !self.era.rules().lists_all_groups {
            return None;
        }
        Some(match self.bits {
            Bits::B64 => 56,
            Bits::B32 => 32,
        })
    }

    /// Checks that every number is one that is modelled; says nothing yet about whether they go together.
    ///
    /// # Errors
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        if !Self::PAGE_SHIFTS.contains(&self.page_shift) {
            return Err(ConfigError::PageShift(self.page_shift));
        }
        if !Self::MAX_PAGES.contains(&self.max_pages) {
            return Err(ConfigError::MaxPages(self.max_pages));
        }
        let most = match self.bits {
            Bits::B32 => 40,
            Bits::B64 => 64,
        };
        if !(32..=most).contains(&self.phys_bits) {
            return Err(ConfigError::PhysBits { given: self.phys_bits, most });
        }
        if let Some(delta) = self.class_delta
            && (!(8..=self.page_bytes()).contains(&delta) || delta % 8 != 0)
        {
            return Err(ConfigError::ClassDelta { given: delta, page: self.page_bytes() });
        }
        Ok(())
    }
}

/// Why a configuration is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The page shift is out of range.
    PageShift(u8),
    /// The max pages per zspage are out of range.
    MaxPages(u8),
    /// The physical address bits are out of range.
    PhysBits {
        /// The number.
        given: u8,
        /// The most for this word size.
        most: u8,
    },
    /// The class delta is no multiple of 8 up to a page.
    ClassDelta {
        /// The number.
        given: u32,
        /// Bytes of a page.
        page: u32,
    },
    /// No bit is left for the index of an object.
    NoIndexBits {
        /// `OBJ_INDEX_BITS`.
        index_bits: i8,
        /// Bits that the page frame number takes.
        pfn_bits: i8,
    },
    /// The smallest size is above the largest.
    MinAboveMax {
        /// Max pages per zspage.
        max_pages: u8,
        /// `OBJ_INDEX_BITS`.
        index_bits: i8,
        /// `ZS_MIN_ALLOC_SIZE`.
        min: u32,
        /// `ZS_MAX_ALLOC_SIZE`, a page.
        max: u32,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PageShift(given) => write!(f, "page shift {given}: 12 to 16 are modelled"),
            Self::MaxPages(given) => write!(f, "max pages {given}: 1 to 16 are modelled"),
            Self::PhysBits { given, most } => {
                write!(f, "physical address bits {given}: 32 to {most} are possible with this word size")
            }
            Self::ClassDelta { given, page } => {
                write!(f, "class delta {given}: a multiple of 8 from 8 to {page} bytes is needed")
            }
            Self::NoIndexBits { index_bits, pfn_bits } => write!(
                f,
                "OBJ_INDEX_BITS would be {index_bits}: the page frame number takes {pfn_bits} bits of the word, so this kernel does not build"
            ),
            Self::MinAboveMax { max_pages, index_bits, min, max } => write!(
                f,
                "max pages {max_pages}: with {index_bits} index bits ZS_MIN_ALLOC_SIZE would be {min}, above the page of {max}, so this kernel does not build"
            ),
        }
    }
}

impl std::error::Error for ConfigError {}
