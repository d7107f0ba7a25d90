//! A case with everything that running it takes.

use crate::lock_schemes::LockSchemes;
use crate::more_pages::MorePages;
use crate::partial_ordering::PartialOrdering;
use crate::slub_order::SlubOrder;
use crate::zblock_density::ZblockDensity;
use crate::{Case, Data, DataError, Options, Run, Scene, scene, words};

/// A case with everything that running it takes. A program that names some of these carries only those.
#[derive(Debug)]
pub struct Part {
    /// The case.
    pub case: Case,
    /// Names of the files that it needs.
    pub needs: fn() -> Vec<String>,
    /// Reads its data; nothing is computed yet. Fails where a file is missing or malformed.
    pub start: fn(&Options, &Data) -> Result<Run, DataError>,
    /// The positions of its figure. For locks there are none: what they do is seen in time, by
    /// [`Outcome::lanes`](crate::Outcome::lanes).
    pub scenes: fn(&Options) -> Vec<Scene>,
    /// How it works, paragraph by paragraph, for [`pieces`](crate::pieces): plain words first, exact terms after.
    pub explained: &'static [&'static str],
}

impl Part {
    /// 2008.
    pub const SLUB_ORDER: Self = Self {
        case: Case::SlubOrder,
        needs: SlubOrder::needs,
        start: |options, data| Ok(Run::of(SlubOrder::new(options, data)?)),
        scenes: scene::slabs,
        explained: words::SLUB_ORDER,
    };

    /// 2015.
    pub const PARTIAL_ORDERING: Self = Self {
        case: Case::PartialOrdering,
        needs: PartialOrdering::needs,
        start: |options, data| Ok(Run::of(PartialOrdering::new(options, data)?)),
        scenes: scene::lists,
        explained: words::PARTIAL_ORDERING,
    };

    /// 2016.
    pub const MORE_PAGES: Self = Self {
        case: Case::MorePages,
        needs: MorePages::needs,
        start: |options, data| Ok(Run::of(MorePages::new(options, data)?)),
        scenes: scene::zspages,
        explained: words::MORE_PAGES,
    };

    /// 2024.
    pub const LOCKS: Self = Self {
        case: Case::Locks,
        needs: LockSchemes::needs,
        start: |options, data| Ok(Run::of(LockSchemes::new(options, data)?)),
        scenes: |_| Vec::new(),
        explained: words::LOCKS,
    };

    /// 2025.
    pub const ZBLOCK: Self = Self {
        case: Case::Zblock,
        needs: ZblockDensity::needs,
        start: |options, data| Ok(Run::of(ZblockDensity::new(options, data)?)),
        scenes: scene::backends,
        explained: words::ZBLOCK,
    };
}

impl Case {
    /// What running it takes.
    pub const fn part(self) -> &'static Part {
        match self {
            Self::SlubOrder => &Part::SLUB_ORDER,
            Self::PartialOrdering => &Part::PARTIAL_ORDERING,
            Self::MorePages => &Part::MORE_PAGES,
            Self::Locks => &Part::LOCKS,
            Self::Zblock => &Part::ZBLOCK,
        }
    }
}
