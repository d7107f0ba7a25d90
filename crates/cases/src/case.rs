//! The five cases by name.

use crate::Assumption;

/// A published result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Case {
    /// 2008: one more order for some SLUB caches.
    SlubOrder,
    /// 2015: order of partly full zspages inside a fullness list.
    PartialOrdering,
    /// 2016: more pages per zspage.
    MorePages,
    /// 2024: one pool lock, 32 pools, or a lock per size class.
    Locks,
    /// 2025: zblock against zsmalloc.
    Zblock,
}

struct Words {
    name: &'static str,
    title: &'static str,
    question: &'static str,
}

const WORDS: [Words; Case::ALL.len()] = [
    Words {
        name: "2008-slub-order",
        title: "One more order for some SLUB caches",
        question: "If at least half an object is lost at the end of a slab, does the next order, which always gains one object, save memory?",
    },
    Words {
        name: "2015-partial-ordering",
        title: "Order of partly full zspages",
        question: "When a zspage enters a fullness list, should fuller ones come first, so that they fill up and emptier ones drain?",
    },
    Words {
        name: "2016-more-pages",
        title: "More pages per zspage",
        question: "The number of pages in a zspage need not be a power of two. How much memory do 5 or 6 save over 4, what does it cost, and why not 8?",
    },
    Words {
        name: "2024-locks",
        title: "One pool lock, 32 pools, or a lock per class",
        question: "zsmalloc had moved from a lock per size class to one lock per pool, and zswap hid the contention behind 32 pools. Is one pool with a lock per class enough?",
    },
    Words {
        name: "2025-zblock",
        title: "zblock against zsmalloc",
        question: "zblock keeps whole objects in blocks of a few pages, with a fixed table of slot sizes. It is said to be faster; is it as dense?",
    },
];

impl Case {
    /// All cases, oldest first.
    pub const ALL: [Self; 5] =
        [Self::SlubOrder, Self::PartialOrdering, Self::MorePages, Self::Locks, Self::Zblock];

    const fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }

    /// The name on the command line and in the first column of tables.
    pub const fn name(self) -> &'static str {
        self.words().name
    }

    /// A few words for a picker.
    pub const fn title(self) -> &'static str {
        self.words().title
    }

    /// What was asked.
    pub const fn question(self) -> &'static str {
        self.words().question
    }

    /// The year of the posting, with which the name begins.
    pub fn year(self) -> &'static str {
        self.name().split_once('-').map_or("", |(year, _)| year)
    }

    /// What may be changed of it, in the order of a form.
    pub const fn assumptions(self) -> &'static [Assumption] {
        match self {
            Self::SlubOrder => crate::slub_order::ASSUMPTIONS,
            Self::PartialOrdering => crate::partial_ordering::ASSUMPTIONS,
            Self::MorePages => crate::more_pages::ASSUMPTIONS,
            Self::Locks => crate::lock_schemes::ASSUMPTIONS,
            Self::Zblock => crate::zblock_density::ASSUMPTIONS,
        }
    }

    /// The case of this name or year.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|case| case.name() == name || case.year() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn names_and_years_lead_back() {
        for case in Case::ALL {
            assert_eq!(Case::from_name(case.name()), Some(case));
            assert_eq!(Case::from_name(case.year()), Some(case));
        }
        assert!(Case::ALL.is_sorted_by_key(|case| case.name()));
        assert_eq!(Case::from_name("2016-more"), None);
    }
}
