//! zbud and z3fold as reference lines beside the predictions.

use slabscope_core::packing::whole_objects_bound;

use crate::input::Input;

/// Allocators that keep whole objects only, and how many a page takes at most.
const KEEPERS: [(&str, u32); 2] = [("zbud", 2), ("z3fold", 3)];

/// Pages of the input's size that each of them needs at least: a bound that ignores their headers and the rounding
/// to chunks, not a prediction.
pub fn reference_lines(input: &Input) -> [(&'static str, u64); 2] {
    let (bytes, _) = input.population.stored_bytes();
    let objects = input.population.objects();
    KEEPERS
        .map(|(name, per_page)| (name, whole_objects_bound(per_page, input.own.page_bytes(), objects, bytes)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::input::{Machine, read_input};

    #[test]
    fn objects_or_bytes_set_the_bound() {
        let lines = |text: &str| reference_lines(&read_input(text, &Machine::default()).unwrap());
        assert_eq!(lines("100 10\n"), [("zbud", 5), ("z3fold", 4)]);
        assert_eq!(lines("4000 6\n"), [("zbud", 6), ("z3fold", 6)]);
    }
}
