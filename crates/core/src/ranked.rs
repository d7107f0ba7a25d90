//! One sort for everything that is put in order for reading. Each sort of a type of its own weighs some kilobytes in
//! WebAssembly, and none of these lists is long.

/// Positions of keys in ascending order; equal keys stay in their order.
#[inline(never)]
pub fn ascending(keys: &[i64]) -> Vec<u32> {
    let mut order: Vec<(i64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, position)| position).collect()
}

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
