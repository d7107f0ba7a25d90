//! How a case works: prose, and the figure that it sets.

use slabscope_cases::{Outcome, Piece, Scene, Sketch, pieces};
use slabscope_core::locks::{Spec, simulate};
use slabscope_core::tell::{grouped, tenths};

use crate::document::{Block, Document, FREE};
use crate::locks::lanes as drawn;

/// Stretches of a thread's time that are kept for drawing.
const SEGMENTS: usize = 400;
/// Operations of a run that is drawn.
const OPERATIONS: u32 = 20_000;

/// The paragraphs with their links.
pub(super) fn prose(explained: &[&str]) -> Document {
    let piece = |piece: &Piece<'_>| match *piece {
        Piece::Words(words) => (words.to_owned(), String::new()),
        Piece::Scene(scene, words) => (words.to_owned(), scene.to_string()),
        Piece::Link(fragment, words) => (words.to_owned(), format!("#{fragment}")),
    };
    let paragraph = |text: &&str| Block::Prose(pieces(text).iter().map(piece).collect());
    explained.iter().map(paragraph).collect()
}

/// The figure, where it is made of zspages, blocks or slabs.
pub(super) fn scenes(scenes: Vec<Scene>) -> Option<Block> {
    let scenes = scenes.into_iter().map(|scene| {
        let mut document = vec![Block::Text(scene.caption)];
        document.extend(scene.sketches.into_iter().map(span));
        (scene.title, document)
    });
    let scenes: Vec<_> = scenes.collect();
    (!scenes.is_empty()).then_some(Block::Scenes(scenes))
}

fn span(sketch: Sketch) -> Block {
    let Sketch { name, page_bytes, pages, header, size, handle, places } = sketch;
    let mut numbers = vec![page_bytes, pages.into(), header, size, handle];
    numbers.extend(places.into_iter().map(|stored| stored.unwrap_or(FREE)));
    Block::Span(name, numbers)
}

/// The figure, where it is threads that meet at locks.
pub(super) fn lanes(outcome: &Outcome) -> Option<Block> {
    let scene = |(name, spec): &(String, Spec)| {
        let spec = Spec { lane_segments: SEGMENTS, operations: OPERATIONS, ..spec.clone() };
        let report = simulate(&spec).ok()?;
        let all = (report.compute() + report.wait() + report.hold()).max(1) as f64;
        let caption = format!(
            "Of their time, threads wait {} % and hold a lock {} %. All {} operations are done after {} µs.",
            tenths(report.wait() as f64 * 100.0 / all),
            tenths(report.hold() as f64 * 100.0 / all),
            grouped(OPERATIONS.into()),
            grouped(report.elapsed.div_ceil(1000))
        );
        Some((name.clone(), vec![Block::Text(caption), Block::Lanes(drawn(&report))]))
    };
    let scenes: Vec<_> = outcome.lanes.iter().filter_map(scene).collect();
    (!scenes.is_empty()).then_some(Block::Scenes(scenes))
}
