//! Any bytes, for every reader and for the link codec: no panic, bounded time, nothing lost and nothing made up.
//!
//! `SLABSCOPE_FUZZ_SECONDS` and `SLABSCOPE_FUZZ_SEED` make a longer or another run: `cargo xtask fuzz`.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use slabscope_core::ops::Op;
use slabscope_core::workload::Measured;
use slabscope_formats::carried::{Carried, carried, pack_sizes, pack_stream};
use slabscope_formats::classes::{guess, occupancy};
use slabscope_formats::events::read_ops;
use slabscope_formats::sizes::{class_sizes, sizes};
use slabscope_formats::trace::{read_trace, write_trace};
use slabscope_formats::{LineUse, Paste, decode, raw_lines, read};
use slabscope_scenario::{from_json, parse_fragment};
use slabscope_tests::fuzz::{Report, Target, files, fuzz, try_one};
use slabscope_tests::testdata;

const TARGETS: [Target; 5] = [
    Target { name: "paste", run: paste },
    Target { name: "trace", run: trace },
    Target { name: "link", run: link },
    Target { name: "data", run: data },
    Target { name: "json", run: json },
];

/// Cells that a text may become, for each of its bytes and at least: tables do not outgrow their text.
const CELLS: (usize, usize) = (8, 4096);

/// All readers, and what is worked out of their tables.
fn paste(bytes: &[u8]) {
    let Ok(text) = decode(bytes) else { return };
    let paste = read(&text);
    accounted(&text, &paste);
    let mut cells = 0;
    for (at, table) in paste.tables().iter().enumerate() {
        cells += table.len() * table.columns().len();
        assert!(table.rows().all(|row| row.line() >= 1 && row.line() <= paste.line_count()));
        assert!(paste.skipped(at).all(|(line, why)| line >= 1 && !why.is_empty()));
        let _ = sizes(table);
        if let Some(found) = guess(table) {
            let sums = occupancy(table, &found);
            assert!(sums.objects <= sums.total || sums.total == 0, "{sums:?}");
            let _ = class_sizes(table, &found);
        }
    }
    assert!(cells <= text.len() * CELLS.0 + CELLS.1, "{} bytes became {cells} cells", text.len());
}

/// Every line has a use, and what is not understood says why.
fn accounted(text: &str, paste: &Paste) {
    assert_eq!(paste.nearest().is_some(), paste.tables().is_empty());
    let lines = raw_lines(text).count() as u32;
    // Nothing is accounted for in a text without a line that is not blank.
    assert!(
        paste.line_count() == lines || paste.line_count() == 0,
        "{} of {lines} lines",
        paste.line_count()
    );
    let mut next = 1;
    for (first, last, line_use) in paste.line_uses() {
        assert!(first == next && last >= first);
        next = last + 1;
        let is_told = matches!(line_use, LineUse::Skipped(_) | LineUse::Doubtful(..));
        assert_eq!(line_use.why(paste.tables()).is_some_and(|why| !why.is_empty()), is_told, "{line_use:?}");
    }
    assert_eq!(next, paste.line_count() + 1);
}

fn trace(bytes: &[u8]) {
    let found = read_ops(bytes).unwrap();
    let packed = pack_stream(&found.ops);
    if let Ok(Carried::Stream(ops)) = carried(&packed) {
        assert_eq!(ops.len(), found.ops.len());
    } else {
        assert!(found.ops.is_empty());
    }
    if let Ok(ops) = read_trace(bytes) {
        let mut written = Vec::new();
        write_trace(&ops, &mut written).unwrap();
        assert_eq!(read_trace(&written[..]).unwrap(), ops);
    }
}

/// A link is understood the same once it was written in canonical form.
fn link(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (scenario, _) = parse_fragment(&text);
    let fragment = scenario.to_fragment();
    let (again, _) = parse_fragment(&fragment);
    assert_eq!(again.to_fragment(), fragment);
    if !text.contains("z1.") {
        assert_eq!(again, scenario);
    }
}

fn data(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for data in [text.to_string(), format!("z1.{}", text.trim())] {
        match carried(&data) {
            Ok(Carried::Sizes(sizes)) => assert!(sizes.range().0 >= 1 && sizes.total() > 0),
            Ok(Carried::Stream(ops)) => {
                let again = carried(&pack_stream(&ops)).unwrap();
                assert_eq!(again, Carried::Stream(ops));
            }
            Err(why) => assert!(!why.to_string().is_empty()),
        }
    }
}

fn json(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok((scenario, _)) = from_json(&text) {
        assert_eq!(parse_fragment(&scenario.to_fragment()).0.to_fragment(), scenario.to_fragment());
    }
}

/// Fixtures, and links of every kind.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> =
        files(&testdata("formats")).unwrap().iter().map(|path| std::fs::read(path).unwrap()).collect();
    for link in [
        "#v=1&view=pool&a=zsmalloc&era=6.12&mp=8&w=churn&seed=42&n=2000&at=132",
        "#v=1&a=slub&era=2.6.26%2Brfc-order&cpu=4&mo=16&mino=1&maxo=4&osz=560&2.cpu=8&3.maxo=1",
        "#v=1&view=data&t=z1.AZADwD4BAg",
        "#v=1&view=data&t=z1.AGQAAsgBZAY&h=00ffab12&theme=dark",
        "?b=32&pb=36&era=4.5&d=16&ui=min&unknown=1#v=2&also=4,8&sel=o17",
        "{\"v\":1,\"view\":\"pool\",\"a\":\"zblock\",\"compare\":[{\"era\":\"v2\"}]}",
    ] {
        seeds.push(link.into());
    }
    seeds
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn damaged_fixtures() {
    let seconds = number("SLABSCOPE_FUZZ_SECONDS").unwrap_or(8);
    let seed = number("SLABSCOPE_FUZZ_SEED").unwrap_or(1);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    // Panics are told at the end, each once.
    std::panic::set_hook(Box::new(|_| {}));
    let report = fuzz(&TARGETS, &seeds(), seed, Duration::from_secs(seconds), &folder);
    drop(std::panic::take_hook());
    let Report { runs, bytes, slowest, failures } = report;
    eprintln!(
        "fuzz: {runs} runs, {} MB, slowest {:?} ({}), {} failures",
        bytes >> 20,
        slowest.1,
        slowest.0,
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(runs > 100, "{runs} runs only");
}

#[test]
fn what_failed_once_does_not_fail_again() {
    let mut report = Report::default();
    for path in files(&testdata("fuzz")).unwrap() {
        let input = std::fs::read(&path).unwrap();
        for target in &TARGETS {
            try_one(target, &input, Path::new(env!("CARGO_TARGET_TMPDIR")), &mut report);
        }
    }
    assert!(report.failures.is_empty(), "{}", report.failures.join("\n"));
    assert!(report.runs > 0);
}

/// Words and separators that texts of kernels are made of, in any order.
fn kernelish() -> impl Strategy<Value = String> {
    const PARTS: [&str; 40] = [
        "class",
        "size",
        "almost_full",
        "obj_allocated",
        "obj_used",
        "pages_used",
        "pages_per_zspage",
        "freeable",
        "Total",
        "slabinfo - version: 2.1",
        "# name",
        "<active_objs>",
        ": tunables",
        ": slabdata",
        "kmalloc-64",
        "dentry",
        "Zswap:",
        "Slab:",
        "kB",
        "NAME",
        "ALGORITHM",
        "DISKSIZE",
        "mm_stat",
        "# cat",
        "zram0",
        "kmalloc:",
        "ptr=0xffff8880",
        "bytes_req=64",
        "kfree:",
        "a 1 64",
        "f 1",
        "[32, 64)",
        "|@@@|",
        "@sizes[64]:",
        "slub_max_order=1",
        "Name Objects Objsize Space",
        "->",
        "<-",
        "OBJS ACTIVE",
        "%",
    ];
    let part = prop_oneof![
        4 => prop::sample::select(&PARTS[..]).prop_map(str::to_owned),
        4 => any::<u64>().prop_map(|number| (number >> (number % 64)).to_string()),
        1 => "\\PC{0,6}",
    ];
    let separator = prop::sample::select(&[" ", " ", "  ", "\t", "\n", "\n", "\r\n", "\n> ", ",", ":"][..]);
    prop::collection::vec((part, separator), 0..200)
        .prop_map(|parts| parts.into_iter().map(|(part, separator)| part + separator).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..4000)) {
        TARGETS.iter().for_each(|target| (target.run)(&bytes));
    }

    #[test]
    fn any_words(text in kernelish()) {
        TARGETS.iter().for_each(|target| (target.run)(text.as_bytes()));
    }

    #[test]
    fn packed_data_comes_back(
        ranges in prop::collection::vec((1..100_000u32, 0..5000u32, 1..1u64 << 40), 1..200),
        words in prop::collection::vec((0..200u32, 1..10_000u32, 0..10u8), 1..400),
    ) {
        let ranges: Vec<_> = ranges.into_iter().map(|(from, width, count)| (from, from + width, count)).collect();
        let sizes = Measured::new(&ranges).unwrap();
        prop_assert_eq!(carried(&pack_sizes(&sizes)), Ok(Carried::Sizes(sizes)));
        let text: String = words
            .iter()
            .map(|(object, size, kind)| match kind {
                0..=5 => format!("alloc 0x{object:x}0 {size}\n"),
                6..=8 => format!("free 0x{object:x}0\n"),
                _ => "c\n".to_owned(),
            })
            .collect();
        let ops = read_ops(text.as_bytes()).unwrap().ops;
        if let Ok(Carried::Stream(again)) = carried(&pack_stream(&ops)) {
            let sizes = |ops: &slabscope_core::ops::Ops| (0..ops.len()).map(|at| (matches!(ops.get(at), Some(Op::Free { .. })), ops.requested(at))).collect::<Vec<_>>();
            prop_assert_eq!(sizes(&again), sizes(&ops));
        }
    }
}
