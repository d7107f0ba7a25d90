//! What the tables of a text mean: a document for each that there is an answer about.

use slabscope_answers::change::{changes, signed};
use slabscope_answers::figures::figures;
use slabscope_answers::input::{Machine, from_classes, from_sizes};
use slabscope_answers::ratio::{beside_meminfo, sentences};
use slabscope_core::model::AnyConfig;
use slabscope_core::tell::{capital, grouped};
use slabscope_formats::{Format, Table};

use crate::document::{Block, Document, Sheet};
use crate::memory::Wears;
use crate::{memory, pool, slabinfo, whatif};

/// Devices or moments that are told about.
const MOST_FIGURES: usize = 12;

/// Answers about every table. `machine` is what is known better than the tables tell, `asked` the setting that the
/// page's panel has.
pub(crate) fn answer(
    tables: &[Table],
    machine: &Machine,
    asked: Option<&AnyConfig>,
    wears: &mut Wears,
) -> Document {
    let of = |format: Format| tables.iter().filter(move |table| table.format() == format);
    let found = figures(tables);
    let mut document = Vec::new();
    let has_classes = of(Format::ZsmallocClasses).next().is_some();
    for table in of(Format::ZsmallocClasses) {
        document.extend(pool::document(table, machine, &found, asked, wears));
    }
    document.extend(before_and_after(tables, machine));
    let text = |sentence: String| Block::Text(format!("{}.", capital(&sentence)));
    for figures in found.iter().take(MOST_FIGURES) {
        let mut said = sentences(figures).into_iter();
        if !has_classes && document.is_empty() {
            document.extend(said.next().map(|first| {
                Block::Say(String::new(), format!("{}.", capital(&first)), String::new(), String::new())
            }));
        }
        document.extend(said.map(text));
        if !has_classes {
            document.extend(memory::of_figures(figures));
        }
    }
    document.extend(beside_meminfo(tables, &found).into_iter().map(text));
    document.extend(slabinfo::document(tables, asked));
    for table in of(Format::SizeHistogram) {
        if let Ok(input) = from_sizes(table, machine) {
            document.push(text(input.taken_for.clone()));
            document.extend(whatif::answers(&input, asked));
        }
    }
    document
}

/// The first and the last class table of several, class by class.
fn before_and_after(tables: &[Table], machine: &Machine) -> Option<Block> {
    let mut classes = tables.iter().filter(|table| table.format() == Format::ZsmallocClasses);
    let (before, after) = (classes.next()?, classes.next_back()?);
    let (before, after) = (from_classes(before, machine).ok()?, from_classes(after, machine).ok()?);
    let (found, sums) = changes(&before, &after);
    let columns = ["Class size", "Pages before", "Pages after", "Pages", "Objects", "Freeable pages"];
    let mut sheet = Sheet::new("From the first class table to the last", &columns);
    let all = (!found.is_empty()).then_some(("all".to_owned(), sums));
    for (name, change) in
        all.into_iter().chain(found.into_iter().map(|found| (grouped(found.size.into()), found)))
    {
        let [before, after] = change.pages;
        sheet.push(vec![
            name,
            grouped(before),
            grouped(after),
            signed(change.pages),
            signed(change.objects),
            signed(change.freeable),
        ]);
    }
    Some(Block::Sheet(sheet))
}
