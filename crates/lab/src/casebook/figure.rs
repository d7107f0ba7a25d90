//! How a case works: prose, and the figure that it sets.

use slabscope_cases::{Case, Options, Outcome, Sketch, pieces};
use slabscope_core::locks::{Spec, simulate};
use slabscope_core::tell::tenths;

use crate::document::{Block, Document, Piece, Span};
use crate::locks::lanes as drawn;

/// Stretches of a thread's time that are kept for drawing.
const SEGMENTS: usize = 400;
/// Operations of a run that is drawn.
const OPERATIONS: u32 = 20_000;

/// The paragraphs with their links.
pub(super) fn prose(case: Case) -> Document {
    let piece = |piece: &slabscope_cases::Piece<'_>| match *piece {
        slabscope_cases::Piece::Words(words) => Piece::Words(words.to_owned()),
        slabscope_cases::Piece::Scene(scene, words) => Piece::Scene(scene, words.to_owned()),
        slabscope_cases::Piece::Link(fragment, words) => Piece::Link(fragment.to_owned(), words.to_owned()),
    };
    let paragraph = |text: &&str| Block::Prose(pieces(text).iter().map(piece).collect());
    case.explained().iter().map(paragraph).collect()
}

/// The figure, where it is made of zspages, blocks or slabs.
pub(super) fn scenes(case: Case, options: &Options) -> Option<Block> {
    let scenes = slabscope_cases::scenes(case, options).into_iter().map(|scene| {
        let mut document = vec![Block::Text(scene.caption)];
        document.extend(scene.sketches.into_iter().map(|sketch| Block::Span(span(sketch))));
        (scene.title, document)
    });
    let scenes: Vec<_> = scenes.collect();
    (!scenes.is_empty()).then_some(Block::Scenes(scenes))
}

fn span(sketch: Sketch) -> Span {
    let Sketch { name, page_bytes, pages, header, size, handle, places } = sketch;
    Span { name, page_bytes, pages, header, size, handle, places }
}

/// The figure, where it is threads that meet at locks.
pub(super) fn lanes(outcome: &Outcome) -> Option<Block> {
    let scene = |(name, spec): &(String, Spec)| {
        let spec = Spec { lane_segments: SEGMENTS, operations: OPERATIONS, ..spec.clone() };
        let report = simulate(&spec).ok()?;
        let all = (report.compute() + report.wait() + report.hold()).max(1) as f64;
        let caption = format!(
            "Of their time, threads wait {} % and hold a lock {} %.",
            tenths(report.wait() as f64 * 100.0 / all),
            tenths(report.hold() as f64 * 100.0 / all)
        );
        Some((name.clone(), vec![Block::Text(caption), Block::Lanes(drawn(&report))]))
    };
    let scenes: Vec<_> = outcome.lanes.iter().filter_map(scene).collect();
    (!scenes.is_empty()).then_some(Block::Scenes(scenes))
}
