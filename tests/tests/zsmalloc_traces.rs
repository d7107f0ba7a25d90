//! zsmalloc traces against compiled kernels and against a running one.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::path::PathBuf;

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, Pool as _};
use slabscope_core::zsmalloc::{Geometry, Pool};
use slabscope_formats::replay::{Output, replay_zsmalloc};
use slabscope_formats::trace::read_trace;
use slabscope_formats::zsmalloc_text::write_classes;
use slabscope_tests::digest::Digest;
use slabscope_tests::golden;
use slabscope_tests::zsmalloc::{config_of_tag, data, trace};

fn pool(tag: &str) -> Pool {
    Pool::new(Geometry::new(&config_of_tag(tag).unwrap()).unwrap())
}

fn replay(tag: &str, trace: &str, output: Output) -> String {
    let mut out = Vec::new();
    replay_zsmalloc(pool(tag), trace.as_bytes(), output, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The `classes` file at every report of a trace, with the pages held just then and at most so far.
fn dumps(tag: &str, trace: &str) -> Vec<(String, [u64; 4])> {
    let mut pool = pool(tag);
    let mut dumps = Vec::new();
    for op in read_trace(trace.as_bytes()).unwrap().iter() {
        apply(&mut pool, op, &mut Ignore);
        if op == Op::Report {
            let mut out = Vec::new();
            write_classes(&pool, &mut out).unwrap();
            let totals = pool.totals();
            let sums = [totals.bytes, totals.pages, totals.pages_peak, pool.pages_compacted()];
            dumps.push((String::from_utf8(out).unwrap(), sums));
        }
    }
    dumps
}

fn assert_same(ours: &str, theirs: &str, what: &str) {
    let pair = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    if let Some((line, (ours, theirs))) = pair {
        panic!("{what}, line {}:\n{ours}\n{theirs}", line + 1);
    }
    assert!(ours == theirs, "{what}: {} lines against {}", ours.lines().count(), theirs.lines().count());
}

#[test]
fn every_report_and_log_has_its_digest() {
    let mut compared = 0;
    for (what, output) in [("report", Output::Report), ("log", Output::Log)] {
        for row in Digest::all("zsmalloc", what).unwrap() {
            let ours = replay(&row.tag, &trace(&row.of).unwrap(), output);
            assert!(row.is_of(&ours), "{what} of {} on {} differs from the kernel's", row.of, row.tag);
            compared += 1;
        }
    }
    assert_eq!(compared, 289);
}

#[test]
fn whole_texts_for_diagnosis() {
    for (tag, name, output) in [
        ("e6.12_b64_p52_s12_m8", "p01_tiny.out", Output::Report),
        ("e6.12_b64_p52_s12_m8", "p01_tiny.log", Output::Log),
        ("e6.12_b64_p52_s12_m8", "p08_errors.log", Output::Log),
    ] {
        let (stem, _) = name.split_once('.').unwrap();
        let theirs = data(&format!("expected/{tag}/{name}")).unwrap();
        assert_same(&replay(tag, &trace(stem).unwrap(), output), &theirs, &format!("{tag} {name}"));
    }
}

#[test]
fn a_running_kernel_up_to_its_fill() {
    let rows = Digest::all("zsmalloc", "kernel").unwrap();
    let dumps = dumps("e6.12_b64_p52_s12_m8", &data("real/zram_6.12.117.trace").unwrap());
    assert_same(&dumps[4].0, &data("real/zram_6.12.117_phase5_classes.txt").unwrap(), "phase 5");
    for (row, (ours, _)) in rows.iter().zip(&dumps) {
        assert!(row.is_of(ours), "{} differs", row.of);
    }
    assert_eq!((rows.len(), dumps.len()), (5, 5));
}

fn sorted(folder: PathBuf) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_golden_trace_byte_for_byte() {
    let Some(folder) = std::env::var_os("SLABSCOPE_GOLDEN") else { return };
    let (mut files, mut bytes) = (0, 0);
    for path in sorted(PathBuf::from(folder).join("zsmalloc/traces/expected")) {
        let tag = path.file_name().unwrap().to_str().unwrap().to_owned();
        for path in sorted(path) {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let output = if path.extension().unwrap() == "log" { Output::Log } else { Output::Report };
            let trace = golden(&format!("zsmalloc/traces/{stem}.trace")).unwrap();
            let theirs = std::fs::read_to_string(&path).unwrap();
            assert_same(&replay(&tag, &trace, output), &theirs, &format!("{tag} {stem} {output:?}"));
            files += 1;
            bytes += theirs.len();
        }
    }
    eprintln!("{files} files, {bytes} bytes");
}

/// Every dump of the classes file and every line of `mm_stat` of two running kernels.
#[test]
fn every_golden_dump_of_a_running_kernel() {
    let (mut compared, mut lines) = (0, 0);
    for (run, tag) in [
        ("zram_6.12.117", "e6.12_b64_p52_s12_m8"),
        ("zram_6.12.117_chain4", "e6.12_b64_p52_s12_m4"),
        ("zram_6.1.192", "e6.1_b64_p52_s12_m4"),
    ] {
        let Some(trace) = golden(&format!("real/{run}.trace")) else { return };
        for (phase, (ours, [bytes, pages, peak, compacted])) in (1..).zip(dumps(tag, &trace)) {
            let theirs = golden(&format!("real/{run}_phase{phase}_classes.txt")).unwrap();
            assert_same(&ours, &theirs, &format!("{run}, phase {phase}"));
            let stat = golden(&format!("real/{run}_phase{phase}_mm_stat.txt")).unwrap();
            let stat: Vec<u64> = stat.split_whitespace().map(|number| number.parse().unwrap()).collect();
            let ours = [bytes, pages * 4096, peak * 4096, compacted];
            assert_eq!(ours, [stat[1], stat[2], stat[4], stat[6]], "{run}, phase {phase}: mm_stat");
            compared += 1;
            lines += theirs.lines().count();
        }
    }
    eprintln!("{compared} dumps, {lines} lines");
}
