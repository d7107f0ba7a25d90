//! What-if predictions against tables of running kernels, and what holds of any pool.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_answers::accuracy::{self, COLUMNS, Row};
use slabscope_answers::figures::figures;
use slabscope_answers::input::{Machine, read_input};
use slabscope_answers::waterfall::waterfall;
use slabscope_core::zsmalloc::{Config, Geometry};
use slabscope_tests::{data, testdata};

fn rows() -> Vec<Row> {
    accuracy::rows(&data("whatif/evidence.tsv").unwrap(), data).unwrap()
}

/// The rows are printed elsewhere from this file. `SLABSCOPE_BLESS=1` writes it anew.
#[test]
fn predictions_are_as_near_as_they_were() {
    let mut text = COLUMNS.join("\t") + "\n";
    for row in rows() {
        text += &(row.cells().join("\t") + "\n");
    }
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::write(testdata("whatif/accuracy.tsv"), &text).unwrap();
    }
    assert_eq!(text, data("whatif/accuracy.tsv").unwrap());
}

#[test]
fn a_large_pool_lies_within_the_bounds_and_near_what_is_expected() {
    let large: Vec<Row> =
        rows().into_iter().filter(|row| row.what.starts_with("2016") && row.bounds.is_some()).collect();
    assert!(large.len() >= 6);
    for row in large {
        let [low, high, at_least, at_most] = row.bounds.unwrap();
        assert!((low..=high).contains(&row.measured), "{row:?}");
        assert!((at_least..=at_most).contains(&row.measured), "{row:?}");
        // Half a percent, and a little more over the longest way.
        let permille = if row.what.contains(": 16 pages") { 6 } else { 5 };
        assert!(row.predicted.abs_diff(row.measured) * 1000 < row.measured * permille, "{row:?}");
    }
}

#[test]
fn a_small_pool_lies_within_the_certain_bounds() {
    let small: Vec<Row> = rows().into_iter().filter(|row| row.what.starts_with("A small pool")).collect();
    assert!(small.len() >= 12);
    for row in small {
        if let Some([_, _, at_least, at_most]) = row.bounds {
            assert!((at_least..=at_most).contains(&row.measured), "{row:?}");
        }
        assert!(row.predicted.abs_diff(row.measured) * 20 < row.measured, "{row:?}");
    }
}

/// The exact sizes of every page, and the classes that the kernel put them in.
#[test]
fn every_size_lies_in_the_interval_of_its_class() {
    for max_pages in [4, 8] {
        let table = read_input(
            &data(&format!("whatif/2016_max{max_pages}_classes.txt")).unwrap(),
            &Machine::default(),
        )
        .unwrap();
        assert_eq!(table.own.max_pages, max_pages);
        let sizes = data(&format!("whatif/2016_max{max_pages}_sizes.txt")).unwrap();
        let mut left: Vec<u64> = table.classes.iter().map(|class| class.objects).collect();
        for line in sizes.lines().skip(1) {
            let (size, count) = line.split_once(' ').unwrap();
            let (size, count): (u32, u64) = (size.parse().unwrap(), count.parse().unwrap());
            let class =
                table.classes.iter().position(|class| (class.from..=class.to).contains(&size)).unwrap();
            left[class] -= count;
        }
        assert!(left.iter().all(|&left| left == 0));
    }
}

/// From more pages to fewer what was stored whole stays so: the other kernel's table follows exactly.
#[test]
fn from_more_pages_to_fewer_a_table_is_exact() {
    for row in rows().iter().filter(|row| row.what.contains("after") && row.what.contains("4 pages from")) {
        if let Some([low, high, ..]) = row.bounds {
            assert_eq!((row.predicted, low, high), (row.measured, row.measured, row.measured), "{row:?}");
        }
    }
}

#[test]
fn the_waterfall_of_a_running_kernel_adds_up() {
    // mm_stat of the same moments.
    for (file, orig_data_size, compr_data_size, mem_used_total, same_pages) in [
        ("whatif/zram_6.12_phase5_max4_classes.txt", 32_768_000, 12_969_569, 13_737_984, 334),
        ("zsmalloc/real/zram_6.12.117_phase5_classes.txt", 32_768_000, 12_890_561, 14_245_888, 334),
        ("whatif/zram_6.12_phase7_max8_classes.txt", 12_922_880, 4_994_758, 11_751_424, 136),
        ("whatif/zram_6.12_phase10_max4_classes.txt", 15_400_960, 6_097_623, 9_150_464, 142),
    ] {
        let input = read_input(&data(file).unwrap(), &Machine::default()).unwrap();
        let mm_stat =
            format!("{orig_data_size} {compr_data_size} {mem_used_total} 0 {mem_used_total} {same_pages} 0");
        let zram = figures(slabscope_formats::read(&mm_stat).tables());
        let found = waterfall(&input, zram.first()).unwrap();
        assert_eq!(found.warnings, [""; 0], "{file}");
        assert_eq!(found.pool.iter().map(|line| line.bytes).sum::<u64>(), mem_used_total);
        assert!(found.pool.iter().all(|line| line.is_exact));
    }
}

/// A class table built at any setting gives the intervals of that setting.
#[test]
fn intervals_are_those_of_the_geometry() {
    let input = read_input(&data("whatif/2016_max8_classes.txt").unwrap(), &Machine::default()).unwrap();
    let geometry = Geometry::new(&Config { max_pages: 8, ..input.own }).unwrap();
    for class in &input.classes {
        let position = geometry.class_of(class.from).unwrap();
        assert_eq!(geometry.requests(position), Some((class.from, class.to)));
        assert_eq!(geometry.classes()[position].size, class.size);
    }
}
