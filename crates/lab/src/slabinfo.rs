//! The caches of a pasted slabinfo: what they hold, and what another order, CPU count, page size or kernel would change.

use slabscope_answers::percent;
use slabscope_answers::slub::{
    Answer, Present, SlabRow, answer, command_line, from_slabtop, from_tables, present, read_options,
    readings, twins,
};
use slabscope_core::model::AnyConfig;
use slabscope_core::ranked::{largest_first, rank};
use slabscope_core::slub::{Config, Generation};
use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_formats::Table;

use crate::document::{Block, Document, Sheet};

/// Orders that are tried as the highest.
const MAX_ORDERS: [u8; 5] = [0, 1, 2, 3, 4];
/// CPUs that are tried; the rule looks at powers of two only.
const CPUS: [u32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// Fewest objects of a slab that are tried.
const MIN_OBJECTS: [u32; 6] = [1, 4, 8, 16, 32, 64];
/// Readings of caches that are told.
const TOLD: usize = 12;

/// Everything about the caches; nothing where there are none.
pub(crate) fn document(tables: &[Table], asked: Option<&AnyConfig>) -> Document {
    let rows = from_tables(tables).rows;
    if rows.is_empty() {
        let rows = from_slabtop(tables);
        return if rows.is_empty() { Vec::new() } else { fill(&rows) };
    }
    let found = present(&rows, None, None, None);
    let now = found.config;
    let answers = |configs: &[Config]| -> Vec<Answer> {
        configs.iter().map(|then| answer(&rows, &now, then)).collect()
    };
    let mut document = vec![headline(&rows, &found)];
    document.extend(fill(&rows));
    document.push(Block::Title("What another setting would change".to_owned()));
    if let Some(AnyConfig::Slub(then)) = asked {
        document.push(followed("As the panel has it", &answer(&rows, &now, then)));
    }
    if let Some(line) = command_line(tables) {
        let options = read_options(&line, now.generation);
        document.extend(options.notes.iter().cloned().map(Block::Warning));
        document.push(followed(
            "With the command line that was pasted",
            &answer(&rows, &now, &options.over(now)),
        ));
    }
    let by_order = answers(&MAX_ORDERS.map(|max_order| Config { max_order, ..now }));
    document.push(Block::Sheet(sums("Under another slub_max_order", "Max order", &by_order, |then| {
        then.max_order.to_string()
    })));
    let by_cpus = answers(&CPUS.map(|cpus| Config { cpus, ..now }));
    document
        .push(Block::Sheet(sums("With other CPU counts", "CPUs", &by_cpus, |then| then.cpus.to_string())));
    let by_objects = answers(&MIN_OBJECTS.map(|min_objects| Config { min_objects, ..now }));
    document.push(Block::Sheet(sums("Under another slub_min_objects", "Min objects", &by_objects, |then| {
        then.min_objects.to_string()
    })));
    let by_page = answers(&[12, 13, 14, 15, 16].map(|page_shift| Config { page_shift, ..now }));
    document.push(Block::Sheet(sums("With other page sizes", "Page shift", &by_page, |then| {
        then.page_shift.to_string()
    })));
    let by_kernel = answers(&Generation::ALL.map(|generation| Config { generation, ..now }));
    document.push(Block::Sheet(sums(
        "By the rules of other kernels: rfc-order and rfc-skip are the patches of 2008",
        "Era",
        &by_kernel,
        |then| then.generation.name().to_owned(),
    )));
    document.push(Block::Sheet(high_orders(&by_order, &now)));
    document.push(Block::Sheet(caches(&by_order)));
    document
}

fn headline(rows: &[SlabRow], found: &Present) -> Block {
    let pages: u64 = rows.iter().fold(0, |sum, row| sum.saturating_add(row.pages()));
    Block::Say(
        format!("{} hold ", counted(rows.len() as u64, "cache", "caches")),
        counted(pages, "page", "pages"),
        ".".to_owned(),
        format!(
            "{} of them are explained by era {} with page shift {}, {} and max order {}.",
            grouped(found.matching as u64),
            found.config.generation.name(),
            found.config.page_shift,
            counted(found.config.cpus.into(), "CPU", "CPUs"),
            found.config.max_order
        ),
    )
}

/// Leak or fragmentation: how full the large caches are.
fn fill(rows: &[SlabRow]) -> Document {
    // They begin with the name of a cache, which keeps its letters.
    let text = |sentence: &str| Block::Text(format!("{sentence}."));
    let mut document = vec![Block::Title("Leak or fragmentation".to_owned())];
    document.extend(readings(rows).iter().take(TOLD).map(|reading| text(&reading.sentence)));
    document.extend(twins(rows).iter().take(TOLD).map(|twins| text(&twins.sentence())));
    document
}

/// What a setting changes, in a sentence, and the boot line that makes it.
fn followed(which: &str, answer: &Answer) -> Block {
    let sums = &answer.sums;
    let line = answer.boot_line().map_or_else(String::new, |line| format!(" Boot line: {line}."));
    Block::Text(format!(
        "{which}: {} in place of {} ({} to {}, {} % in bytes), {} behind last objects in place of {}; {} of order 3 or more in place of {}.{line}",
        counted(sums.pages.expected, "page", "pages"),
        grouped(sums.pages_now),
        grouped(sums.pages.low),
        grouped(sums.pages.high),
        change(answer),
        bytes(sums.waste),
        grouped(sums.waste_now),
        counted(sums.high_orders as u64, "cache", "caches"),
        sums.high_orders_now
    ))
}

fn change(answer: &Answer) -> String {
    answer.change_of_sums().map_or_else(|| "-".to_owned(), percent::text)
}

/// Sums under each of several settings.
fn sums(caption: &str, what: &str, answers: &[Answer], name: impl Fn(&Config) -> String) -> Sheet {
    let columns = [
        what,
        "Pages, packed",
        "Pages, as many places",
        "Pages, as many slabs",
        "Change in bytes, %",
        "Bytes left over",
        "Caches of order 3 or more",
        "Pages of those",
    ];
    let mut sheet = Sheet::new(caption, &columns);
    for answer in answers {
        let sums = &answer.sums;
        let is_now = if answer.then == answer.now { ", as it is" } else { "" };
        sheet.push(vec![
            format!("{}{is_now}", name(&answer.then)),
            grouped(sums.pages.low),
            grouped(sums.pages.expected),
            grouped(sums.pages.high),
            change(answer),
            grouped(sums.waste),
            grouped(sums.high_orders as u64),
            grouped(sums.high_pages),
        ]);
    }
    sheet
}

/// Caches in use whose slabs are of order 3 or more, which a fragmented machine may fail to give.
fn high_orders(answers: &[Answer], now: &Config) -> Sheet {
    let columns = ["Cache", "Order", "Pages", "Share of all, %"];
    let mut sheet = Sheet::new("Caches that need order 3 or more", &columns);
    let own = answers.iter().find(|answer| answer.then == *now).or(answers.last());
    let mut high: Vec<_> = own
        .iter()
        .flat_map(|answer| &answer.caches)
        .filter(|cache| cache.now.order >= 3 && cache.row.num > 0)
        .collect();
    rank(&mut high, |cache| largest_first(cache.row.pages()));
    let all = own.map_or(0, |answer| answer.sums.pages_now);
    for cache in high {
        sheet.push(vec![
            cache.row.name.clone(),
            cache.now.order.to_string(),
            grouped(cache.row.pages()),
            percent::text(percent::share(cache.row.pages(), all)),
        ]);
    }
    sheet
}

/// Every cache as it is, with its order under each maximum.
fn caches(answers: &[Answer]) -> Sheet {
    let mut columns: Vec<String> =
        ["Cache", "Object size", "Objects", "Places", "In use, %", "Pages", "Left over a slab", "Order"]
            .map(str::to_owned)
            .to_vec();
    columns.extend(answers.iter().map(|answer| format!("Order, max {}", answer.then.max_order)));
    let mut sheet = Sheet { caption: "Every cache".to_owned(), columns, rows: Vec::new() };
    let Some(first) = answers.first() else { return sheet };
    for (index, cache) in first.caches.iter().enumerate() {
        let row = &cache.row;
        let mut cells = vec![
            row.name.clone(),
            grouped(row.objsize.into()),
            grouped(row.active),
            grouped(row.num),
            percent::text(percent::share(row.active, row.num)),
            grouped(row.pages()),
            grouped(cache.now.waste),
            cache.now.order.to_string(),
        ];
        cells.extend(answers.iter().map(|answer| {
            let then = answer.caches.get(index).and_then(|cache| cache.then);
            then.map_or_else(|| "-".to_owned(), |slab| slab.order.to_string())
        }));
        sheet.push(cells);
    }
    sheet
}
