//! `/proc/slabinfo` of running kernels, written again from its fields.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_formats::slabinfo_text::{HEADING, parse_row, write_slabinfo};
use slabscope_tests::{data, golden};

/// Reads every line and writes the file again.
fn check(name: &str, text: &str) -> usize {
    assert!(text.lines().take(2).eq(HEADING), "{name}");
    let rows: Vec<_> = text.lines().skip(2).map(|line| parse_row(line).unwrap()).collect();
    let mut written = Vec::new();
    write_slabinfo(&rows, &mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), text, "{name}");
    rows.len()
}

#[test]
fn lines_of_two_kernels() {
    for name in ["slabinfo_6.12.117.txt", "slabinfo_6.1.192_debug.txt"] {
        assert!(check(name, &data(&format!("slub/{name}")).unwrap()) > 30);
    }
}

#[test]
fn every_golden_line() {
    let boots = [
        "6.1.192_smp2_debugFZPU",
        "6.1.192_smp2_default",
        "6.12.117_smp1_default",
        "6.12.117_smp2_default",
        "6.12.117_smp2_maxorder0",
        "6.12.117_smp2_modules",
    ];
    let files = boots.map(|boot| golden(&format!("real/slabinfo_{boot}.txt")));
    let lines: usize =
        boots.iter().zip(&files).filter_map(|(boot, text)| text.as_ref().map(|text| check(boot, text))).sum();
    eprintln!("{lines} lines");
}
