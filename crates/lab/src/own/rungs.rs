//! The classes, block types or caches of a setting, as what they do with a size.

use slabscope_core::model::AnyConfig;
use slabscope_core::packing::Unit;
use slabscope_core::slub;
use slabscope_core::tell::Terms;
use slabscope_core::whatif::{Ladder, Setting};

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
    /// What the allocator calls its parts.
    pub(super) terms: &'static Terms,
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
        Ok(match config {
            AnyConfig::Zsmalloc(config) => Self {
                page: config.page_bytes(),
                noun: "Class",
                terms: &Terms::ZSMALLOC,
                around: "tails of zspages",
                beyond: "larger than a page, which zsmalloc refuses",
                all: of_what_if(Setting::Zsmalloc(*config), config.bits.handle_bytes())?,
            },
            AnyConfig::Zblock(config) => Self {
                page: config.page_bytes(),
                noun: "Slot",
                terms: &Terms::ZBLOCK,
                around: "headers and tails of blocks",
                beyond: "too large for any block, which zblock refuses",
                all: of_what_if(Setting::Zblock(*config), 0)?,
            },
            AnyConfig::Slub(config) => Self {
                page: 1 << config.page_shift,
                noun: "Cache",
                terms: &Terms::SLUB,
                around: "tails of slabs",
                beyond: "too large for any cache, which the page allocator serves",
                all: caches(config)?,
            },
        })
    }
}

/// Those that the what-if has, without the pages outside for what the allocator refuses.
fn of_what_if(setting: Setting, handle: u32) -> Result<Vec<Rung>, String> {
    let page = setting.page_bytes();
    let ladder = Ladder::new(&setting).map_err(|error| error.to_string())?;
    let own = ladder.rungs.len() - usize::from(ladder.refuses());
    let rung = |rung: &slabscope_core::whatif::Rung| {
        let Unit { size, objects, pages } = rung.unit;
        // The handle of an object that has its page to itself lies outside.
        let handle = if size == page { 0 } else { handle };
        Rung {
            name: size.to_string(),
            up_to: rung.up_to.min(page),
            place: size - handle,
            handle,
            objects,
            pages,
            around: pages * page - objects * size,
        }
    };
    Ok(ladder.rungs.iter().take(own).map(rung).collect())
}

fn caches(config: &slub::Config) -> Result<Vec<Rung>, String> {
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
    Ok(geometry.caches().iter().map(rung).collect())
}
