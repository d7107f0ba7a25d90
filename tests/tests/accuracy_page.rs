//! The accuracy chapter of the guide is made from data. `SLABSCOPE_BLESS=1` writes it anew; otherwise it must be as it is.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use slabscope_answers::accuracy::{self, Row};
use slabscope_answers::percent;
use slabscope_answers::slub::{answer, present, read_rows};
use slabscope_core::slub::{Config, Generation, OrderParams, calculate_order};
use slabscope_core::tell::grouped;
use slabscope_tests::data;

fn chapter() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/accuracy.md")
}

/// Rows as a table; `short` is cut from the front of what they are called.
fn table(rows: &[&Row], short: &str) -> String {
    let mut text =
        "| what | figure | kernel | Slabscope | difference, % | low to high | certain bounds |\n|---|---|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for row in rows {
        let [.., difference, _, _, _, _] = row.cells();
        let bound = |low: u64, high: u64| match (low, high) {
            (low, high) if low == high => grouped(low),
            (low, high) => format!("{} to {}", grouped(low), grouped(high)),
        };
        let [spread, certain] = match row.bounds {
            Some([low, high, at_least, at_most]) => [bound(low, high), bound(at_least, at_most)],
            None => ["-".to_owned(), "-".to_owned()],
        };
        let what = row.what.strip_prefix(short).unwrap_or(&row.what).trim_start_matches([':', ',', ' ']);
        text += &format!(
            "| {what} | {} | {} | {} | {difference} | {spread} | {certain} |\n",
            row.figure,
            grouped(row.measured),
            grouped(row.predicted)
        );
    }
    text
}

/// The largest difference of rows, in percent.
fn worst(rows: &[&Row]) -> String {
    let worst =
        rows.iter().filter_map(|row| percent::change(row.measured, row.predicted)).map(i64::abs).max();
    percent::text(worst.unwrap())
}

/// Caches of a boot with `slub_max_order=0` whose slabs an ordinary boot predicts, and caches compared.
fn orders_of_another_boot() -> (usize, usize) {
    let boot = |file: &str| read_rows(&data(file).unwrap()).unwrap().rows;
    let (from, to) = (boot("whatif/slabinfo_6.12_default.txt"), boot("whatif/slabinfo_6.12_max_order_0.txt"));
    let now = present(&from, None, Some(2), None).config;
    let found = answer(&from, &now, &Config { max_order: 0, ..now });
    let compared = found.caches.iter().filter_map(|cache| {
        let real = to.iter().find(|row| row.name == cache.row.name && row.objsize == cache.row.objsize)?;
        let slab = cache.then?;
        Some((slab.objects, 1 << slab.order) == (real.per_slab, real.slab_pages))
    });
    let compared: Vec<bool> = compared.collect();
    (compared.iter().filter(|is_right| **is_right).count(), compared.len())
}

/// Caches of running kernels whose order and objects the rules give, and caches in all.
fn orders_of_kernels() -> (usize, usize) {
    let text = data("slub/real.tsv").unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let place = |name: &str| names.iter().position(|column| *column == name).unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let is_right = |row: &&Vec<&str>| {
        let number = |name: &str| row[place(name)].parse::<u32>().unwrap();
        let found = calculate_order(&OrderParams {
            generation: Generation::from_name(row[place("era")]).unwrap(),
            page_shift: 12,
            cpus: number("cpus"),
            min_objects: number("min_objects"),
            min_order: number("min_order") as u8,
            max_order: number("max_order") as u8,
            size: number("slab_size"),
        });
        found.is_ok_and(|found| {
            (u32::from(found.order), found.objects) == (number("order"), number("objs_per_slab"))
        })
    };
    (rows.iter().filter(is_right).count(), rows.len())
}

/// What became of raw pages when the chain grew, as others published it.
fn published_pairs() -> String {
    let text = data("whatif/published_pairs.tsv").unwrap();
    let mut out = "| what | max pages | raw pages | of them still raw, % | raw if sizes were spread evenly, % | pages | change, % |\n|---|---|--:|--:|--:|--:|--:|\n".to_owned();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse::<u64>().unwrap();
        let limit = |max_pages: u64| {
            let config = slabscope_core::zsmalloc::Config {
                max_pages: max_pages as u8,
                ..slabscope_core::zsmalloc::Config::default_for(slabscope_core::zsmalloc::Era::V6_1)
            };
            u64::from(slabscope_core::zsmalloc::Geometry::new(&config).unwrap().huge_class_size())
        };
        let (from, to) = (limit(number(1)), limit(number(2)));
        out += &format!(
            "| {} | {} to {} | {} to {} | {} | {} | {} to {} | {} |\n",
            cells[0],
            cells[1],
            cells[2],
            grouped(number(3)),
            grouped(number(4)),
            percent::text(percent::share(number(4), number(3))),
            percent::text(percent::share(4097 - to, 4097 - from)),
            grouped(number(5)),
            grouped(number(6)),
            percent::text(percent::change(number(5), number(6)).unwrap())
        );
    }
    out
}

fn text() -> String {
    let rows = accuracy::rows(&data("whatif/evidence.tsv").unwrap(), data).unwrap();
    let of = |keep: &dyn Fn(&&Row) -> bool| rows.iter().filter(keep).collect::<Vec<&Row>>();
    let is_compaction = |row: &&Row| row.figure == "pages after compaction";
    let large = of(&|row| row.what.starts_with("2016 test"));
    let posted = of(&|row| row.what.starts_with("The table posted"));
    let small = of(&|row| row.what.starts_with("A small pool") && !is_compaction(row));
    let compaction = of(&is_compaction);
    let bounded = of(&|row| row.bounds.is_some());
    let within = bounded
        .iter()
        .filter(|row| {
            row.bounds.is_some_and(|[.., at_least, at_most]| (at_least..=at_most).contains(&row.measured))
        })
        .count();
    let ((right, compared), (rules, caches)) = (orders_of_another_boot(), orders_of_kernels());
    let two_pages = of(&|row| {
        row.what.starts_with("2016 test") && row.bounds.is_some() && !row.what.contains("16 pages")
    });
    format!(
        "# Against reality\n\n\
<!-- Made by tests/tests/accuracy_page.rs from tests/testdata; SLABSCOPE_BLESS=1 cargo test -p slabscope-tests --test accuracy_page writes it anew. -->\n\n\
Every figure here is computed when the tests run: predictions from one file of a running kernel, beside what that kernel or another did. \
Of {} perfect packings and compactions with bounds, {within} lie within the bounds that hold for certain.\n\n\
* *low to high* are the pages for the smallest and the largest sizes that the classes allow.\n\
* *certain bounds* hold for any sizes that the classes allow. They are wider where few objects leave many zspages partly filled.\n\
* *pages held* have no bounds: they are the prediction times the fragmentation of the input.\n\n\
## A large pool: the test of 2016 on Linux 6.1\n\n\
790,000 pages in zram, stored once by a kernel with at most 4 and once with at most 8 pages a zspage. Each table is predicted from the other; the exact \
sizes of every stored page tell what other settings would take. Up to 8 pages the worst difference of a packing is {} %; over all rows it is {} %.\n\n{}\n\
## The table posted in 2016\n\n\
The means of the posted runs beside the packing of every size that the same test stored on Linux 6.1, whose file system writes other metadata. The worst difference is {} %.\n\n{}\n\
## A small pool: where the assumption shows\n\n\
8,000 blocks of zram on Linux 6.12, of which some 3,000 to 7,700 are stored. With so few objects in more than a hundred classes the last zspage of each class \
counts, and sizes above the old limit are unknown: from 4 to 8 pages the truth may lie above *high*, though never outside the certain bounds. \
From 8 pages to 4 nothing is unknown and the packing is exact. The worst difference is {} %.\n\n{}\n\
## Compaction\n\n\
Pages that the kernel held after `echo 1 > compact`, predicted from the class table before it. The worst difference is {} %.\n\n{}\n\
## Pages stored whole\n\n\
Even spread is the least that can be assumed of sizes above the huge limit, and the gain of a longer chain is overrated by it: most such pages do not \
compress at all. Published figures show it; whoever has such a pool pastes sizes instead of classes, or reads *high*.\n\n{}\n\
## SLUB\n\n\
* An ordinary boot of Linux 6.12 predicts the slabs of another boot with `slub_max_order=0`: {right} of {compared} caches have the order and the objects predicted.\n\
* The rules give the order and the objects of {} of {} caches of Linux 6.1 and 6.12 under 64 sets of boot parameters, CPUs and debug options.\n",
        bounded.len(),
        worst(&two_pages),
        worst(&large),
        table(&large, "2016 test on Linux 6.1"),
        worst(&posted),
        table(&posted, "The table posted in 2016, mean of five runs"),
        worst(&small),
        table(&small, "A small pool on Linux 6.12"),
        worst(&compaction),
        table(&compaction, "A small pool on"),
        published_pairs(),
        grouped(rules as u64),
        grouped(caches as u64),
    )
}

#[test]
fn the_chapter_is_what_the_data_say() {
    let text = text();
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::create_dir_all(chapter().parent().unwrap()).unwrap();
        std::fs::write(chapter(), &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(chapter()).unwrap(), text);
}

#[test]
fn what_the_chapter_promises_holds() {
    let rows = accuracy::rows(&data("whatif/evidence.tsv").unwrap(), data).unwrap();
    for row in &rows {
        if let Some([.., at_least, at_most]) = row.bounds {
            assert!((at_least..=at_most).contains(&row.measured), "{row:?}");
        }
    }
    for row in rows.iter().filter(|row| row.figure == "pages after compaction") {
        assert_eq!(row.measured, row.predicted, "{}", row.what);
    }
    for row in rows.iter().filter(|row| row.what.starts_with("The table posted")) {
        assert!(row.predicted.abs_diff(row.measured) * 400 < row.measured, "{row:?}");
    }
    let ((right, compared), (rules, caches)) = (orders_of_another_boot(), orders_of_kernels());
    assert_eq!((right, rules), (compared, caches));
    assert!(compared > 50 && caches > 900);
}
