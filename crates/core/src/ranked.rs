//! One sort for everything that is put in order for reading. Each sort of a type of its own weighs some kilobytes in
//! WebAssembly, and none of these lists is long.

use crate::told::leading;

/// Positions of keys in ascending order; equal keys stay in their order.
#[inline(never)]
pub fn ascending(keys: &[i64]) -> Vec<u32> {
    let mut order: Vec<(i64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, position)| position).collect()
}

/// Bytes of a text that are compared at a time; what is alike for longer stays in its order.
const STRETCH: usize = 7;
/// How often.
const STRETCHES: usize = 6;

/// Positions of cells of a table in ascending order: numbers by their value and then by what follows them, behind them
/// texts by their letters, capital or not.
pub fn cells(cells: &[&str]) -> Vec<u32> {
    let told: Vec<_> = cells.iter().map(|cell| leading(cell)).collect();
    let letters = |text: &str, stretch: usize| {
        let bytes = text.bytes().map(|byte| byte.to_ascii_lowercase()).chain(std::iter::repeat(0));
        bytes.skip(stretch * STRETCH).take(STRETCH).fold(0, |key, byte| key << 8 | i64::from(byte))
    };
    let key = |at: usize, stretch: usize| match (&told[at], stretch) {
        (Some(number), 0) => number.hundredths.clamp(-TEXT, TEXT - 1),
        (Some(number), stretch) => letters(number.rest, stretch - 1),
        (None, 0) => TEXT + letters(cells[at], 0),
        (None, stretch) => letters(cells[at], stretch),
    };
    // Sorted by the last letters first, each time keeping what is known.
    let mut order: Vec<u32> = (0..).take(cells.len()).collect();
    for stretch in (0..STRETCHES).rev() {
        let keys: Vec<i64> = order.iter().map(|&at| key(at as usize, stretch)).collect();
        order = ascending(&keys).into_iter().map(|place| order[place as usize]).collect();
    }
    order
}

/// Above the key of every number.
const TEXT: i64 = 1 << 60;

/// Puts items in ascending order of a number; equal ones stay in their order.
pub fn rank<T>(items: &mut Vec<T>, key: impl Fn(&T) -> i64) {
    let keys: Vec<i64> = items.iter().map(key).collect();
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(ascending(&keys).into_iter().filter_map(|at| taken.get_mut(at as usize)?.take()));
}

/// A key that puts the largest first.
pub const fn largest_first(number: u64) -> i64 {
    // The complement turns the order round, the highest bit becomes a sign.
    (!number ^ (1 << 63)).cast_signed()
}

/// Sorts small numbers and drops those that occur again.
pub fn distinct(numbers: &mut Vec<u32>) {
    let keys: Vec<i64> = numbers.iter().map(|&number| number.into()).collect();
    *numbers = ascending(&keys).into_iter().filter_map(|at| numbers.get(at as usize).copied()).collect();
    numbers.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_sorted_as_numbers_and_texts_as_texts() {
        let sorted =
            |all: &[&str]| cells(all).into_iter().map(|at| all[at as usize].to_owned()).collect::<Vec<_>>();
        assert_eq!(
            sorted(&["same", "1,234", "\u{2212}50 (\u{2212}25.0 %)", "3.5", "3.25", ""]),
            ["\u{2212}50 (\u{2212}25.0 %)", "3.25", "3.5", "1,234", "", "same"]
        );
        assert_eq!(sorted(&["dentry", "buffer_head", "Acpi", "b"]), ["Acpi", "b", "buffer_head", "dentry"]);
        let long = ["4.2-rfc3af", "4.2", "4.2-rfc3", "kmalloc-rcl-128", "kmalloc-cg-64", "10"];
        assert_eq!(
            sorted(&long),
            ["4.2", "4.2-rfc3", "4.2-rfc3af", "10", "kmalloc-cg-64", "kmalloc-rcl-128"]
        );
    }

    #[test]
    fn equal_keys_stay_in_their_order() {
        assert_eq!(ascending(&[5, -1, 5, 0]), [1, 3, 0, 2]);
        let mut words = vec!["ccc", "a", "bb", "d", "ee"];
        rank(&mut words, |word| largest_first(word.len() as u64));
        assert_eq!(words, ["ccc", "bb", "ee", "a", "d"]);
        let mut ends = vec![0, u64::MAX / 2, u64::MAX, u64::MAX / 2 + 1];
        rank(&mut ends, |end| largest_first(*end));
        assert!(ends.is_sorted_by(|a, b| a > b), "{ends:?}");
        let mut numbers = vec![8, 4, 8, 1];
        distinct(&mut numbers);
        assert_eq!(numbers, [1, 4, 8]);
    }
}
