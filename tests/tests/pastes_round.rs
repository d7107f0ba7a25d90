//! What the models write in the kernel's own forms is read again as it was: classes, blocks, slabinfo, traces.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use slabscope_core::oplog::apply;
use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::{Ignore, Pool as _};
use slabscope_core::workload::{Kind, SizeDist, Spec};
use slabscope_core::{zblock, zsmalloc};
use slabscope_formats::classes::guess;
use slabscope_formats::events::read_ops;
use slabscope_formats::slabinfo_text::{SlabinfoRow, rows, write_slabinfo};
use slabscope_formats::trace::write_trace;
use slabscope_formats::zblock_text::write_blocks;
use slabscope_formats::zsmalloc_text::write_classes;
use slabscope_formats::{Format, Paste, Table, read};

fn spec(seed: u64, operations: u32) -> Spec {
    Spec {
        kind: Kind::Churn,
        dist: SizeDist::Uniform,
        fixed_size: None,
        seed,
        operations,
        live: 900,
        compact_every: 0,
    }
}

fn one(paste: &Paste, format: Format) -> &Table {
    assert_eq!(paste.tables().len(), 1);
    paste.first(format).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn class_tables(seed in any::<u64>(), era in 0..11usize, max_pages in 1..=8u8, operations in 0..4000u32) {
        let config = zsmalloc::Config { max_pages, ..zsmalloc::Config::default_for(zsmalloc::Era::ALL[era]) };
        let mut pool = zsmalloc::Pool::new(zsmalloc::Geometry::new(&config).unwrap());
        for op in spec(seed, operations).ops() {
            apply(&mut pool, op, &mut Ignore);
        }
        let mut text = Vec::new();
        write_classes(&pool, &mut text).unwrap();
        let paste = read(std::str::from_utf8(&text).unwrap());
        let table = one(&paste, Format::ZsmallocClasses);
        let stats = pool.class_stats();
        prop_assert_eq!(table.len(), stats.len());
        for (row, class) in table.rows().zip(&stats) {
            let read = ["class", "size", "obj_allocated", "obj_used", "pages_used", "pages_per_zspage"].map(|name| row.get(name).unwrap());
            let written = [class.class.index.into(), class.class.size.into(), class.obj_allocated, class.obj_used, class.pages_used, class.class.pages.into()];
            prop_assert_eq!(read, written);
            prop_assert!(row.get("freeable").is_none_or(|freeable| freeable == class.freeable));
        }
        prop_assert!(table.totals_printed());
        prop_assert_eq!(table.warnings(), []);
        let guess = guess(table).unwrap();
        prop_assert_eq!(guess.matching, stats.len());
        prop_assert_eq!(guess.config.max_pages, max_pages);
        prop_assert_eq!(guess.config.era.rules().chain, config.era.rules().chain);
    }

    #[test]
    fn block_tables(seed in any::<u64>(), large in any::<bool>(), operations in 0..4000u32) {
        for version in zblock::Version::ALL.into_iter().filter(|version| version.rules().debugfs) {
            let config = zblock::Config { version, page_shift: if large { 14 } else { 12 } };
            let mut pool = zblock::Pool::new(zblock::Geometry::new(&config).unwrap());
            for op in spec(seed, operations).ops() {
                apply(&mut pool, op, &mut Ignore);
            }
            let mut text = Vec::new();
            write_blocks(&pool, &mut text).unwrap();
            let paste = read(std::str::from_utf8(&text).unwrap());
            let table = one(&paste, Format::ZblockBlocks);
            for (row, class) in table.rows().zip(pool.classes()) {
                prop_assert_eq!(row.get("blocks"), Some(class.spans.into()));
                prop_assert_eq!(row.get("pages"), Some(class.pages_per_span.into()));
            }
            prop_assert_eq!(table.len(), pool.classes().len());
            prop_assert_eq!(table.sum("total"), pool.totals().pages);
            prop_assert_eq!(table.warnings(), []);
            let evidence = table.evidence().join(" ");
            prop_assert!(evidence.contains(version.name()), "{}", evidence);
        }
    }

    #[test]
    fn slabinfo_files(written in proptest::collection::vec(slabinfo_row(), 1..40)) {
        let mut text = Vec::new();
        write_slabinfo(&written, &mut text).unwrap();
        let paste = read(std::str::from_utf8(&text).unwrap());
        let read: Option<Vec<SlabinfoRow>> = rows(one(&paste, Format::Slabinfo)).into_iter().collect();
        prop_assert_eq!(read, Some(written));
    }

    #[test]
    fn traces(seed in any::<u64>(), operations in 2..3000u32) {
        let ops = spec(seed, operations).generate();
        let mut text = Vec::new();
        write_trace(&ops, &mut text).unwrap();
        let trace = read_ops(&text[..]).unwrap();
        prop_assert_eq!(sizes(&trace.ops), sizes(&ops));
        prop_assert_eq!((trace.summary.skipped, trace.summary.warnings.len()), (0, 0));
        let paste = read(std::str::from_utf8(&text).unwrap());
        prop_assert_eq!(one(&paste, Format::Trace).len(), ops.len());
    }
}

/// The size that each operation allocates or frees: object numbers may differ, objects may not.
fn sizes(ops: &Ops) -> Vec<(bool, u32)> {
    let mut live = std::collections::BTreeMap::new();
    ops.iter()
        .map(|op| match op {
            Op::Alloc { object, size } => {
                live.insert(object, size);
                (true, size)
            }
            Op::Free { object } => (false, live.remove(&object).unwrap()),
            Op::Compact | Op::Report => (true, 0),
        })
        .collect()
}

fn slabinfo_row() -> impl Strategy<Value = SlabinfoRow> {
    let numbers = || proptest::array::uniform5(0..1u64 << 40);
    ("[a-zA-Z]([a-zA-Z0-9_:-]{0,38}[a-zA-Z0-9])?", numbers(), numbers()).prop_map(|(name, a, b)| {
        SlabinfoRow {
            name,
            active_objs: a[0],
            num_objs: a[1],
            objsize: a[2],
            objperslab: a[3],
            pagesperslab: a[4],
            tunables: [b[0] % 500, b[1] % 500, 0],
            active_slabs: b[2],
            num_slabs: b[3],
            sharedavail: b[4],
        }
    })
}
