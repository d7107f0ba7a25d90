//! SLUB's orders under other settings, predicted from one boot and compared with another.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_answers::slub::{SlabRow, answer, present, read_rows};
use slabscope_core::slub::{Config, Generation};
use slabscope_tests::{data, golden};

/// Predicts the slabs of the second boot, at `max_order`, from the first. Number of caches compared. Slabs of one
/// page do not tell the CPUs, so they are given.
fn check(from: &str, to: &str, max_order: u8) -> usize {
    let (from, to) = (read_rows(from).unwrap().rows, read_rows(to).unwrap().rows);
    let now = present(&from, None, Some(2), None);
    assert_eq!(now.matching, now.rows, "{now:?}");
    let found = answer(&from, &now.config, &Config { max_order, ..now.config });
    let mut compared = 0;
    for cache in &found.caches {
        // A cache of the same name may be merged with others in one boot only, and be larger then.
        let same = |row: &&SlabRow| row.name == cache.row.name && row.objsize == cache.row.objsize;
        let Some(real) = to.iter().find(same) else { continue };
        let then = cache.then.unwrap();
        assert_eq!((then.objects, 1 << then.order), (real.per_slab, real.slab_pages), "{}", real.name);
        compared += 1;
    }
    compared
}

#[test]
fn a_boot_with_max_order_0_has_the_orders_predicted_from_an_ordinary_one() {
    let (from, to) = ("whatif/slabinfo_6.12_default.txt", "whatif/slabinfo_6.12_max_order_0.txt");
    assert_eq!(check(&data(from).unwrap(), &data(to).unwrap(), 0), 51);
    assert_eq!(check(&data(to).unwrap(), &data(from).unwrap(), 3), 51);
}

#[test]
fn every_golden_boot_is_explained() {
    for (boot, generation) in [
        ("6.1.192_smp2_debugFZPU", Generation::Classic),
        ("6.1.192_smp2_default", Generation::Classic),
        ("6.12.117_smp1_default", Generation::Modern),
        ("6.12.117_smp2_default", Generation::Modern),
        ("6.12.117_smp2_maxorder0", Generation::Modern),
        ("6.12.117_smp2_modules", Generation::Modern),
    ] {
        let Some(text) = golden(&format!("real/slabinfo_{boot}.txt")) else { return };
        let rows = read_rows(&text).unwrap().rows;
        let found = present(&rows, Some(generation), None, None);
        assert_eq!((found.matching, found.config.page_shift), (rows.len(), 12), "{boot}");
    }
}

#[test]
fn the_generation_before_explains_the_lines_of_its_kernel() {
    let rows = read_rows(&data("slub/slabinfo_6.1.192_debug.txt").unwrap()).unwrap().rows;
    assert_eq!(present(&rows, Some(Generation::Classic), None, None).matching, rows.len());
}
