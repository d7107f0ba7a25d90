//! What the objects of a pasted table would take under other settings.

use slabscope_answers::account::Account;
use slabscope_answers::advice::{LEAST_GAIN, advise};
use slabscope_answers::input::Input;
use slabscope_answers::percent;
use slabscope_answers::reference::reference_lines;
use slabscope_answers::select::Selection;
use slabscope_answers::sweep::{Row, sweep};
use slabscope_answers::waterfall::{Figures, Part as Piece, waterfall};
use slabscope_core::tell::grouped;

use crate::document::{Block, Document, LinePlot, Part, PartKind, PlotLine, Sheet};

/// Advice, every setting as a table and as a plot, and where the memory is.
pub(crate) fn answers(input: &Input) -> Document {
    let rows = sweep(input, &Selection::default().settings(&input.own)).rows;
    let mut document = vec![Block::Title("What another setting would change".to_owned())];
    if let Some(advice) = advise(input, &rows, LEAST_GAIN) {
        document.extend(advice.first.map(|first| Block::Text(format!("{}.", sentence_case(&first)))));
        document.push(Block::Text(format!("{}.", sentence_case(&advice.sentence))));
        document.extend(advice.apply.map(Block::Mono));
    }
    document.push(Block::Plot(plot(&rows)));
    document.push(Block::Sheet(settings(&rows)));
    document.push(Block::Sheet(costs(&rows)));
    let references = reference_lines(input)
        .map(|(name, pages)| format!("{name} at least {} pages", grouped(pages)))
        .join(", ");
    document.push(Block::Text(format!(
        "Allocators that keep whole objects in single pages would need: {references}; their headers and chunks are left out."
    )));
    document
}

/// Where the memory of a class table is; nothing for a list of sizes.
pub(crate) fn where_it_is(input: &Input) -> Document {
    let mut document = Vec::new();
    if let Some(found) = waterfall(input, &Figures::None) {
        let part = |line: &slabscope_answers::waterfall::Line| Part {
            name: line.part.name().to_owned(),
            kind: kind(line.part),
            bytes: line.bytes,
            exact: line.is_exact,
        };
        document.push(Block::Title("Where the memory goes".to_owned()));
        document.push(Block::Parts(found.pool.iter().map(part).collect()));
        document.push(Block::Title("Outside the pool, and in none of its figures".to_owned()));
        document.push(Block::Parts(found.outside.iter().map(part).collect()));
        document.extend(found.warnings.into_iter().map(Block::Warning));
    }
    if let Some(account) = Account::of(input) {
        let mut sheet = Sheet::new("From the model to the machine", &["Part", "Bytes"]);
        for (name, amount) in account.parts() {
            sheet.push(vec![sentence_case(name), grouped(amount)]);
        }
        sheet.push(vec!["What the machine holds".to_owned(), grouped(account.machine())]);
        sheet.push(vec!["After compaction".to_owned(), grouped(account.after_compaction())]);
        document.push(Block::Sheet(sheet));
    }
    document
}

const fn kind(piece: Piece) -> PartKind {
    match piece {
        Piece::Handles => PartKind::Handle,
        Piece::Rounding => PartKind::Rounding,
        Piece::Tails => PartKind::Tail,
        Piece::Empty => PartKind::Empty,
        Piece::HandleCache | Piece::Descriptors => PartKind::Header,
        _ => PartKind::Data,
    }
}

/// Bytes against max pages: what is expected, between what the sizes allow.
fn plot(rows: &[Row]) -> LinePlot {
    let mebi = |pages: u64, row: &Row| {
        pages as f32 * row.setting.page_bytes() as f32 / f32::from(1u16 << 10) / 1024.0
    };
    let line = |name: &str, pages: fn(&Row) -> u64| PlotLine {
        name: name.to_owned(),
        points: rows
            .iter()
            .filter_map(|row| Some((f32::from(row.setting.max_pages()?), mebi(pages(row), row))))
            .collect(),
    };
    LinePlot {
        caption: "Memory by max pages per zspage, packed without a gap".to_owned(),
        along: "max pages per zspage".to_owned(),
        up: "MiB".to_owned(),
        lines: vec![
            line("smallest sizes", |row| row.prediction.low),
            line("expected", |row| row.prediction.expected),
            line("largest sizes", |row| row.prediction.high),
        ],
        cursor: None,
    }
}

/// Numbers in groups, other texts as they are.
fn readable(cell: String) -> String {
    cell.parse().map_or(cell, grouped)
}

fn settings(rows: &[Row]) -> Sheet {
    let columns = [
        "Allocator",
        "Era",
        "Page shift",
        "Max pages",
        "Pages, smallest sizes",
        "Pages, expected",
        "Pages, largest sizes",
        "Bytes, expected",
        "Change, %",
        "Pages, as fragmented as now",
        "Partly full zspages, most",
        "Assumption",
    ];
    let mut sheet = Sheet::new("Every setting", &columns);
    for row in rows {
        sheet.push(row.cells().into_iter().map(readable).collect());
    }
    sheet
}

fn costs(rows: &[Row]) -> Sheet {
    let columns = [
        "Allocator",
        "Max pages",
        "Partly full zspages",
        "Pages of one allocation",
        "Objects that cross a page, %",
    ];
    let mut sheet = Sheet::new("The other side of each setting", &columns);
    for row in rows {
        let found = &row.prediction;
        let max_pages = row.setting.max_pages();
        sheet.push(vec![
            row.setting.model().name().to_owned(),
            max_pages.map_or_else(|| "-".to_owned(), |pages| pages.to_string()),
            grouped(found.partial.into()),
            grouped(found.largest_demand.into()),
            max_pages.map_or_else(
                || "-".to_owned(),
                |_| percent::text(percent::share(found.crossing, found.objects)),
            ),
        ]);
    }
    sheet
}

/// A sentence begins with a capital.
pub(crate) fn sentence_case(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}
