//! Fullness groups.

use super::{Geometry, Grouping};

/// Most groups of any era.
pub(super) const GROUP_SLOTS: usize = 12;

const QUARTERS: &[&str] = &["empty", "almost_empty", "almost_full", "full"];
const TENTHS: &[&str] = &["0%", "10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%", "99%", "100%"];

impl Grouping {
    /// Names as the kernel's classes file prints them, emptiest first.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Quarters => QUARTERS,
            Self::Tenths => TENTHS,
        }
    }

    /// The group of a zspage with `inuse` of `objects` objects. Almost empty reaches three quarters
    /// (the comment of those kernels says one quarter, the code does not); tenths round down, so that
    /// exactly 10 % counts as 20 %.
    pub const fn of(self, inuse: u32, objects: u32) -> u8 {
        let full = self.names().len() as u8 - 1;
        if inuse == 0 {
            return Groups::EMPTY;
        }
        if inuse >= objects {
            return full;
        }
        match self {
            Self::Quarters if inuse <= 3 * objects / 4 => Groups::ALMOST_EMPTY,
            Self::Quarters => Groups::ALMOST_FULL,
            Self::Tenths => (100 * inuse / objects / 10) as u8 + 1,
        }
    }
}

/// The group of every fill of every class, looked up instead of divided out.
#[derive(Debug)]
pub(super) struct Groups {
    grouping: Grouping,
    /// Groups of 0, 1, ... objects in use, class after class.
    table: Vec<u8>,
}

impl Groups {
    pub(super) const EMPTY: u8 = 0;
    pub(super) const ALMOST_EMPTY: u8 = 1;
    pub(super) const ALMOST_FULL: u8 = 2;

    /// The table for a class of every number of objects, and where each class starts in it.
    pub(super) fn new(geometry: &Geometry, grouping: Grouping) -> (Self, Vec<u32>) {
        let mut table = Vec::new();
        let mut starts = Vec::with_capacity(geometry.classes().len());
        for class in geometry.classes() {
            starts.push(table.len() as u32);
            let objects = u32::from(class.objects);
            table.extend((0..=objects).map(|inuse| grouping.of(inuse, objects)));
        }
        (Self { grouping, table }, starts)
    }

    /// The group of a fill, for the class that starts at `start`.
    #[inline]
    pub(super) fn of(&self, start: u32, inuse: u16) -> u8 {
        self.table[start as usize + usize::from(inuse)]
    }

    pub(super) fn names(&self) -> &'static [&'static str] {
        self.grouping.names()
    }

    /// The group of full zspages.
    pub(super) fn full(&self) -> u8 {
        self.names().len() as u8 - 1
    }

    /// A bit for each group that is neither empty nor full.
    #[inline]
    pub(super) fn partial_mask(&self) -> u16 {
        match self.grouping {
            Grouping::Quarters => 0b0110,
            Grouping::Tenths => 0b0111_1111_1110,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_count_three_of_four_as_almost_empty() {
        let of = |inuse, objects| QUARTERS[usize::from(Grouping::Quarters.of(inuse, objects))];
        assert_eq!(
            [of(0, 5), of(3, 5), of(4, 5), of(5, 5)],
            ["empty", "almost_empty", "almost_full", "full"]
        );
        assert_eq!([of(3, 4), of(1, 2), of(1, 1)], ["almost_empty", "almost_empty", "full"]);
    }

    #[test]
    fn tenths_put_exact_multiples_in_the_next_group() {
        let of = |inuse, objects| TENTHS[usize::from(Grouping::Tenths.of(inuse, objects))];
        assert_eq!([of(1, 10), of(1, 2), of(9, 10), of(99, 100)], ["20%", "60%", "99%", "99%"]);
        assert_eq!([of(1, 11), of(10, 10), of(0, 10)], ["10%", "100%", "0%"]);
    }
}
