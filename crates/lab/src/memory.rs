//! Where memory goes, as bars to scale.

use slabscope_answers::account::Account;
use slabscope_answers::figures::{Figures, nearest};
use slabscope_answers::input::Input;
use slabscope_answers::waterfall::{Line, Part as Piece, Waterfall, waterfall, without_classes};
use slabscope_core::tell::grouped;

use crate::document::{Block, Document, Part, PartKind, Sheet};
use crate::whatif::sentence_case;

/// Where the memory of a class table is, with figures of the same moment; nothing for a list of sizes.
pub(crate) fn of_classes(input: &Input, figures: &[Figures]) -> Document {
    let held = input.held_pages.unwrap_or(0).saturating_mul(input.own.page_bytes().into());
    let mut document = waterfall(input, nearest(figures, held)).map(bars).unwrap_or_default();
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
    Part {
        name: sentence_case(line.part.name()),
        kind: kind(line.part),
        bytes: line.bytes,
        exact: line.is_exact,
    }
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
