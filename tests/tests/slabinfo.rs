//! `/proc/slabinfo` of running kernels, written again from its fields.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::slub::{Config, Generation, Geometry, Pool};
use slabscope_formats::slabinfo_text::{HEADING, SlabinfoRow, pool_rows, rows, write_slabinfo};
use slabscope_formats::{Format, read};
use slabscope_tests::{data, golden};

/// The lines of a file, each of them whole.
fn read_rows(text: &str) -> Vec<SlabinfoRow> {
    let paste = read(text);
    rows(paste.first(Format::Slabinfo).unwrap()).into_iter().collect::<Option<_>>().unwrap()
}

/// Reads every line and writes the file again.
fn check(name: &str, text: &str) -> usize {
    assert!(text.lines().take(2).eq(HEADING), "{name}");
    let rows = read_rows(text);
    assert_eq!(rows.len(), text.lines().count() - 2, "{name}");
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

/// Compares the kmalloc caches of a file from a machine without debugging with those of a pool.
fn check_kmalloc(generation: Generation, cpus: u32, text: &str) -> usize {
    let pool = Pool::new(Geometry::new(&Config { cpus, ..Config::default_for(generation) }).unwrap());
    let shape = |row: &SlabinfoRow| (row.objsize, row.objperslab, row.pagesperslab);
    let ours = pool_rows(&pool);
    let named = |theirs: &SlabinfoRow| {
        let is_ours =
            theirs.name.strip_prefix("kmalloc-").is_some_and(|rest| rest.starts_with(char::is_numeric));
        is_ours.then(|| ours.iter().find(|row| row.name == theirs.name).unwrap())
    };
    let mut compared = 0;
    for theirs in read_rows(text) {
        if let Some(ours) = named(&theirs) {
            assert_eq!(shape(ours), shape(&theirs), "{}", theirs.name);
            compared += 1;
        }
    }
    compared
}

#[test]
fn kmalloc_caches_are_those_of_the_kernel() {
    assert!(check_kmalloc(Generation::Modern, 2, &data("slub/slabinfo_6.12.117.txt").unwrap()) > 0);
    for (boot, generation, cpus) in [
        ("6.1.192_smp2_default", Generation::Classic, 2),
        ("6.12.117_smp1_default", Generation::Modern, 1),
        ("6.12.117_smp2_default", Generation::Modern, 2),
    ] {
        let Some(text) = golden(&format!("real/slabinfo_{boot}.txt")) else { return };
        assert_eq!(check_kmalloc(generation, cpus, &text), 13, "{boot}");
    }
}

#[test]
fn free_objects_that_the_cpu_holds_count_as_active() {
    let config = Config { object_size: 208, ..Config::default_for(Generation::V2_6_26) };
    let mut pool = Pool::new(Geometry::new(&config).unwrap());
    for object in 0..40 {
        pool.malloc(ObjectId(object), 208, &mut Ignore).unwrap();
    }
    // One hole in the first slab, which is the node's then; the second slab is the CPU's and has 38 left.
    pool.free(ObjectId(7), &mut Ignore).unwrap();
    let mut out = Vec::new();
    write_slabinfo(&pool_rows(&pool), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let line = "objects-208           77     78    208   39    2 : tunables    0    0    0 : slabdata      2      2      0";
    assert_eq!(text.lines().nth(2), Some(line));
}
