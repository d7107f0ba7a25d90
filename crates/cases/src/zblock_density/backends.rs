//! The allocators that are compared.

use slabscope_core::model::AnyPool;
use slabscope_core::packing::{Places, Unit as Packed};
use slabscope_core::pool::MallocError;
use slabscope_core::{zblock, zsmalloc};

use crate::figure::say;
use crate::{Row, Step, Unit};

use super::Set;

/// Versions of zblock, and chain lengths of zsmalloc.
const VERSIONS: [zblock::Version; 3] = [zblock::Version::V2, zblock::Version::V4, zblock::Version::Mm0508];
const CHAINS: [u8; 3] = [4, 8, 16];

/// Names of the backends, in the order of [`Backend::all`].
pub(super) const NAMES: [&str; 6] =
    ["zblock v2", "zblock v4", "zblock mm0508", "zsmalloc 4 pages", "zsmalloc 8 pages", "zsmalloc 16 pages"];
/// Places of what the posting measured, and of zsmalloc's default.
pub(super) const V2: usize = 0;
pub(super) const NEWEST: usize = 2;
pub(super) const DEFAULT: usize = 4;

/// A backend of zswap.
#[derive(Clone)]
pub(super) enum Backend {
    Zblock(zblock::Geometry),
    Zsmalloc(zsmalloc::Geometry),
}

impl Backend {
    /// All of them with pages of a size, in the order of [`NAMES`].
    pub(super) fn all(page_shift: u8) -> Vec<Self> {
        let blocks = VERSIONS.into_iter().filter_map(|version| {
            zblock::Geometry::new(&zblock::Config { version, page_shift }).ok().map(Self::Zblock)
        });
        let era = zsmalloc::Era::V6_12;
        let chains = CHAINS.into_iter().filter_map(|max_pages| {
            let config = zsmalloc::Config { max_pages, page_shift, ..zsmalloc::Config::default_for(era) };
            zsmalloc::Geometry::new(&config).ok().map(Self::Zsmalloc)
        });
        blocks.chain(chains).collect()
    }

    /// An empty pool.
    pub(super) fn pool(&self) -> AnyPool {
        match self {
            Self::Zblock(geometry) => AnyPool::Zblock(zblock::Pool::new(geometry.clone())),
            Self::Zsmalloc(geometry) => AnyPool::Zsmalloc(zsmalloc::Pool::new(geometry.clone())),
        }
    }

    /// The largest size that it takes.
    pub(super) fn max_size(&self) -> u32 {
        match self {
            Self::Zblock(geometry) => geometry.max_size(),
            Self::Zsmalloc(geometry) => geometry.constants().max_alloc,
        }
    }

    /// Bytes of a handle inside an object; zblock keeps none, and a huge zspage keeps it outside.
    pub(super) fn handle_bytes(&self, objects_per_span: u32, pages: u32) -> u32 {
        match self {
            Self::Zsmalloc(geometry) if (objects_per_span, pages) != (1, 1) => {
                geometry.constants().handle_bytes
            }
            Self::Zblock(_) | Self::Zsmalloc(_) => 0,
        }
    }
}

impl Places for Backend {
    fn page_bytes(&self) -> u32 {
        match self {
            Self::Zblock(geometry) => geometry.page_bytes(),
            Self::Zsmalloc(geometry) => geometry.page_bytes(),
        }
    }

    fn units(&self) -> Vec<Packed> {
        match self {
            Self::Zblock(geometry) => geometry.units(),
            Self::Zsmalloc(geometry) => geometry.units(),
        }
    }

    fn place(&self, request: u32) -> Result<usize, MallocError> {
        match self {
            Self::Zblock(geometry) => geometry.place(request),
            Self::Zsmalloc(geometry) => geometry.place(request),
        }
    }
}

/// What each backend refuses.
pub(super) fn refusals(sets: &[Set]) -> Step {
    let mut rows = Vec::new();
    let mut told = Vec::new();
    for set in sets.iter().filter(|set| set.name.starts_with("libs") && set.name.ends_with("lzo")) {
        let page = set.page_bytes();
        for (name, backend) in NAMES.iter().zip(&set.backends) {
            let most = backend.max_size();
            let row = |metric, unit| Row::new(format!("{name}, pages of {page} bytes"), metric, unit);
            rows.push(
                row("largest_size_bytes", Unit::Bytes)
                    .predicted(f64::from(most))
                    .note("larger requests are refused"),
            );
            let refused = set.stored.objects() - set.stored.at_most(most);
            let percent = refused as f64 * 100.0 / set.stored.objects().max(1) as f64;
            rows.push(
                row("refused_percent", Unit::Percent)
                    .predicted(percent)
                    .note(format!("of the pages of {} that shrink at all", set.name)),
            );
            if most + 1 < page {
                told.push(format!(
                    "{name} with pages of {} bytes takes {} at most",
                    say(page.into(), 0),
                    say(most.into(), 0)
                ));
            }
        }
    }
    let text = format!(
        "zsmalloc takes anything up to a page, and so did zblock up to v3. Later tables end below a page: {}. A page that \
         shrinks to more goes to the disk instead.",
        told.join("; ")
    );
    Step { title: "What is refused", text, rows, plots: Vec::new() }
}
