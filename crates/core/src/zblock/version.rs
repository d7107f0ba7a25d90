//! The versions of zblock and the one table of their differences.

use crate::pool::ListSpot;

use super::tables::{
    FIRST, MM_FIRST_LARGE, MM_LARGE, MM_SMALL, RUST_SMALL, Row, V2_LARGE, V4_LARGE, V4_SMALL,
};

/// A version of zblock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// mm-unstable on 16 November 2022.
    Y2022,
    /// The generation with a cache of blocks, taken for the posting of 1 April 2025.
    V1,
    /// The posting of 4 April 2025.
    V2,
    /// The posting of 8 April 2025.
    V3,
    /// The posting of 12 April 2025, with the debugfs file of 28 April.
    V4,
    /// The vmalloc patch of 2 May 2025 as first posted.
    Mm0502,
    /// The mm tree after the vmalloc patch of 6 May 2025, before the change to RCU.
    Mm0507,
    /// The mm tree from 8 May 2025 on, and the repost of July: the last version in C.
    #[default]
    Mm0508,
    /// The last version in Rust.
    Rust,
}

/// How well a version is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// Read from the posted or merged source.
    Source,
    /// Read from a source that is only taken to be this version.
    Inferred,
    /// Put together from the differences to its neighbours.
    Reconstructed,
}

impl Provenance {
    /// A word for a picker; `None` where nothing has to be said.
    pub const fn mark(self) -> Option<&'static str> {
        match self {
            Self::Source => None,
            Self::Inferred => Some("inferred"),
            Self::Reconstructed => Some("reconstructed"),
        }
    }
}

/// `SLOT_BITS`: bits of a handle for the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotBits {
    /// One number with 4 KiB pages, another with larger ones.
    BySize(u8, u8),
    /// `PAGE_SHIFT` less this.
    ShiftLess(u8),
}

/// What the look-up by tree does with a size that no type of the table serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableEnd {
    /// `ENOSPC` above a page; anything else would warn and be `EINVAL` (v2 and v3, whose tables reach a page).
    Warns,
    /// `ENOSPC`, but a whole page lies beyond the last interval, warns and is `EINVAL` (v4).
    NoSpace,
    /// `ENOSPC` above the last slot size; that size itself yields an index behind the table (from May 2025).
    Unchecked,
}

/// How the type for a size is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Find {
    /// The first type whose slot is at least as large, one after the other.
    Linear,
    /// A red-black tree of intervals; the slot is always larger than the object.
    Tree(TableEnd),
    /// The lower bound in a red-black tree of slot sizes.
    LowerBound,
}

/// Which blocks with room the cache of a type takes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheRule {
    /// Any block that an object was freed in (2022).
    AnyFree,
    /// A block less than half free, if some cached block has fewer free slots (v1).
    BelowHalf,
}

/// Where a block goes that becomes full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullBlocks {
    /// To the head of a list of full blocks.
    List,
    /// Nowhere: only its objects' handles lead to it.
    Unlisted,
}

/// How a type remembers blocks with room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// A cache of 32 blocks, of which the first with room is taken.
    Cache(CacheRule),
    /// One list of which only the head is looked at; a block that fills goes to the tail.
    HeadOnly,
    /// A list of blocks with room, of which the head is taken.
    Active {
        /// Where full blocks go.
        full: FullBlocks,
        /// Where a full block returns to when an object in it is freed.
        back: ListSpot,
    },
}

/// Everything in which versions differ. One row per [`Version`]; the code asks these fields and never the
/// version itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name in links and on the command line.
    pub name: &'static str,
    /// For a picker; says if the version is not known at first hand.
    pub label: &'static str,
    /// How well it is known.
    pub provenance: Provenance,
    /// Bits of a handle for the slot.
    pub slot_bits: SlotBits,
    /// Bytes of the header without the bitmap of slots.
    pub header_fields: u32,
    /// True if the header has a bitmap with a bit for each value of the slot bits.
    pub header_bitmap: bool,
    /// Bytes that the header's size is rounded up to.
    pub header_align: u32,
    /// True if pages are always a power of two.
    pub pages_by_order: bool,
    /// True if a handle holds the block type beside the slot.
    pub type_in_handle: bool,
    /// True if the build is refused when a handle has too few bits for the types.
    pub checks_types: bool,
    /// Block types with 4 KiB pages.
    pub(super) small: &'static [Row],
    /// Block types with larger pages.
    pub(super) large: &'static [Row],
    /// True if the source has tables for 4 and 16 KiB pages and does not compile with others.
    pub two_page_sizes: bool,
    /// Look-up of the type.
    pub find: Find,
    /// Where blocks with room are kept.
    pub keeping: Keeping,
    /// True if debugfs has a file `blocks`.
    pub debugfs: bool,
}

const Y2022: Rules = Rules {
    name: "2022",
    label: "2022 (mm-unstable, 16 November)",
    provenance: Provenance::Source,
    slot_bits: SlotBits::BySize(5, 5),
    // Lock, list link, 32 status bytes, a count, a flag.
    header_fields: 64,
    header_bitmap: false,
    header_align: 8,
    pages_by_order: true,
    type_in_handle: true,
    checks_types: false,
    small: FIRST,
    large: FIRST,
    two_page_sizes: false,
    find: Find::Linear,
    keeping: Keeping::Cache(CacheRule::AnyFree),
    debugfs: false,
};

const V2: Rules = Rules {
    name: "v2",
    label: "v2 (4 April 2025)",
    slot_bits: SlotBits::BySize(5, 8),
    // List link and a count of 32 bits.
    header_fields: 20,
    header_bitmap: true,
    large: V2_LARGE,
    two_page_sizes: true,
    find: Find::Tree(TableEnd::Warns),
    keeping: Keeping::HeadOnly,
    ..Y2022
};

const V3: Rules = Rules {
    name: "v3",
    label: "v3 (8 April 2025)",
    keeping: Keeping::Active { full: FullBlocks::List, back: ListSpot::Tail },
    ..V2
};

const MM0502: Rules = Rules {
    name: "mm0502",
    label: "mm tree, 2 May 2025",
    slot_bits: SlotBits::BySize(6, 8),
    pages_by_order: false,
    checks_types: true,
    small: MM_SMALL,
    large: MM_FIRST_LARGE,
    two_page_sizes: false,
    find: Find::Tree(TableEnd::Unchecked),
    keeping: Keeping::Active { full: FullBlocks::Unlisted, back: ListSpot::Head },
    debugfs: true,
    ..V3
};

const MM0507: Rules = Rules {
    name: "mm0507",
    label: "mm tree, 7 May 2025 (reconstructed)",
    provenance: Provenance::Reconstructed,
    type_in_handle: false,
    large: MM_LARGE,
    ..MM0502
};

/// One row per version, in the order of [`Version::ALL`]. Sources: the postings to linux-mm and the mm tree of
/// the dates named; the table of mm0507 is taken to be that of the next day.
const RULES: [Rules; 9] = [
    Y2022,
    Rules {
        name: "v1",
        label: "v1 (1 April 2025, inferred)",
        provenance: Provenance::Inferred,
        // A counter, two bits for each slot in one word, a count.
        header_fields: 24,
        keeping: Keeping::Cache(CacheRule::BelowHalf),
        ..Y2022
    },
    V2,
    V3,
    Rules {
        name: "v4",
        label: "v4 (12 April 2025)",
        slot_bits: SlotBits::BySize(7, 8),
        small: V4_SMALL,
        large: V4_LARGE,
        two_page_sizes: false,
        find: Find::Tree(TableEnd::NoSpace),
        debugfs: true,
        ..V3
    },
    MM0502,
    MM0507,
    Rules {
        name: "mm0508",
        label: "mm tree, 8 May to July 2025",
        provenance: Provenance::Source,
        // An RCU head more.
        header_fields: 36,
        keeping: Keeping::Active { full: FullBlocks::Unlisted, back: ListSpot::Tail },
        ..MM0507
    },
    Rules {
        name: "rust",
        label: "Rust (2025)",
        slot_bits: SlotBits::ShiftLess(6),
        // List links and a count of 16 bits.
        header_fields: 18,
        header_align: 32,
        small: RUST_SMALL,
        large: MM_LARGE,
        checks_types: false,
        find: Find::LowerBound,
        keeping: Keeping::Active { full: FullBlocks::Unlisted, back: ListSpot::Tail },
        debugfs: false,
        ..MM0502
    },
];

impl Version {
    /// All versions, oldest first.
    pub const ALL: [Self; 9] = [
        Self::Y2022,
        Self::V1,
        Self::V2,
        Self::V3,
        Self::V4,
        Self::Mm0502,
        Self::Mm0507,
        Self::Mm0508,
        Self::Rust,
    ];

    /// What this version does.
    pub const fn rules(self) -> &'static Rules {
        &RULES[self as usize]
    }

    /// The name in links and on the command line.
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// For a picker; says if the version is not known at first hand.
    pub const fn label(self) -> &'static str {
        self.rules().label
    }

    /// How well it is known.
    pub const fn provenance(self) -> Provenance {
        self.rules().provenance
    }

    /// The version of this name. `mmnew` is another name of mm0508.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "mmnew" {
            return Some(Self::Mm0508);
        }
        Self::ALL.into_iter().find(|version| version.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_order_of_all() {
        for (index, version) in Version::ALL.into_iter().enumerate() {
            assert_eq!(version as usize, index);
            assert_eq!(Version::from_name(version.name()), Some(version));
        }
        assert_eq!(Version::from_name("v5"), None);
    }

    #[test]
    fn labels_say_what_is_not_known_at_first_hand() {
        for version in Version::ALL {
            let marked =
                ["inferred", "reconstructed"].into_iter().find(|word| version.label().contains(word));
            assert_eq!(marked, version.provenance().mark(), "{}", version.name());
        }
    }
}
