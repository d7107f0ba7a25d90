//! An allocator and how it is built, as far as it can hold the objects of another.

use std::fmt;

use crate::model::Model;
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

/// Names the setting in a few words: "zsmalloc 6.12, page shift 12, max pages 8".
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, page shift {}", self.model().name(), self.era(), self.page_shift())?;
        match self.max_pages() {
            Some(pages) => write!(f, ", max pages {pages}"),
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
