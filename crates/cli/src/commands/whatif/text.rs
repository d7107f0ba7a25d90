//! The answer for reading: the rows, what they cost, where the memory is, and what to do.

use std::io::{self, Write};

use slabscope_answers::account::{Account, Wear};
use slabscope_answers::advice::{LEAST_GAIN, advise};
use slabscope_answers::figures::{Figures, nearest};
use slabscope_answers::input::Input;
use slabscope_answers::percent;
use slabscope_answers::reference::reference_lines;
use slabscope_answers::sweep::{COLUMNS, Row};
use slabscope_answers::waterfall::waterfall;
use slabscope_core::tell::{bytes, counted};
use slabscope_formats::zsmalloc_tables::write_aligned;

use crate::memory::write_memory;

/// Writes it.
///
/// # Errors
/// The output fails.
pub(super) fn write_answer<W: Write>(
    name: &str,
    input: &Input,
    figures: &[Figures],
    rows: &[Row],
    out: &mut W,
) -> io::Result<()> {
    writeln!(out, "{name}: {}\n", input.taken_for)?;
    write_aligned(&COLUMNS, rows.iter().map(Row::cells), out)?;
    writeln!(out, "\nWhat that costs, with evenly spread sizes")?;
    write_aligned(&COST_COLUMNS, rows.iter().map(cost), out)?;
    for (name, pages) in reference_lines(input) {
        let pages = counted(pages, "page", "pages");
        writeln!(out, "{name}: at least {pages}, since it keeps whole objects (headers and chunks ignored)")?;
    }
    let pool: u64 = input.held_pages.unwrap_or(0).saturating_mul(input.own.page_bytes().into());
    if let Some(found) = waterfall(input, nearest(figures, pool)) {
        write_memory(&found, out)?;
    }
    if let Some(account) = Account::of(input) {
        write_account(input, &account, out)?;
    }
    if let Some(advice) = advise(input, rows, LEAST_GAIN) {
        writeln!(out)?;
        if let Some(first) = advice.first {
            writeln!(out, "Advice: {first}")?;
        }
        writeln!(out, "Advice: {}", advice.sentence)?;
        if let Some(line) = advice.apply {
            writeln!(out, "Apply:  {line}")?;
        }
    }
    Ok(())
}

const COST_COLUMNS: [&str; 9] = [
    "allocator",
    "page_shift",
    "max_pages",
    "zspages_partly_filled",
    "zspages_partly_filled_max",
    "pages_of_one_allocation",
    "crossing_percent",
    "pages_at_least",
    "pages_at_most",
];

fn cost(row: &Row) -> [String; 9] {
    let [allocator, _, page_shift, max_pages, ..] = row.cells();
    let found = &row.prediction;
    let crossing = match row.setting.max_pages() {
        Some(_) => percent::text(percent::share(found.crossing, found.objects)),
        None => "-".to_owned(),
    };
    [
        allocator,
        page_shift,
        max_pages,
        found.partial.to_string(),
        found.classes_in_use.to_string(),
        found.largest_demand.to_string(),
        crossing,
        found.at_least.to_string(),
        found.at_most.to_string(),
    ]
}

fn write_account<W: Write>(input: &Input, account: &Account, out: &mut W) -> io::Result<()> {
    writeln!(out, "\nWhat a model says, what the machine holds, what compaction leaves")?;
    for (name, amount) in account.parts() {
        writeln!(out, "  {name:<48}{:>24}", bytes(amount))?;
    }
    for (name, amount) in [("machine", account.machine()), ("after compaction", account.after_compaction())] {
        writeln!(out, "  {name:<48}{:>24}", bytes(amount))?;
    }
    let wear = Wear::of(input).and_then(|wear| wear.sentence());
    account.sentences().into_iter().chain(wear).try_for_each(|sentence| writeln!(out, "  {sentence}"))
}
