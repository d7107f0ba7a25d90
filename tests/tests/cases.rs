//! The published cases against expectations kept as data, and what holds for every case.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::ops::ControlFlow;
use std::path::Path;

use slabscope_cases::{Case, Data, DataError, Options, Outcome, Run, published, run_with, tsv_rows};
use slabscope_core::ops::Op;
use slabscope_tests::{data, golden};

fn with_seeds(case: Case, seeds: u32) -> Options {
    let mut options = Options::default();
    options.set(case, "seeds", &seeds.to_string()).unwrap();
    options
}

fn run(case: Case, seeds: u32) -> Outcome {
    run_with(case, &with_seeds(case, seeds), &Data::embedded(), &mut |_| ControlFlow::Continue(())).unwrap()
}

/// A file of expectations: `seeds N`, then rows `row figure metric expected within why`, where figure says what is
/// compared: ours, or its difference in percent from what was published.
fn check(case: Case) -> Outcome {
    let text = data(&format!("cases/{}.tsv", case.name())).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let seeds = lines.next().and_then(|line| line.strip_prefix("seeds\t")).unwrap().parse().unwrap();
    let outcome = run(case, seeds);
    let mut wrong = Vec::new();
    for line in lines.skip(1) {
        let [row, figure, metric, expected, within, why]: [&str; 6] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{line}"));
        assert!(!why.is_empty(), "{line}: no reason for the tolerance");
        let found = outcome.row(row, metric).unwrap_or_else(|| panic!("{}: no {row}, {metric}", case.name()));
        let value = match figure {
            "ours" => found.predicted,
            "difference" => found.difference_percent(),
            _ => panic!("{line}: neither ours nor difference"),
        };
        let value = value.unwrap_or_else(|| panic!("{line}: no figure")).value;
        let [expected, within] = [expected, within].map(|number| number.parse::<f64>().unwrap());
        // Half of the last digit of what is printed, where nothing may differ.
        if (value - expected).abs() > within + 1e-6 {
            wrong.push(format!("{row}, {metric}: {figure} {value}, not {expected} within {within} ({why})"));
        }
    }
    assert_eq!(wrong, [""; 0]);
    check_cells(&outcome);
    outcome
}

/// Cells fit a table, and no row stands twice.
fn check_cells(outcome: &Outcome) {
    let mut keys: Vec<(String, String)> = Vec::new();
    for [name, row, metric, _, _, _, note] in tsv_rows(outcome) {
        assert_eq!(name, outcome.case.name());
        for cell in [&row, &metric, &note] {
            assert!(!cell.is_empty() && !cell.contains(['\t', '\n']), "{row} {metric}");
        }
        keys.push((row, metric));
    }
    keys.sort();
    let twice: Vec<_> = keys.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(!outcome.finding.contains('?') && outcome.steps.iter().all(|step| !step.text.contains('?')));
}

#[test]
fn more_pages_2016() {
    let outcome = check(Case::MorePages);
    for number in ["35.5 MiB", "50.8", "36.4", "50.9"] {
        assert!(outcome.finding.contains(number), "{}", outcome.finding);
    }
    let pages = |from: u8, to: u8, metric: &str| {
        let row = outcome.row(&format!("table with {from} pages, predicting {to}"), metric);
        row.and_then(|row| row.predicted).unwrap().value
    };
    for (from, to) in [(4, 8), (8, 4)] {
        let packed = pages(from, to, "pages_packed");
        assert!(pages(from, to, "pages_low") <= packed && packed <= pages(from, to, "pages_high"));
    }
}

#[test]
fn slub_order_2008() {
    let outcome = check(Case::SlubOrder);
    assert!(outcome.finding.contains("3 of the posting's 4 rows"), "{}", outcome.finding);
}

#[test]
fn partial_ordering_2015() {
    let outcome = check(Case::PartialOrdering);
    assert!(outcome.steps[1].text.contains("operation for operation"), "{}", outcome.steps[1].text);
    assert!(outcome.steps[1].text.contains("two postings do not differ"), "{}", outcome.steps[1].text);
}

/// The packed operations are those of the trace in the test data, which has compactions too.
#[test]
fn the_packed_trace_is_the_golden_one() {
    let text = data("zsmalloc/traces/p06_100k.trace").unwrap();
    let lines = text.lines().filter(|line| line.starts_with(['a', 'f']));
    let mut expected = 0;
    for (line, op) in lines.zip(Data::embedded().churn().unwrap().iter()) {
        let unpacked = match op {
            Op::Alloc { object, size } => format!("a {} {size}", object.0 + 1),
            Op::Free { object } => format!("f {}", object.0 + 1),
            Op::Compact | Op::Report => panic!("neither is packed"),
        };
        assert_eq!(line, unpacked);
        expected += 1;
    }
    assert_eq!(expected, 100_000);
}

#[test]
fn locks_2024() {
    let outcome = check(Case::Locks);
    let seconds = |row: &str| outcome.row(row, "sys_seconds").and_then(|row| row.predicted).unwrap().value;
    let bound = seconds("lock-free bound");
    let mut before = f64::INFINITY;
    for pools in [1, 2, 4, 8, 16, 32, 64] {
        let found = seconds(&format!("{pools} pools with a lock each"));
        assert!(bound < found && found < before, "{pools} pools: {found}");
        before = found;
    }
    assert_eq!(outcome.lanes.len(), 4);
}

#[test]
fn zblock_2025() {
    let outcome = check(Case::Zblock);
    // Each object's bytes and its waste by cause are all there is.
    let of = |metric: &str| {
        outcome.row("libs_16k_zstd3, zblock v4", metric).and_then(|row| row.predicted).unwrap().value
    };
    let mean = outcome.row("libs_16k_zstd3", "mean_size_bytes").and_then(|row| row.predicted).unwrap().value;
    let causes =
        ["handle", "rounding", "tail", "empty"].map(|cause| of(&format!("{cause}_bytes_per_object")));
    assert!((mean + causes.iter().sum::<f64>() - of("bytes_per_object")).abs() < 1e-6);
}

#[test]
fn a_case_says_the_same_again_and_can_be_broken_off() {
    for case in Case::ALL {
        let mut run = Run::new(case, &with_seeds(case, 1), &Data::embedded()).unwrap();
        let early = run.outcome();
        let progress = run.advance();
        assert_eq!(progress.done, 1, "{}", case.name());
        let (mut first, mut again) = (run, Run::new(case, &with_seeds(case, 1), &Data::embedded()).unwrap());
        again.advance();
        assert_eq!(first.outcome(), again.outcome(), "{}", case.name());
        assert!(!early.steps.is_empty());
        first.advance();
        assert_eq!(first.progress().done, progress.total.min(2), "{}", case.name());
    }
}

#[test]
fn a_missing_file_is_named_and_the_needed_ones_suffice() {
    for case in Case::ALL {
        let needs = Run::needs(case);
        let all = Data::embedded();
        for left_out in &needs {
            let mut data = Data::new();
            for name in needs.iter().filter(|name| *name != left_out) {
                data.insert(name, all.file(name).unwrap().to_vec());
            }
            let error = Run::new(case, &Options::default(), &data).err();
            assert_eq!(error, Some(DataError::Missing(left_out.clone())), "{}", case.name());
            data.insert(left_out, b"!".to_vec());
            let error = Run::new(case, &Options::default(), &data).err();
            assert_eq!(error, Some(DataError::Malformed(left_out.clone())), "{}", case.name());
            data.insert(left_out, all.file(left_out).unwrap().to_vec());
            assert!(Run::new(case, &Options::default(), &data).is_ok());
        }
    }
}

#[test]
fn the_data_stays_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/cases/data");
    let mut bytes = 0;
    for folder in [folder.join("sizes"), folder] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().metadata().unwrap();
            bytes += if file.is_file() { file.len() } else { 0 };
        }
    }
    assert!(bytes < 420_000, "{bytes} bytes");
}

/// Pages and bytes of every set of sizes, as those who measured them counted them.
#[test]
fn sizes_are_those_that_were_measured() {
    let embedded = Data::embedded();
    let text = data("cases/sizes.tsv").unwrap();
    let mut sets = 0;
    for line in text.lines().skip(1) {
        let (name, rest) = line.split_once('\t').unwrap();
        let (pages, bytes) = rest.split_once('\t').unwrap();
        let sizes = embedded.sizes(name).unwrap();
        assert_eq!(
            (sizes.objects().to_string().as_str(), sizes.bytes().to_string().as_str()),
            (pages, bytes),
            "{name}"
        );
        sets += 1;
        if let Some(whole) = golden(&format!("histograms/{name}.tsv")) {
            let lines: String =
                sizes.sizes().iter().map(|(size, count)| format!("{size}\t{count}\n")).collect();
            assert_eq!(lines, whole, "{name}");
        }
    }
    let of_sizes = slabscope_cases::data::FILES.iter().filter(|name| name.starts_with("sizes/"));
    assert_eq!(sets, of_sizes.count());
}

#[test]
fn published_figures_name_their_case_and_source() {
    for figure in published::all() {
        assert!(published::source(figure.source).is_some(), "{figure:?}");
    }
    for case in Case::ALL {
        assert!(published::all().any(|figure| figure.case == case.name()), "{}", case.name());
    }
}
