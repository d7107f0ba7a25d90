//! The generations of zsmalloc and the one table of their differences.

/// A generation of zsmalloc: kernels that place objects alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Era {
    /// Linux 4.2.
    V4_2,
    /// 4.2 with the list change of the 2015 posting, taken literally.
    V4_2Rfc3,
    /// The same with the follow-up for almost full zspages.
    V4_2Rfc3Af,
    /// Linux 4.3 to 4.5.
    V4_5,
    /// 4.5 with every zspage put at the head.
    V4_5Head,
    /// 4.5 with a less used zspage put behind the head.
    V4_5Behind,
    /// 4.5 with almost full zspages always at the head.
    V4_5AfHead,
    /// Both of these.
    V4_5AfHeadBehind,
    /// Linux 4.9 to 6.1.
    V6_1,
    /// Linux 6.4 to 6.10.
    V6_6,
    /// Linux 6.11 to 7.1.
    #[default]
    V6_12,
}

/// How the number of pages of a zspage is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// The first number with the strictly largest used percentage, an integer (up to 6.2).
    UsedPercent,
    /// The first number with the fewest bytes left over; 1 for a power of two (from 6.3).
    LeastWaste,
}

/// How zspages are grouped by the objects in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Empty, almost empty (up to three quarters), almost full, full (up to 6.3).
    Quarters,
    /// 0 %, ten steps of ten percent, 100 % (from 6.4).
    Tenths,
}

/// Where a zspage goes in the list of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// To the head.
    Head,
    /// To the tail if it has fewer objects than the head, else to the head.
    LowerToTail,
    /// Behind the head if it has fewer objects than it, else to the head.
    LowerBehindHead,
    /// To the head; the old head goes to the tail unless it has more objects.
    RotateUnlessLower,
    /// To the head; the old head goes to the tail.
    Rotate,
}

/// How compaction chooses sources and destinations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compacting {
    /// Source first, from the almost empty only, whether or not anything can be gained (4.2).
    AlmostEmptyOnly,
    /// Source first, almost empty before almost full, if a zspage can be gained (4.3 to 6.3).
    SourceFirst,
    /// Destination first; it stays held from source to source (from 6.4).
    DestinationFirst,
}

/// What `zs_compact()` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Objects moved (4.2).
    Objects,
    /// Pages freed by all calls so far (4.3 to 4.9).
    PagesSoFar,
    /// Pages freed by this call (6.1 and later).
    Pages,
}

/// Everything in which generations differ. One row per [`Era`]; the code asks these fields and never
/// the era itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name in links and on the command line.
    pub name: &'static str,
    /// Kernels, for a picker.
    pub label: &'static str,
    /// Max pages per zspage of an unchanged kernel.
    pub default_max_pages: u8,
    /// Physical address bits of x86-64 (`MAX_PHYSMEM_BITS` was 46; the constant that replaced it is 52).
    pub default_phys_bits: u8,
    /// Choice of the pages per zspage.
    pub chain: Chain,
    /// True if the tag bit takes a bit of the stored location (up to 6.10).
    pub tag_in_location: bool,
    /// Fullness groups.
    pub grouping: Grouping,
    /// True if empty and full zspages are kept in lists too (from 4.9).
    pub lists_all_groups: bool,
    /// List position in the almost full group.
    pub insert_almost_full: Insert,
    /// List position in every other group.
    pub insert: Insert,
    /// Compaction.
    pub compacting: Compacting,
    /// What compaction returns.
    pub returns: Returns,
    /// True if the classes file has a `freeable` column (from 4.9).
    pub prints_freeable: bool,
    /// True if the pool counts the pages that compaction freed (from 4.3).
    pub counts_pages_compacted: bool,
}

const V4_2: Rules = Rules {
    name: "4.2",
    label: "4.2",
    default_max_pages: 4,
    default_phys_bits: 46,
    chain: Chain::UsedPercent,
    tag_in_location: true,
    grouping: Grouping::Quarters,
    lists_all_groups: false,
    insert_almost_full: Insert::Head,
    insert: Insert::Head,
    compacting: Compacting::AlmostEmptyOnly,
    returns: Returns::Objects,
    prints_freeable: false,
    counts_pages_compacted: false,
};

const V4_5: Rules = Rules {
    name: "4.5",
    label: "4.5 (4.3 to 4.5)",
    insert_almost_full: Insert::LowerToTail,
    insert: Insert::LowerToTail,
    compacting: Compacting::SourceFirst,
    returns: Returns::PagesSoFar,
    counts_pages_compacted: true,
    ..V4_2
};

const V6_6: Rules = Rules {
    name: "6.6",
    label: "6.6 (6.4 to 6.10)",
    default_max_pages: 8,
    default_phys_bits: 52,
    chain: Chain::LeastWaste,
    tag_in_location: true,
    grouping: Grouping::Tenths,
    lists_all_groups: true,
    insert_almost_full: Insert::Head,
    insert: Insert::Head,
    compacting: Compacting::DestinationFirst,
    returns: Returns::Pages,
    prints_freeable: true,
    counts_pages_compacted: true,
};

/// One row per era, in the order of [`Era::ALL`]. Sources: the kernel of each era, compiled and compared;
/// the variants of 4.2 and 4.5 are the 2015 "partial page ordering" postings and what they led to.
const RULES: [Rules; 11] = [
    V4_2,
    Rules {
        name: "4.2-rfc3",
        label: "4.2, 2015 posting",
        insert_almost_full: Insert::RotateUnlessLower,
        insert: Insert::RotateUnlessLower,
        ..V4_2
    },
    Rules {
        name: "4.2-rfc3af",
        label: "4.2, 2015 follow-up",
        insert_almost_full: Insert::Rotate,
        insert: Insert::RotateUnlessLower,
        ..V4_2
    },
    V4_5,
    Rules {
        name: "4.5-head",
        label: "4.5, always to the head",
        insert_almost_full: Insert::Head,
        insert: Insert::Head,
        ..V4_5
    },
    Rules {
        name: "4.5-behind",
        label: "4.5, less used behind the head",
        insert_almost_full: Insert::LowerBehindHead,
        insert: Insert::LowerBehindHead,
        ..V4_5
    },
    Rules {
        name: "4.5-afhead",
        label: "4.5, almost full to the head",
        insert_almost_full: Insert::Head,
        ..V4_5
    },
    Rules {
        name: "4.5-afheadbehind",
        label: "4.5, both variants",
        insert_almost_full: Insert::Head,
        insert: Insert::LowerBehindHead,
        ..V4_5
    },
    Rules {
        name: "6.1",
        label: "6.1 (4.9 to 6.1)",
        insert_almost_full: Insert::LowerBehindHead,
        insert: Insert::LowerBehindHead,
        lists_all_groups: true,
        returns: Returns::Pages,
        prints_freeable: true,
        ..V4_5
    },
    V6_6,
    Rules { name: "6.12", label: "6.12 (6.11 to 7.1)", tag_in_location: false, ..V6_6 },
];

impl Era {
    /// All eras, oldest first.
    pub const ALL: [Self; 11] = [
        Self::V4_2,
        Self::V4_2Rfc3,
        Self::V4_2Rfc3Af,
        Self::V4_5,
        Self::V4_5Head,
        Self::V4_5Behind,
        Self::V4_5AfHead,
        Self::V4_5AfHeadBehind,
        Self::V6_1,
        Self::V6_6,
        Self::V6_12,
    ];

    /// What this era does.
    pub const fn rules(self) -> &'static Rules {
        &RULES[self as usize]
    }

    /// The name in links and on the command line.
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// Kernels, for a picker.
    pub const fn label(self) -> &'static str {
        self.rules().label
    }

    /// The era of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|era| era.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_order_of_all() {
        for (index, era) in Era::ALL.into_iter().enumerate() {
            assert_eq!(era as usize, index);
            assert_eq!(Era::from_name(era.name()), Some(era));
        }
    }
}
