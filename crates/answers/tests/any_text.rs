//! Whatever is pasted, and however the numbers of a table are twisted: an answer or a reason, and bounds in order.

#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use slabscope_answers::account::Account;
use slabscope_answers::advice::{LEAST_GAIN, advise};
use slabscope_answers::figures::{Figures, Owner};
use slabscope_answers::input::{Machine, read_input};
use slabscope_answers::ratio::{beside_meminfo, sentences};
use slabscope_answers::select::{Selection, candidates, numbers};
use slabscope_answers::slub::{answer, present, read_options, read_rows, readings, twins};
use slabscope_answers::sweep::sweep;
use slabscope_answers::waterfall::{waterfall, without_classes};
use slabscope_core::slub::{Config, Generation};

fn figures_of([original, compressed, total, pages]: [u64; 4]) -> Figures {
    Figures {
        owner: Owner::Zram,
        name: "x".to_owned(),
        original,
        compressed: Some(compressed),
        total,
        peak: Some(compressed),
        limit: Some(pages),
        same_pages: Some(pages),
        raw_pages: Some(pages),
        disk: Some(original),
        is_rounded: false,
    }
}

/// Asks everything of a text.
fn ask(text: &str, figures: [u64; 4]) {
    if let Ok(input) = read_input(text, &Machine::default()) {
        let _ = slabscope_answers::change::changes(&input, &input);
        let selection = Selection { page_shifts: vec![12, 13, 16], ..Selection::default() };
        let swept = sweep(&input, &selection.settings(&input.own));
        for row in &swept.rows {
            let found = &row.prediction;
            assert!(found.at_least <= found.expected && found.expected <= found.at_most, "{row:?}");
            assert_eq!(row.cells().len(), 12);
        }
        let _ = advise(&input, &swept.rows, LEAST_GAIN);
        let found = figures_of(figures);
        for figures in [None, Some(&found)] {
            if let Some(found) = waterfall(&input, figures) {
                let sum = found.pool.iter().map(|line| u128::from(line.bytes)).sum::<u128>();
                assert_eq!(sum, found.total.bytes.into(), "{found:?}");
            }
        }
        if let (Some(account), Some(held)) = (Account::of(&input), input.held_pages) {
            assert_eq!(account.machine(), held.saturating_mul(input.own.page_bytes().into()));
        }
    }
    let paste = slabscope_formats::read(text);
    let mut all = slabscope_answers::figures::figures(paste.tables());
    let _ = beside_meminfo(paste.tables(), &all);
    all.push(figures_of(figures));
    for figures in &all {
        let found = without_classes(figures);
        let sum = found.pool.iter().map(|line| u128::from(line.bytes)).sum::<u128>();
        assert_eq!(sum, found.total.bytes.into(), "{found:?}");
        assert!(!sentences(figures).is_empty());
    }
    if let Ok(found) = read_rows(text) {
        let now = present(&found.rows, None, None, None).config;
        let then = answer(&found.rows, &now, &Config { max_order: 1, page_shift: 14, ..now });
        assert_eq!(then.cells().len(), found.rows.len() + 1);
        for cache in &then.caches {
            assert!(cache.pages.low <= cache.pages.expected && cache.pages.expected <= cache.pages.high);
        }
        let _ = (readings(&found.rows), twins(&found.rows));
    }
}

/// Small numbers, class sizes and numbers at the end of their range.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..20u64, 0..5000u64, 0..1_000_000u64, Just(u64::MAX), Just(u64::MAX / 2), Just(1 << 32)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_text(text in "\\PC{0,200}", figures in prop::array::uniform4(number())) {
        ask(&text, figures);
        let _ = (numbers(&text), candidates(&text));
        let _ = read_options(&text, Generation::Modern);
    }

    #[test]
    fn any_numbers_of_classes(
        rows in prop::collection::vec((0..256u64, prop::array::uniform5(number())), 1..12),
        figures in prop::array::uniform4(number()),
    ) {
        let mut text =
            "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n"
                .to_owned();
        for (class, [allocated, used, pages, per_zspage, freeable]) in rows {
            let size = (32 + 16 * class).min(4096);
            text += &format!("{class} {size} 0 0 {allocated} {used} {pages} {per_zspage} {freeable}\n");
        }
        ask(&text, figures);
    }

    #[test]
    fn any_sizes(rows in prop::collection::vec((1..70_000u64, number()), 1..30)) {
        let text: String = rows.iter().map(|(size, count)| format!("{size} {count}\n")).collect();
        ask(&text, [0; 4]);
    }

    #[test]
    fn any_caches(rows in prop::collection::vec(prop::array::uniform5(number()), 1..12)) {
        let mut text = "slabinfo - version: 2.1\n".to_owned();
        for [active, num, size, objects, pages] in rows {
            text += &format!("x {active} {num} {size} {objects} {pages} : tunables 0 0 0 : slabdata 1 1 0\n");
        }
        ask(&text, [0; 4]);
    }

    #[test]
    fn any_command_line(words in prop::collection::vec("(slub|slab)_(max_order|min_order|min_objects|debug)=?[0-9]{0,12}", 0..6)) {
        for generation in Generation::ALL {
            let options = read_options(&words.join(" "), generation);
            let config = options.over(Config::default_for(generation));
            prop_assert!(config.max_order <= 15 && config.min_order <= 15);
        }
    }
}
