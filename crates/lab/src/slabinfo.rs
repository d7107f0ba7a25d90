//! The caches of a pasted slabinfo: what they hold, and what another maximum order would change.

use slabscope_answers::percent;
use slabscope_answers::slub::{Answer, SlabRows, answer, present, readings};
use slabscope_core::slub::Config;
use slabscope_core::tell::{counted, grouped};

use crate::document::{Block, Document, Sheet};
use crate::whatif::sentence_case;

/// Orders that are tried as the highest.
const MAX_ORDERS: std::ops::RangeInclusive<u8> = 0..=4;
/// Readings of caches that are told.
const TOLD: usize = 12;

/// Everything about the caches.
pub(crate) fn document(rows: &SlabRows) -> Document {
    let found = present(&rows.rows, None, None, None);
    let answers: Vec<Answer> = MAX_ORDERS
        .map(|max_order| answer(&rows.rows, &found.config, &Config { max_order, ..found.config }))
        .collect();
    let pages: u64 = rows.rows.iter().fold(0, |sum, row| sum.saturating_add(row.pages()));
    let mut document = vec![
        Block::Say(
            format!("{} hold ", counted(rows.rows.len() as u64, "cache", "caches")),
            counted(pages, "page", "pages"),
            ".".to_owned(),
            format!(
                "{} of them are explained by era {} with {} and max order {}.",
                grouped(found.matching as u64),
                found.config.generation.name(),
                counted(found.config.cpus.into(), "CPU", "CPUs"),
                found.config.max_order
            ),
        ),
        Block::Text(format!(
            "slabinfo, {}, {} left out.",
            counted(rows.rows.len() as u64, "row", "rows"),
            counted(rows.skipped.len() as u64, "line", "lines")
        )),
    ];
    document.extend(
        readings(&rows.rows)
            .iter()
            .take(TOLD)
            .map(|reading| Block::Text(format!("{}.", sentence_case(&reading.sentence)))),
    );
    document.push(Block::Sheet(by_order(&answers)));
    document.extend(answers.iter().filter_map(Answer::boot_line).take(1).map(Block::Mono));
    document.push(Block::Sheet(caches(&answers)));
    document
}

/// Sums under each maximum order.
fn by_order(answers: &[Answer]) -> Sheet {
    let columns = [
        "Max order",
        "Pages, packed",
        "Pages, as many places",
        "Pages, as many slabs",
        "Change, %",
        "Bytes left over",
        "Caches of order 3 or more",
        "Pages of those",
    ];
    let mut sheet = Sheet::new("Under another slub_max_order", &columns);
    for answer in answers {
        let sums = &answer.sums;
        let change = percent::change(sums.pages_now, sums.pages.expected);
        sheet.push(vec![
            answer.then.max_order.to_string(),
            grouped(sums.pages.low),
            grouped(sums.pages.expected),
            grouped(sums.pages.high),
            change.map_or_else(|| "-".to_owned(), percent::text),
            grouped(sums.waste),
            grouped(sums.high_orders as u64),
            grouped(sums.high_pages),
        ]);
    }
    sheet
}

/// Every cache as it is, with its order under each maximum.
fn caches(answers: &[Answer]) -> Sheet {
    let mut columns: Vec<String> =
        ["Cache", "Object size", "Objects", "Places", "Pages", "Order"].map(str::to_owned).to_vec();
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
            grouped(row.pages()),
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
