//! The look-up of a size, comparison by comparison.

use crate::pool::MallocError;

use super::{Find, Geometry};

/// One comparison of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Index of the type or of the tree node.
    pub index: u16,
    /// The size that the request was compared with: the slot size of that type or, in a tree of intervals,
    /// also the end of its interval.
    pub size: u32,
}

/// How the type for a size was found, or why none was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The block type.
    pub result: Result<u16, MallocError>,
    /// The comparisons with the table in the order in which the kernel makes them. The tests for 0 and for the
    /// largest size, which come first, are not among them.
    pub comparisons: Vec<Compared>,
}

impl Lookup {
    /// Number of comparisons.
    pub fn count(&self) -> usize {
        self.comparisons.len()
    }
}

impl Geometry {
    /// Looks a size up as the kernel does.
    pub fn lookup(&self, size: u32) -> Lookup {
        let mut comparisons = Vec::new();
        let result = match self.refused_at_once(size) {
            Some(error) => Err(error),
            None => match self.rules().find {
                Find::Linear => self.linear(size, &mut comparisons),
                Find::Tree(_) => self.intervals(size, &mut comparisons),
                Find::LowerBound => self.lower_bound(size, &mut comparisons),
            }
            .ok_or_else(|| self.refusal(size)),
        };
        Lookup { result, comparisons }
    }

    /// The tests in front of the look-up.
    fn refused_at_once(&self, size: u32) -> Option<MallocError> {
        let last_slot = self.types().last().map_or(0, |last| last.slot_size);
        let page = self.config().page_bytes();
        let largest = match self.rules().find {
            Find::Tree(super::TableEnd::Unchecked) => last_slot,
            Find::Linear | Find::Tree(_) | Find::LowerBound => page,
        };
        if size == 0 {
            return Some(MallocError::ZeroSize);
        }
        (size > largest).then(|| self.refusal(size))
    }

    fn linear(&self, size: u32, comparisons: &mut Vec<Compared>) -> Option<u16> {
        for kind in self.types() {
            comparisons.push(Compared { index: kind.index, size: kind.slot_size });
            if size <= kind.slot_size {
                return Some(kind.index);
            }
        }
        None
    }

    /// Node `i` covers the sizes from its slot size up to the next one and leads to type `i + 1`.
    fn intervals(&self, size: u32, comparisons: &mut Vec<Compared>) -> Option<u16> {
        let first = self.types().first()?;
        comparisons.push(Compared { index: 0, size: first.slot_size });
        if size < first.slot_size {
            return Some(0);
        }
        let mut node = self.tree.root();
        while let Some(index) = node {
            let from = self.types().get(usize::from(index))?.slot_size;
            comparisons.push(Compared { index, size: from });
            if size < from {
                node = self.tree.left(index);
                continue;
            }
            let next = self.end_of_interval(index);
            comparisons.push(Compared { index, size: next });
            if size < next {
                // The last node leads to a type that the table does not have.
                return self.types().get(usize::from(index) + 1).map(|kind| kind.index);
            }
            node = self.tree.right(index);
        }
        None
    }

    fn end_of_interval(&self, index: u16) -> u32 {
        let page = self.config().page_bytes();
        match self.types().get(usize::from(index) + 1) {
            Some(next) => next.slot_size,
            None if self.rules().find == Find::Tree(super::TableEnd::Unchecked) => 2 * page,
            None => page,
        }
    }

    fn lower_bound(&self, size: u32, comparisons: &mut Vec<Compared>) -> Option<u16> {
        let (mut node, mut best) = (self.tree.root(), None);
        while let Some(index) = node {
            let slot = self.types().get(usize::from(index))?.slot_size;
            comparisons.push(Compared { index, size: slot });
            if size == slot {
                return Some(index);
            }
            node = if size < slot {
                best = Some(index);
                self.tree.left(index)
            } else {
                self.tree.right(index)
            };
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Version};
    use super::*;

    #[test]
    fn the_steps_lead_where_the_short_cut_leads() {
        for version in Version::ALL {
            for page_shift in Config::PAGE_SHIFTS {
                let Ok(geometry) = Geometry::new(&Config { version, page_shift }) else { continue };
                for size in 0..=(2 * geometry.config().page_bytes()) + 9 {
                    let lookup = geometry.lookup(size);
                    assert_eq!(lookup.result, geometry.type_of(size), "{} {size}", version.name());
                }
            }
        }
    }

    #[test]
    fn comparisons_are_those_of_the_kernel() {
        let geometry = |version| Geometry::new(&Config::default_for(version));
        let of = |version, size| {
            geometry(version).map(|geometry| {
                let lookup = geometry.lookup(size);
                (lookup.result, lookup.comparisons.iter().map(|step| step.index).collect::<Vec<_>>())
            })
        };
        assert_eq!(of(Version::Y2022, 177), Ok((Ok(2), vec![0, 1, 2])));
        assert_eq!(of(Version::Mm0508, 143), Ok((Ok(0), vec![0])));
        // The root of 37 nodes is node 7, node 15 is its right child; both ends of an interval are looked at.
        assert_eq!(of(Version::Mm0508, 1112), Ok((Ok(16), vec![0, 7, 7, 15, 15])));
        assert_eq!(of(Version::Mm0508, 4081), Ok((Err(MallocError::TooLarge { max: 4079 }), vec![])));
        assert_eq!(of(Version::V4, 0), Ok((Err(MallocError::ZeroSize), vec![])));
    }
}
