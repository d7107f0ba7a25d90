//! Where memory goes, as bars to scale.

use slabscope_answers::account::{Account, Wear};
use slabscope_answers::figures::{Figures, nearest};
use slabscope_answers::input::Input;
use slabscope_answers::waterfall::{Line, Part as Piece, Waterfall, waterfall, without_classes};
use slabscope_core::tell::{capital, grouped};

use crate::document::{Block, Document, LinePlot, Part, PartKind, PlotLine, Sheet};
use crate::kept::Kept;

/// How pools wear, which takes some ten milliseconds and does not depend on the panel: with it answers follow a slider.
pub(crate) type Wears = Kept<Input, Option<Wear>>;

fn wear(input: &Input, wears: &mut Wears) -> Option<Wear> {
    wears.get(input).unwrap_or_else(|| {
        let wear = Wear::of(input);
        wears.keep(input.clone(), wear.clone());
        wear
    })
}

/// Where the memory of a class table is, with figures of the same moment; nothing for a list of sizes.
pub(crate) fn of_classes(input: &Input, figures: &[Figures], wears: &mut Wears) -> Document {
    let held = input.held_pages.unwrap_or(0).saturating_mul(input.own.page_bytes().into());
    let mut document = waterfall(input, nearest(figures, held)).map(bars).unwrap_or_default();
    if let Some(account) = Account::of(input) {
        let mut sheet = Sheet::new("From the model to the machine", &["Part", "Bytes"]);
        for (name, amount) in account.parts() {
            sheet.push(vec![capital(name), grouped(amount)]);
        }
        sheet.push(vec!["What the machine holds".to_owned(), grouped(account.machine())]);
        sheet.push(vec!["After compaction".to_owned(), grouped(account.after_compaction())]);
        document.push(Block::Title("The model, the machine and compaction".to_owned()));
        let wear = wear(input, wears);
        let said = account.sentences().into_iter().chain(wear.as_ref().and_then(Wear::sentence));
        document.extend(said.map(|sentence| Block::Text(format!("{}.", capital(&sentence)))));
        document.push(Block::Sheet(sheet));
        document.extend(wear.map(|wear| Block::Plot(worn(&wear))));
    }
    document
}

/// Pages held over pages that would do, against the share of objects freed.
fn worn(wear: &Wear) -> LinePlot {
    let points = wear.curve.iter().map(|&(share, held)| (f32::from(share), held as f32 / 10.0)).collect();
    LinePlot {
        caption: "How a pool of these sizes wears".to_owned(),
        along: "objects freed at random, %".to_owned(),
        up: "% of perfect packing".to_owned(),
        lines: vec![PlotLine { name: "pages held".to_owned(), points }],
        cursor: wear.like_now.map(|(share, _)| f32::from(share)),
    }
}

/// Where it is by figures alone.
pub(crate) fn of_figures(figures: &Figures) -> Document {
    if figures.total == 0 { Vec::new() } else { bars(without_classes(figures)) }
}

fn bars(found: Waterfall) -> Document {
    let parts = |lines: &[Line]| Block::Parts(lines.iter().map(part).collect());
    let title = |text: &str| Block::Title(text.to_owned());
    let mut document = vec![
        title("What was written"),
        parts(&found.written),
        title("Where the memory goes"),
        parts(&found.pool),
        title("Outside the pool, and in none of its figures"),
        parts(&found.outside),
    ];
    document.extend(found.warnings.into_iter().map(Block::Warning));
    document
}

fn part(line: &Line) -> Part {
    Part { name: capital(line.part.name()), kind: kind(line.part), bytes: line.bytes, exact: line.is_exact }
}

const fn kind(piece: Piece) -> PartKind {
    match piece {
        Piece::Handles => PartKind::Handle,
        Piece::Rounding | Piece::Overhead => PartKind::Rounding,
        Piece::Tails => PartKind::Tail,
        Piece::Empty | Piece::SameFilled => PartKind::Empty,
        Piece::HandleCache | Piece::Descriptors | Piece::SlotTable | Piece::Entries => PartKind::Header,
        _ => PartKind::Data,
    }
}
