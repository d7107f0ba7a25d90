//! Values that are picked from a list: each an enum with its link name and its label.

/// One entry of a list of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How links, JSON and the command line write it. Never renamed.
    pub value: &'static str,
    /// How a form shows it.
    pub label: &'static str,
}

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $value:literal, $label:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// All of them, in the order of a form.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
            /// The same as entries of a list.
            pub const CHOICES: &'static [Choice] = &[$(Choice { value: $value, label: $label },)+];

            /// How links write it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $value,)+ }
            }

            /// How a form shows it.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)+ }
            }

            /// The one that links write as `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

choices! {
    /// A view of the page.
    View {
        /// Size classes, block types or orders, without a pool.
        Geometry = "geometry", "Geometry";
        /// A pool while operations run.
        Pool = "pool", "Pool";
        /// Files of the reader's machine.
        Data = "data", "Your data";
        /// Two to four scenarios on one stream.
        Compare = "compare", "Compare";
        /// Threads that contend for locks.
        Locks = "locks", "Locks";
        /// Published results and ours.
        Cases = "cases", "Cases";
    }
}

choices! {
    /// A modelled allocator.
    Allocator {
        /// zram's and zswap's allocator.
        Zsmalloc = "zsmalloc", "zsmalloc";
        /// The proposed zswap backend.
        Zblock = "zblock", "zblock";
        /// The kernel's slab allocator.
        Slub = "slub", "SLUB";
    }
}

choices! {
    /// A locking scheme.
    Locking {
        /// One pool, one lock.
        Pool = "pool", "One pool, one lock";
        /// Several pools chosen by hash, each with a lock.
        Pools = "pools", "Several pools, a lock each";
        /// A lock per size class.
        Class = "class", "A lock per size class";
        /// A lock per size class and a read-write lock of the pool (6.11 and later).
        ClassRw = "class-rw", "A lock per size class and a pool rwlock";
        /// zblock: a lock per block type.
        Type = "type", "A lock per block type (zblock)";
    }
}

choices! {
    /// A plot of the Geometry view.
    Plot {
        /// Bytes lost per object against its size.
        Loss = "loss", "Bytes lost";
        /// Bytes paid per object against its size.
        Cost = "cost", "Bytes paid";
        /// Share of objects that cross a page.
        Crossing = "crossing", "Objects across a page border";
    }
}

choices! {
    /// Colours of the page.
    Theme {
        /// As the reader's system says.
        Auto = "auto", "As the system";
        /// Dark on light.
        Light = "light", "Light";
        /// Light on dark.
        Dark = "dark", "Dark";
    }
}

choices! {
    /// How much of the page is shown around a figure.
    Ui {
        /// Everything.
        Full = "full", "Everything";
        /// The figure and its timeline.
        Controls = "controls", "Picture and controls";
        /// The figure.
        Min = "min", "Picture only";
    }
}

choices! {
    /// What the Cases view shows: a published result that is worked out again, or a table to look things up in.
    Case {
        /// SLUB order + 1.
        SlubOrder = "2008-slub-order", "2008: one SLUB order more";
        /// Order of partly filled zspages.
        PartialOrdering = "2015-partial-ordering", "2015: order of partly filled zspages";
        /// More pages per zspage.
        MorePages = "2016-more-pages", "2016: more pages per zspage";
        /// One pool lock, many pools, per-class locks.
        Locks = "2024-locks", "2024: one lock, 32 pools or a lock per class";
        /// zblock against zsmalloc.
        Zblock = "2025-zblock", "2025: zblock and zsmalloc";
        /// The glossary.
        Glossary = "glossary", "Words";
        /// What each model was compared with.
        Evidence = "evidence", "How we know";
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, View};

    #[test]
    fn names_find_their_way_back() {
        for view in View::ALL {
            assert_eq!(View::from_name(view.name()), Some(*view));
        }
        assert_eq!(Case::from_name("2016"), None);
    }
}
