//! One sort for everything that is put in order for reading. Each sort of a type of its own weighs some kilobytes in
//! WebAssembly, and none of these lists is long.

/// Positions of keys in ascending order; equal keys stay in their order.
#[inline(never)]
pub fn ascending(keys: &[i64]) -> Vec<u32> {
    let mut order: Vec<(i64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, position)| position).collect()
}

/// Puts items into ascending order of a number; equals stay in their order.
pub fn by_number<T: Copy>(items: &mut Vec<T>, number: impl Fn(&T) -> i64) {
    let keys: Vec<i64> = items.iter().map(number).collect();
    *items = ascending(&keys).into_iter().filter_map(|at| items.get(at as usize).copied()).collect();
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
        let mut pairs = vec![(2, 'a'), (1, 'b'), (2, 'c')];
        by_number(&mut pairs, |pair| pair.0);
        assert_eq!(pairs, [(1, 'b'), (2, 'a'), (2, 'c')]);
        let mut numbers = vec![8, 4, 8, 1];
        distinct(&mut numbers);
        assert_eq!(numbers, [1, 4, 8]);
    }
}
