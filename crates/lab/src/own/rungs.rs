//! The classes, block types or caches of a setting, as what they do with a size.

use slabscope_core::model::AnyConfig;
use slabscope_core::{slub, zblock, zsmalloc};

/// A class, block type or cache, and what one zspage, block or slab of it holds.
pub(super) struct Rung {
    /// What it is called.
    pub(super) name: String,
    /// The largest request in bytes. The smallest is one above that of the rung before.
    pub(super) up_to: u32,
    /// Bytes of a place, without the handle.
    pub(super) place: u32,
    /// Bytes of the handle in front of each object.
    pub(super) handle: u32,
    /// Places.
    pub(super) objects: u32,
    /// Pages.
    pub(super) pages: u32,
    /// Bytes that are none of a place's: a header, and what is left at the end.
    pub(super) around: u32,
}

/// All rungs of a setting, smallest first, and what they are called.
pub(super) struct Rungs {
    /// Bytes of a page.
    pub(super) page: u32,
    /// A class, block type or cache.
    pub(super) noun: &'static str,
    /// A zspage, block or slab: one and several.
    pub(super) span: [&'static str; 2],
    /// Bytes of each that are none of a place's.
    pub(super) around: &'static str,
    /// Where what is larger than the last goes.
    pub(super) beyond: &'static str,
    /// The rungs.
    pub(super) all: Vec<Rung>,
}

impl Rungs {
    /// Those of a configuration.
    ///
    /// # Errors
    /// It is impossible.
    pub(super) fn new(config: &AnyConfig) -> Result<Self, String> {
        match config {
            AnyConfig::Zsmalloc(config) => classes(config),
            AnyConfig::Zblock(config) => types(config),
            AnyConfig::Slub(config) => caches(config),
        }
    }
}

fn classes(config: &zsmalloc::Config) -> Result<Rungs, String> {
    let geometry = zsmalloc::Geometry::new(config).map_err(|error| error.to_string())?;
    let rung = |(position, class): (usize, &zsmalloc::SizeClass)| {
        let (_, up_to) = geometry.requests(position)?;
        // The handle of an object that has its page to itself lies outside.
        let handle = if class.huge { 0 } else { config.bits.handle_bytes() };
        Some(Rung {
            name: class.size.to_string(),
            up_to,
            place: class.size - handle,
            handle,
            objects: class.objects.into(),
            pages: class.pages.into(),
            around: class.waste,
        })
    };
    Ok(Rungs {
        page: config.page_bytes(),
        noun: "Class",
        span: ["zspage", "zspages"],
        around: "tails of zspages",
        beyond: "larger than a page, which zsmalloc refuses",
        all: geometry.classes().iter().enumerate().filter_map(rung).collect(),
    })
}

fn types(config: &zblock::Config) -> Result<Rungs, String> {
    let geometry = zblock::Geometry::new(config).map_err(|error| error.to_string())?;
    let rung = |kind: &zblock::BlockType| Rung {
        name: kind.slot_size.to_string(),
        up_to: kind.max_size,
        place: kind.slot_size,
        handle: 0,
        objects: kind.slots.into(),
        pages: kind.pages.into(),
        around: kind.waste + geometry.header_bytes(),
    };
    Ok(Rungs {
        page: config.page_bytes(),
        noun: "Slot",
        span: ["block", "blocks"],
        around: "headers and tails of blocks",
        beyond: "too large for any block, which zblock refuses",
        all: geometry.types().iter().map(rung).collect(),
    })
}

fn caches(config: &slub::Config) -> Result<Rungs, String> {
    let geometry = slub::Geometry::new(config).map_err(|error| error.to_string())?;
    let rung = |cache: &slub::Cache| Rung {
        name: cache.name(config),
        up_to: cache.object_size,
        place: cache.size,
        handle: 0,
        objects: cache.objects.into(),
        pages: cache.pages.into(),
        around: cache.waste,
    };
    Ok(Rungs {
        page: 1 << config.page_shift,
        noun: "Cache",
        span: ["slab", "slabs"],
        around: "tails of slabs",
        beyond: "too large for any cache, which the page allocator serves",
        all: geometry.caches().iter().map(rung).collect(),
    })
}
