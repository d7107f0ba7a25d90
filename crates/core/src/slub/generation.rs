//! The generations of SLUB and the one table of their differences.

/// A generation of SLUB: kernels whose rules are the same, or one with a posted patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// Linux 2.6.26.
    V2_6_26,
    /// The same with the patch of 16 July 2008, which was not merged.
    RfcOrder,
    /// The same with the maintainer's counter-proposal to that patch.
    RfcSkip,
    /// About 2.6.30 to 6.6; measured on 6.1.
    Classic,
    /// 6.7 and later; measured on 6.12.
    #[default]
    Modern,
}

/// What happens to the number of objects asked for when no order is good enough for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// It is halved.
    Halve,
    /// It is lowered by one.
    ByOne,
    /// It stays: the search ends.
    Never,
}

/// What is tried when no order up to the maximum is good enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastResort {
    /// One object in any order up to the maximum, then in any order up to 11. A result of 11 is accepted or not.
    AnyWaste {
        /// True if order 11 is accepted, which the page allocator cannot serve.
        accepts_11: bool,
    },
    /// The smallest order that holds one object, up to 10.
    OneObject,
}

/// The rule that a posted patch adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// None.
    None,
    /// Below the maximum, one order more if the remainder is at least half an object.
    OneMore,
    /// An order is skipped if its remainder is more than half an object.
    Skip,
}

/// When a slab goes back whose last object was freed while no CPU holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emptied {
    /// At once.
    Freed,
    /// If the node has enough slabs with room.
    FreedAboveMinimum,
}

/// How shrinking sorts slabs with room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorting {
    /// All of them, fullest first.
    All,
    /// Those with at most this many free objects, fullest first; the others stay behind them.
    UpToFree(u16),
}

/// What metadata costs and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutRules {
    /// Bytes of one of the two records of who allocated and freed (`struct track`).
    pub track_bytes: u64,
    /// Bytes that remember the size requested from a kmalloc cache under `STORE_USER`.
    pub requested_bytes: u64,
    /// True if the free pointer lies in the middle of the object instead of at its start.
    pub middle_pointer: bool,
    /// True if a red zone also lies to the left of the object, and moves the free pointer out of objects that are
    /// smaller than it.
    pub left_red_zone: bool,
    /// True if a red zone moves the free pointer out of the object where the requested size is remembered.
    pub requested_moves_pointer: bool,
}

/// Which alignment a kmalloc cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KmallocAlign {
    /// A word.
    Word,
    /// Its size if that is a power of two, else a word.
    PowersOfTwo,
    /// The largest power of two that divides its size.
    LargestDivisor,
}

/// Everything in which generations differ. One row per [`Generation`]; the code asks these fields and never the
/// generation itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Name in links and on the command line.
    pub name: &'static str,
    /// For a picker.
    pub label: &'static str,
    /// Most objects of a slab that the search for an order aims at.
    pub most_objects: u32,
    /// True if no more objects are asked for than fit the maximum order.
    pub clamps_objects: bool,
    /// What part of the slab may be left over: a first try with the first divisor, and so on.
    pub fractions: &'static [u32],
    /// What happens to the number of objects asked for.
    pub lowering: Lowering,
    /// What is tried last.
    pub last: LastResort,
    /// What a patch adds.
    pub extra: Extra,
    /// Layout of objects.
    pub layout: LayoutRules,
    /// kmalloc caches go up to a page shifted left by this.
    pub kmalloc_shift: u8,
    /// Alignment of kmalloc caches.
    pub kmalloc_align: KmallocAlign,
    /// True if CPUs keep slabs with room of their own beside the one they allocate from.
    pub cpu_partial: bool,
    /// True if the slabs with room that a node keeps depend on the object size; 5 if not.
    pub scaled_min_partial: bool,
    /// When an emptied slab is freed.
    pub emptied: Emptied,
    /// How shrinking sorts.
    pub sorting: Sorting,
}

const V2_6_26: Rules = Rules {
    name: "2.6.26",
    label: "2.6.26",
    most_objects: 65_535,
    clamps_objects: false,
    fractions: &[16, 8, 4],
    lowering: Lowering::Halve,
    last: LastResort::AnyWaste { accepts_11: true },
    extra: Extra::None,
    layout: LayoutRules {
        track_bytes: 24,
        requested_bytes: 0,
        middle_pointer: false,
        left_red_zone: false,
        requested_moves_pointer: false,
    },
    kmalloc_shift: 0,
    kmalloc_align: KmallocAlign::Word,
    cpu_partial: false,
    scaled_min_partial: false,
    emptied: Emptied::Freed,
    sorting: Sorting::All,
};

const CLASSIC: Rules = Rules {
    name: "classic",
    label: "2.6.30 to 6.6",
    most_objects: 32_767,
    clamps_objects: true,
    lowering: Lowering::ByOne,
    last: LastResort::AnyWaste { accepts_11: false },
    layout: LayoutRules {
        track_bytes: 32,
        requested_bytes: 4,
        middle_pointer: true,
        left_red_zone: true,
        requested_moves_pointer: false,
    },
    kmalloc_shift: 1,
    kmalloc_align: KmallocAlign::PowersOfTwo,
    cpu_partial: true,
    scaled_min_partial: true,
    emptied: Emptied::FreedAboveMinimum,
    sorting: Sorting::UpToFree(32),
    ..V2_6_26
};

/// One row per generation, in the order of [`Generation::ALL`]. Sources: the kernels named, the thread of July
/// 2008; measured on running kernels: `classic` on 6.1, `modern` on 6.12. Layout, lists and shrinking of `classic`
/// are those of 6.1; older kernels of that range differ in them.
const RULES: [Rules; 5] = [
    V2_6_26,
    Rules {
        name: "2.6.26+rfc-order",
        label: "2.6.26, one order more (2008 RFC)",
        extra: Extra::OneMore,
        ..V2_6_26
    },
    Rules {
        name: "2.6.26+rfc-skip",
        label: "2.6.26, wasteful orders skipped (2008)",
        extra: Extra::Skip,
        ..V2_6_26
    },
    CLASSIC,
    Rules {
        name: "modern",
        label: "6.7 and later",
        fractions: &[16, 8, 4, 2],
        lowering: Lowering::Never,
        last: LastResort::OneObject,
        layout: LayoutRules { requested_moves_pointer: true, ..CLASSIC.layout },
        kmalloc_align: KmallocAlign::LargestDivisor,
        ..CLASSIC
    },
];

impl Generation {
    /// All generations, oldest first.
    pub const ALL: [Self; 5] = [Self::V2_6_26, Self::RfcOrder, Self::RfcSkip, Self::Classic, Self::Modern];

    /// What this generation does.
    pub const fn rules(self) -> &'static Rules {
        &RULES[self as usize]
    }

    /// The name in links and on the command line.
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// For a picker.
    pub const fn label(self) -> &'static str {
        self.rules().label
    }

    /// The generation of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|generation| generation.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::Generation;

    #[test]
    fn the_table_follows_the_order_of_all() {
        for (index, generation) in Generation::ALL.into_iter().enumerate() {
            assert_eq!(generation as usize, index);
            assert_eq!(Generation::from_name(generation.name()), Some(generation));
        }
        assert_eq!(Generation::from_name("2.6.27"), None);
        assert_eq!(Generation::default().name(), "modern");
    }
}
