//! The stream of operations that the replay budget is defined on.

use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::ObjectId;
use slabscope_core::rng::Rng;

/// `operations` allocations and frees: 65 % allocations until `live` objects live, then 50 %. Sizes are
/// uniform in 1..=4096, frees uniform among the live, the number of a freed object is used again.
pub fn churn(operations: usize, live: usize, seed: u64) -> Ops {
    let mut rng = Rng::new(seed);
    let mut ops = Ops::new();
    let mut alive: Vec<u32> = Vec::with_capacity(live);
    let mut spare: Vec<u32> = Vec::new();
    let mut filled = false;
    for _ in 0..operations {
        filled |= alive.len() >= live;
        let allocations = if filled { 50 } else { 65 };
        if alive.is_empty() || rng.chance(allocations, 100) {
            // Numbers are dense: without a spare one all below the count of the living are taken.
            let number = spare.pop().unwrap_or(alive.len() as u32);
            ops.push(Op::Alloc { object: ObjectId(number), size: 1 + rng.below(4096) });
            alive.push(number);
        } else {
            let number = alive.swap_remove(rng.below(alive.len() as u32) as usize);
            ops.push(Op::Free { object: ObjectId(number) });
            spare.push(number);
        }
    }
    ops
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::churn;
    use slabscope_core::ops::Op;

    #[test]
    fn every_operation_is_valid_and_the_target_is_held() {
        let mut alive = BTreeSet::new();
        let mut most = 0;
        for op in churn(50_000, 5_000, 1).iter() {
            match op {
                Op::Alloc { object, size } => {
                    assert!((1..=4096).contains(&size));
                    assert!(alive.insert(object));
                }
                Op::Free { object } => assert!(alive.remove(&object)),
                Op::Compact | Op::Report => unreachable!("neither is part of the stream"),
            }
            most = most.max(alive.len());
        }
        assert!((5_000..6_500).contains(&most), "{most}");
        assert_eq!(alive.iter().next_back().map(|object| (object.0 as usize) < most), Some(true));
    }
}
