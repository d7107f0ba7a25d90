//! Two class tables of one pool, before and after: what changed in each class.

use crate::input::{ClassHeld, Input};

/// A class before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassChange {
    /// Bytes of an object, handle included.
    pub size: u32,
    /// Objects before and after.
    pub objects: [u64; 2],
    /// Pages before and after.
    pub pages: [u64; 2],
    /// Pages that compaction would return before and after.
    pub freeable: [u64; 2],
}

/// The classes that differ, smallest first, and the sums of all classes as one of size 0. Classes are told apart by
/// their sizes: those of another setting are other classes.
pub fn changes(before: &Input, after: &Input) -> (Vec<ClassChange>, ClassChange) {
    let mut sizes: Vec<u32> = before.classes.iter().chain(&after.classes).map(|class| class.size).collect();
    slabscope_core::ranked::distinct(&mut sizes);
    let of = |size: u32| {
        let part = |input: &Input, part: fn(&ClassHeld) -> u64| {
            input.classes.iter().filter(|class| class.size == size).map(part).fold(0, u64::saturating_add)
        };
        let both = |held: fn(&ClassHeld) -> u64| [part(before, held), part(after, held)];
        ClassChange {
            size,
            objects: both(|class| class.objects),
            pages: both(|class| class.pages),
            freeable: both(|class| class.freeable),
        }
    };
    let all: Vec<ClassChange> = sizes.into_iter().map(of).collect();
    let sum = |part: fn(&ClassChange) -> [u64; 2]| {
        all.iter().fold([0u64; 2], |sum, change| {
            let [before, after] = part(change);
            [sum[0].saturating_add(before), sum[1].saturating_add(after)]
        })
    };
    let sums = ClassChange {
        size: 0,
        objects: sum(|change| change.objects),
        pages: sum(|change| change.pages),
        freeable: sum(|change| change.freeable),
    };
    let differs =
        |change: &ClassChange| change.objects[0] != change.objects[1] || change.pages[0] != change.pages[1];
    (all.into_iter().filter(differs).collect(), sums)
}

/// How much more or less, with its sign.
pub fn signed([before, after]: [u64; 2]) -> String {
    let sign = if after < before { "-" } else { "+" };
    format!("{sign}{}", slabscope_core::tell::grouped(before.abs_diff(after)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::input::{Machine, read_input};

    #[test]
    fn what_compaction_returned_is_told_by_class() {
        let heading = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n";
        let input = |rows: &str| read_input(&format!("{heading}{rows}"), &Machine::default()).unwrap();
        let before = input("100 1632 0 0 15000 10000 6000 2 2000\n 202 3264 0 0 5 5 4 4 0\n");
        let after =
            input("100 1632 0 0 10000 10000 4000 2 0\n 202 3264 0 0 5 5 4 4 0\n 254 4096 0 0 3 3 3 1 0\n");
        let (found, sums) = changes(&before, &after);
        assert_eq!(found.iter().map(|change| change.size).collect::<Vec<_>>(), [1632, 4096]);
        assert_eq!(
            (found[0].pages, found[0].freeable, signed(found[0].pages)),
            ([6000, 4000], [2000, 0], "-2,000".to_owned())
        );
        assert_eq!(
            (sums.pages, sums.objects, signed(sums.objects)),
            ([6004, 4007], [10_005, 10_008], "+3".to_owned())
        );
    }
}
