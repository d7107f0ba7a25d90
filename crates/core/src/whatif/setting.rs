//! An allocator and how it is built, as far as it can hold the objects of another.

use std::fmt;

use crate::model::Model;
use crate::zsmalloc::Bits;
use crate::{zblock, zsmalloc};

/// An allocator of zram or zswap and how it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// zsmalloc.
    Zsmalloc(zsmalloc::Config),
    /// zblock.
    Zblock(zblock::Config),
}

impl Setting {
    /// The allocator.
    pub const fn model(&self) -> Model {
        match self {
            Self::Zsmalloc(_) => Model::Zsmalloc,
            Self::Zblock(_) => Model::Zblock,
        }
    }

    /// Name of the generation.
    pub const fn era(&self) -> &'static str {
        match self {
            Self::Zsmalloc(config) => config.era.name(),
            Self::Zblock(config) => config.version.name(),
        }
    }

    /// `PAGE_SHIFT`.
    pub const fn page_shift(&self) -> u8 {
        match self {
            Self::Zsmalloc(config) => config.page_shift,
            Self::Zblock(config) => config.page_shift,
        }
    }

    /// Bytes of a page.
    pub const fn page_bytes(&self) -> u32 {
        1 << self.page_shift()
    }

    /// Most pages of a zspage, where the allocator has such a number.
    pub const fn max_pages(&self) -> Option<u8> {
        match self {
            Self::Zsmalloc(config) => Some(config.max_pages),
            Self::Zblock(_) => None,
        }
    }
}

/// Names the setting in a few words: "zsmalloc 6.12, page shift 12, max pages 8"; word size, addresses and
/// class delta only where they are unusual.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, page shift {}", self.model().name(), self.era(), self.page_shift())?;
        let Self::Zsmalloc(config) = self else { return Ok(()) };
        write!(f, ", max pages {}", config.max_pages)?;
        // What kernels on x86-64 have goes without saying.
        let is_short = config.bits == Bits::B32;
        if is_short {
            f.write_str(", 32 bits")?;
        }
        let usual = if is_short { 32 } else { zsmalloc::Config::default_for(config.era).phys_bits };
        if config.phys_bits != usual {
            write!(f, ", physical addresses of {} bits", config.phys_bits)?;
        }
        match config.class_delta {
            Some(delta) => write!(f, ", class delta {delta}"),
            None => Ok(()),
        }
    }
}

/// Why a setting does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// This zsmalloc cannot be built.
    Zsmalloc(zsmalloc::ConfigError),
    /// This zblock cannot be built.
    Zblock(zblock::ConfigError),
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zsmalloc(error) => error.fmt(f),
            Self::Zblock(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Impossible {}
