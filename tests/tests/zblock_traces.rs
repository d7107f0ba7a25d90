//! zblock traces against the golden data.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_core::zblock::{Geometry, Pool};
use slabscope_formats::replay::{Output, replay_zblock};
use slabscope_tests::digest::Digest;
use slabscope_tests::zblock::config_of_tag;
use slabscope_tests::{data, golden};

fn replay(tag: &str, trace: &str) -> String {
    let pool = Pool::new(Geometry::new(&config_of_tag(tag).unwrap()).unwrap());
    let mut out = Vec::new();
    replay_zblock(pool, trace.as_bytes(), Output::Report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn without_operations(text: &str) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !line.starts_with("a\t") && !line.starts_with("f\t"));
    kept.collect()
}

/// Theirs may leave the operations out: then ours are not looked at either.
fn assert_same(ours: &str, theirs: &str, what: &str) {
    let snapshots = if theirs.starts_with('S') { Some(without_operations(ours)) } else { None };
    let ours = snapshots.as_deref().unwrap_or(ours);
    assert!(ours == theirs, "{what}: {}", first_difference(ours, theirs));
}

fn first_difference(ours: &str, theirs: &str) -> String {
    let pair = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    pair.map_or_else(
        || format!("{} lines against {}", ours.lines().count(), theirs.lines().count()),
        |(line, (ours, theirs))| format!("line {}:\n{ours}\n{theirs}", line + 1),
    )
}

fn trace(name: &str) -> String {
    data(&format!("zblock/traces/{name}.trace")).unwrap()
}

#[test]
fn every_trace_has_its_digest() {
    let mut compared = 0;
    for what in ["report", "snapshots"] {
        for row in Digest::all("zblock", what).unwrap() {
            let mut ours = replay(&row.tag, &trace(&row.of));
            if what == "snapshots" {
                ours = without_operations(&ours);
            }
            assert!(row.is_of(&ours), "{what} of {} on {} differs", row.of, row.tag);
            compared += 1;
        }
    }
    assert_eq!(compared, 90);
}

#[test]
fn whole_texts_for_diagnosis() {
    let folder = slabscope_tests::testdata("zblock/expected");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (name, tag) = path.file_stem().unwrap().to_str().unwrap().split_once('.').unwrap();
        let theirs = std::fs::read_to_string(&path).unwrap();
        assert_same(&replay(tag, &trace(name)), &theirs, &format!("{name} on {tag}"));
        compared += 1;
    }
    assert_eq!(compared, 7);
}

#[test]
fn every_golden_trace_byte_for_byte() {
    let Some(folder) = std::env::var_os("SLABSCOPE_GOLDEN") else { return };
    let expected = std::path::PathBuf::from(folder).join("zblock/traces/expected");
    let (mut files, mut lines, mut operations, mut bytes) = (0, 0, 0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(expected).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let fields: Vec<&str> = name.split('.').collect();
        let tag = format!("{}_s{}", fields[1], fields[2].parse::<u32>().unwrap().ilog2());
        let theirs = std::fs::read_to_string(&path).unwrap();
        let trace = golden(&format!("zblock/traces/{}.trace", fields[0])).unwrap();
        assert_same(&replay(&tag, &trace), &theirs, name);
        files += 1;
        bytes += theirs.len();
        lines += theirs.lines().count();
        operations += theirs.lines().filter(|line| line.starts_with(['a', 'f'])).count();
    }
    eprintln!("{files} files, {lines} lines, {operations} of them operations, {bytes} bytes");
}
