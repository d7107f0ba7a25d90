//! Sizes that a reader brought, in the classes of the setting that the Geometry view shows.

mod brought;
mod packed;
mod rungs;

use slabscope_core::tell::{bytes, capital, counted, grouped, tenths};
use slabscope_core::workload::Measured;
use slabscope_worker::protocol::Setup;

use self::brought::Brought;
use self::packed::{Held, packed, shares};
use self::rungs::Rungs;
use crate::document::{Block, Document, LinePlot, Part, PartKind, PlotLine, Sheet};

/// Stretches of sizes that are told apart in the plot.
const BINS: usize = 64;

/// What the sizes take: a sentence, where they lie, what the pages go to, and every class in use.
///
/// # Errors
/// There are no sizes, or the setting is impossible.
pub(crate) fn document(setup: &Setup) -> Result<Document, String> {
    let data = setup.data.as_deref().unwrap_or_default();
    let brought = Brought::new(data, setup.stream.operations).map_err(|why| capital(&why))?;
    let rungs = Rungs::new(&setup.config()?)?;
    let (held, refused) = packed(&brought.sizes, &rungs);
    let mut sum = Held::default();
    held.iter().for_each(|held| sum.add(held));
    let mut document = vec![sentence(&sum, &held, &rungs)];
    if !brought.moment.is_empty() {
        document.push(Block::Text(brought.moment));
    }
    if refused > 0 {
        document.push(Block::Warning(format!(
            "{} {}: not counted.",
            counted(refused, "object is", "objects are"),
            rungs.beyond
        )));
    }
    if sum.objects > 0 {
        document.push(Block::Plot(plot(&brought.sizes, &rungs)));
        document.push(Block::Parts(parts(&sum, &rungs)));
        document.push(Block::Sheet(sheet(&held, &sum, &rungs)));
    }
    Ok(document)
}

/// Pages, and what most is lost to.
fn sentence(sum: &Held, held: &[Held], rungs: &Rungs) -> Block {
    let pages = counted(sum.bytes() / u64::from(rungs.page), "page", "pages");
    let percent = tenths(100.0 * sum.lost() as f64 / sum.bytes().max(1) as f64);
    let losses = losses(sum, rungs);
    let most = losses.iter().max_by_key(|part| part.bytes).filter(|part| part.bytes > 0);
    let most = most.map_or_else(String::new, |part| {
        format!("Most of it goes to {}: {}. ", part.name, bytes(part.bytes))
    });
    let worst = held.iter().zip(&rungs.all).max_by_key(|(held, _)| held.lost()).filter(|_| sum.objects > 0);
    let worst = worst.map_or_else(String::new, |(held, rung)| {
        format!("{} {} loses most, {}.", rungs.noun, rung.name, bytes(held.lost()))
    });
    Block::Say(
        format!("Your {} take ", counted(sum.objects, "object", "objects")),
        pages,
        format!(", packed without a gap; {percent}\u{a0}% of that is lost."),
        format!("{most}{worst}"),
    )
}

/// What is lost, by what it goes to.
fn losses(sum: &Held, rungs: &Rungs) -> [Part; 4] {
    let part = |name: String, kind, bytes| Part { name, kind, bytes, exact: true };
    let span = rungs.terms.span;
    [
        part("handles".to_owned(), PartKind::Handle, sum.handles),
        part("rounding".to_owned(), PartKind::Rounding, sum.rounding),
        part(rungs.around.to_owned(), PartKind::Tail, sum.around),
        part(
            format!("places left in the last {span} of each {}", rungs.noun.to_ascii_lowercase()),
            PartKind::Empty,
            sum.empty,
        ),
    ]
}

fn parts(sum: &Held, rungs: &Rungs) -> Vec<Part> {
    let asked = Part { name: "asked for".to_owned(), kind: PartKind::Data, bytes: sum.asked, exact: true };
    let lost = losses(sum, rungs).into_iter().filter(|part| part.bytes > 0);
    let named = std::iter::once(asked).chain(lost);
    named.map(|part| Part { name: capital(&part.name), ..part }).collect()
}

/// Where the sizes lie and where bytes are lost. The first line is what a plot against size shows below it.
fn plot(sizes: &Measured, rungs: &Rungs) -> LinePlot {
    let most = rungs.all.last().map_or(rungs.page, |last| last.up_to);
    let shares = shares(sizes, rungs, most, BINS);
    let width = most as f32 / BINS as f32;
    let line = |name: &str, value: fn(&(f32, f32)) -> f32| PlotLine {
        name: name.to_owned(),
        points: shares
            .iter()
            .zip(0u8..)
            .flat_map(|(share, bin)| {
                let from = f32::from(bin) * width;
                [(from, value(share)), (from + width, value(share))]
            })
            .collect(),
    };
    LinePlot {
        caption: "Your sizes, and where bytes are lost".to_owned(),
        along: "size of an object in bytes".to_owned(),
        up: "% of all".to_owned(),
        lines: vec![line("objects", |share| share.0), line("bytes lost", |share| share.1)],
        cursor: None,
    }
}

/// Every class in use.
fn sheet(held: &[Held], sum: &Held, rungs: &Rungs) -> Sheet {
    let spans = capital(rungs.terms.spans);
    let columns = [
        rungs.noun,
        "Objects",
        &spans,
        "Pages",
        "Bytes asked for",
        "Bytes lost",
        "Of its pages, %",
        "Of all lost, %",
    ];
    let mut sheet = Sheet::new("Your sizes by class", &columns);
    let percent = |part: u64, whole: u64| tenths(100.0 * part as f64 / whole.max(1) as f64);
    for (held, rung) in held.iter().zip(&rungs.all).filter(|(held, _)| held.objects > 0) {
        sheet.push(vec![
            rung.name.clone(),
            grouped(held.objects),
            grouped(held.spans),
            grouped(held.spans.saturating_mul(rung.pages.into())),
            grouped(held.asked),
            grouped(held.lost()),
            percent(held.lost(), held.bytes()),
            percent(held.lost(), sum.lost()),
        ]);
    }
    sheet
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use slabscope_core::model::AnyConfig;
    use slabscope_core::workload::{Kind, SizeDist, Spec};
    use slabscope_core::zsmalloc::{Config, Era};
    use slabscope_formats::carried::{pack_sizes, pack_stream};
    use slabscope_formats::trace::read_trace;

    use super::*;

    fn setup(max_pages: u8, data: &str) -> Setup {
        let stream = Spec {
            kind: Kind::Churn,
            dist: SizeDist::Uniform,
            fixed_size: None,
            seed: 1,
            operations: 900,
            live: 50,
            compact_every: 0,
        };
        let config = AnyConfig::Zsmalloc(Config { max_pages, ..Config::default_for(Era::V6_12) });
        Setup::new(&config, &stream, Some(data.into()))
    }

    #[test]
    fn sizes_are_counted_in_the_classes_of_the_setting() {
        let data = pack_sizes(&Measured::new(&[(3400, 3400, 90), (9000, 9000, 2)]).unwrap());
        let pages = |max_pages| match &document(&setup(max_pages, &data)).unwrap()[..] {
            [
                Block::Say(objects, pages, ..),
                Block::Warning(refused),
                Block::Plot(plot),
                Block::Parts(parts),
                Block::Sheet(sheet),
            ] => {
                assert!(objects.contains("90 objects") && refused.starts_with("2 objects are larger"));
                assert_eq!((plot.lines.len(), sheet.rows.len()), (2, 1));
                let whole: u64 = parts.iter().map(|part| part.bytes).sum();
                (pages.clone(), whole / 4096)
            }
            other => panic!("{other:?}"),
        };
        // From 3,257 bytes on each takes a page at 4 pages; at 8 six lie in five.
        assert_eq!(pages(4), ("90 pages".to_owned(), 90));
        assert_eq!(pages(8), ("75 pages".to_owned(), 75));
    }

    #[test]
    fn a_trace_says_which_of_its_objects_are_counted() {
        let data = pack_stream(&read_trace(&b"a 1 100\na 2 100\nf 1\n"[..]).unwrap());
        let found = document(&setup(8, &data)).unwrap();
        assert!(matches!(&found[1], Block::Text(text) if text.contains("operation 2 of 3")), "{found:?}");
    }

    #[test]
    fn what_cannot_be_shown_says_why() {
        let why = |data: &str| document(&setup(8, data)).unwrap_err();
        assert!(why("f1.00000000").starts_with("The link names a file"));
        assert!(why("").contains("cannot be unpacked"));
        // Objects that no class takes are none of the picture's.
        let data = pack_sizes(&Measured::new(&[(9000, 9000, 2)]).unwrap());
        assert_eq!(document(&setup(8, &data)).unwrap().len(), 2);
    }
}
