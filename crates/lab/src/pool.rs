//! A zsmalloc pool: how much it holds, where that is, what compaction returns, what other settings would do.

use slabscope_answers::figures::Figures;
use slabscope_answers::input::{ClassHeld, Input, Machine, from_classes};
use slabscope_core::model::AnyConfig;
use slabscope_core::ranked::{largest_first, rank};
use slabscope_core::tell::{bytes, capital, counted, grouped, hundredths, tenths};
use slabscope_formats::Table;

use crate::document::{Block, Document, Sheet};
use crate::memory::Wears;
use crate::{memory, whatif};

/// Everything about a class table.
pub(crate) fn document(
    table: &Table,
    machine: &Machine,
    figures: &[Figures],
    asked: Option<&AnyConfig>,
    wears: &mut Wears,
) -> Document {
    let input = match from_classes(table, machine) {
        Ok(input) => input,
        Err(why) => return vec![Block::Warning(format!("This table cannot be worked with: {why}"))],
    };
    let mut document = vec![sentence(&input)];
    document.push(Block::Text(format!("{}.", capital(&input.taken_for))));
    document.extend(memory::of_classes(&input, figures, wears));
    document.push(Block::Text(compaction(&input)));
    document.push(Block::Sheet(classes(&input)));
    document.extend(whatif::answers(&input, asked));
    document
}

fn sum(input: &Input, part: fn(&ClassHeld) -> u64) -> u64 {
    input.classes.iter().map(part).fold(0, u64::saturating_add)
}

/// How much is held, and the largest part of what is lost.
fn sentence(input: &Input) -> Block {
    let (pages, freeable) = (sum(input, |class| class.pages), sum(input, |class| class.freeable));
    let more =
        format!("Compacting now would return {} of {}.", counted(freeable, "page", "pages"), grouped(pages));
    if pages == 0 {
        return Block::Say("This pool is ".to_owned(), "empty".to_owned(), ".".to_owned(), more);
    }
    let page = u64::from(input.own.page_bytes());
    let total = pages.saturating_mul(page);
    let used = sum(input, |class| class.objects.saturating_mul(class.size.into())).min(total);
    let places = sum(input, |class| class.places.saturating_mul(class.size.into())).clamp(used, total);
    let small = input.population.objects().saturating_sub(input.population.raw().objects);
    let handles = small.saturating_mul(input.own.bits.handle_bytes().into());
    let lost = [("empty places", places - used), ("tails of zspages", total - places), ("handles", handles)];
    let (name, amount) = lost.into_iter().max_by_key(|part| part.1).unwrap_or(("tails", 0));
    Block::Say(
        format!("{} hold {}. ", mebi(total), counted(input.population.objects(), "object", "objects")),
        format!("Of what is lost for certain, {name} take most: {}.", mebi(amount)),
        String::new(),
        more,
    )
}

pub(crate) fn mebi(amount: u64) -> String {
    format!("{} MiB", hundredths(amount as f64 / f64::from(1 << 20)))
}

fn compaction(input: &Input) -> String {
    let freeable = sum(input, |class| class.freeable);
    if freeable == 0 {
        return "Compaction would return nothing: no class has a whole zspage of empty places.".to_owned();
    }
    let amount = freeable.saturating_mul(input.own.page_bytes().into());
    format!(
        "Compacting would return {}, {}; the table below has it by class. For zram: echo 1 > /sys/block/zramN/compact",
        counted(freeable, "page", "pages"),
        bytes(amount)
    )
}

/// Classes by the pages they hold.
fn classes(input: &Input) -> Sheet {
    let columns = ["Class size", "In a zspage", "Objects", "Places", "In use, %", "Pages", "Freeable pages"];
    let mut sheet = Sheet::new("Classes by pages held", &columns);
    let mut classes: Vec<&ClassHeld> = input.classes.iter().collect();
    rank(&mut classes, |class| largest_first(class.pages));
    for class in classes {
        sheet.push(vec![
            grouped(class.size.into()),
            format!("{} in {}", class.zspage_objects, class.zspage_pages),
            grouped(class.objects),
            grouped(class.places),
            tenths(100.0 * class.objects as f64 / class.places.max(1) as f64),
            grouped(class.pages),
            grouped(class.freeable),
        ]);
    }
    sheet
}
