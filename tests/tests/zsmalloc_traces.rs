//! zsmalloc traces against those of compiled kernels.

#![allow(clippy::unwrap_used)]

use slabscope_core::zsmalloc::{Bits, Config, Era, Geometry, Pool};
use slabscope_formats::replay::{Output, replay_zsmalloc};
use slabscope_tests::golden;

/// `e6.12_b64_p52_s12_m8` as a configuration.
fn config(tag: &str) -> Config {
    let fields: Vec<&str> = tag.split('_').collect();
    let number = |index: usize| fields[index][1..].parse::<u8>().unwrap();
    Config {
        era: Era::from_name(&fields[0][1..]).unwrap(),
        bits: Bits::from_count(number(1).into()).unwrap(),
        phys_bits: number(2),
        page_shift: number(3),
        max_pages: number(4),
        class_delta: None,
    }
}

fn replay(tag: &str, trace: &str, output: Output) -> String {
    let pool = Pool::new(Geometry::new(&config(tag)).unwrap());
    let mut out = Vec::new();
    replay_zsmalloc(pool, trace.as_bytes(), output, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn first_difference(ours: &str, theirs: &str) -> String {
    let pair = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    pair.map_or_else(
        || format!("{} lines against {}", ours.lines().count(), theirs.lines().count()),
        |(line, (ours, theirs))| format!("line {}:\n{ours}\n{theirs}", line + 1),
    )
}

#[test]
fn every_golden_trace_byte_for_byte() {
    let Some(folder) = std::env::var_os("SLABSCOPE_GOLDEN") else { return };
    let expected = std::path::PathBuf::from(folder).join("zsmalloc/traces/expected");
    let (mut files, mut bytes) = (0, 0);
    let mut tags: Vec<_> = std::fs::read_dir(expected).unwrap().map(|entry| entry.unwrap().path()).collect();
    tags.sort();
    for path in tags {
        let tag = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut names: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let output = if path.extension().unwrap() == "log" { Output::Log } else { Output::Report };
            let trace = golden(&format!("zsmalloc/traces/{stem}.trace")).unwrap();
            let theirs = std::fs::read_to_string(&path).unwrap();
            let ours = replay(&tag, &trace, output);
            assert!(ours == theirs, "{tag} {stem} {output:?}: {}", first_difference(&ours, &theirs));
            files += 1;
            bytes += theirs.len();
        }
    }
    println!("{files} files, {bytes} bytes");
}
