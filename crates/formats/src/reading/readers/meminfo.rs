//! `/proc/meminfo`, whole or a few lines of it, also of a memory node.

use slabscope_core::tell::grouped;

use super::pairs::{Records, name_and_value};
use crate::reading::clean::LineKind;
use crate::reading::format::Format;
use crate::reading::numbers::int;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Names that no other file has: one of them makes a meminfo.
const OWN: [&str; 20] = [
    "MemTotal",
    "MemFree",
    "MemAvailable",
    "MemUsed",
    "Buffers",
    "Cached",
    "SwapCached",
    "SwapTotal",
    "SwapFree",
    "Slab",
    "SReclaimable",
    "SUnreclaim",
    "KReclaimable",
    "Zswap",
    "Zswapped",
    "KernelStack",
    "PageTables",
    "VmallocUsed",
    "Percpu",
    "CommitLimit",
];

/// Names that are counts without a unit.
const COUNTS: [&str; 4] = ["HugePages_Total", "HugePages_Free", "HugePages_Rsvd", "HugePages_Surp"];

/// One file as it was shown once.
#[derive(Default)]
struct Moment<'a> {
    records: Records<'a>,
    lines: Vec<usize>,
    own: bool,
}

/// Finds a table for each group of lines, with a row for each time a name comes again.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut moment = Moment::default();
    for at in 0..=sheet.len() {
        let Some(line) = sheet.line(at) else {
            found |= add(sheet, &mut moment);
            break;
        };
        match line.kind {
            LineKind::Data => match sheet.data(at).and_then(|line| value(line.text)) {
                Some((name, value)) => {
                    if moment.lines.is_empty() || moment.records.has(name) {
                        moment.records.begin(line.number);
                    }
                    moment.records.set_at(line.number, name, Value::Int(value));
                    moment.lines.push(at);
                    moment.own |= OWN.contains(&name);
                }
                // Other counters between the lines are no end; a heading is.
                None if line.text.ends_with(':') => found |= add(sheet, &mut moment),
                None => {}
            },
            LineKind::Command | LineKind::Label => found |= add(sheet, &mut moment),
            LineKind::Elided | LineKind::Frame => {}
        }
    }
    if found { Verdict::Mine } else { Verdict::far("no line has a name such as MemTotal or Zswap with kB") }
}

/// `Name:  123 kB`, or a count under one of the names that have no unit.
fn value(text: &str) -> Option<(&str, u64)> {
    let text = match text.strip_prefix("Node ") {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start(),
        None => text,
    };
    let (name, value) = name_and_value(text)?;
    let mut words = value.split_ascii_whitespace();
    let number = int(words.next()?)?;
    let has_unit = words.next().is_some_and(|unit| unit.eq_ignore_ascii_case("kB"));
    (words.next().is_none() && (has_unit || COUNTS.contains(&name))).then_some((name, number))
}

fn add(sheet: &mut Sheet<'_>, moment: &mut Moment<'_>) -> bool {
    let Moment { records, lines, own } = std::mem::take(moment);
    let Some(&first) = lines.first().filter(|_| own) else { return false };
    let mut table = records.table(Format::Meminfo);
    table.set_title(title(sheet, first));
    table.tell("numbers are in kB, as the file has them".to_owned());
    check(&mut table, &records);
    let id = sheet.add(table, first);
    for at in lines {
        sheet.row(at, id);
    }
    true
}

/// Lines above the first in which its heading is looked for.
const HEADING_AT_MOST: usize = 12;

/// The heading above, over counters of other files.
fn title(sheet: &mut Sheet<'_>, first: usize) -> Option<String> {
    let heading = (first.saturating_sub(HEADING_AT_MOST)..first)
        .rev()
        .find(|at| sheet.data(*at).is_some_and(|line| line.text.ends_with(':')));
    sheet.title(heading.map_or(first, |at| at + 1))
}

/// Sums and parts that do not fit.
fn check(table: &mut Table, records: &Records<'_>) {
    let mut said = Vec::new();
    for (index, row) in table.rows().enumerate() {
        let mut warn = |name: &str, text: String| said.push((records.line(index, name), text));
        let get = |name: &str| row.get(name);
        if let (Some(pool), Some(stored)) = (get("Zswap"), get("Zswapped"))
            && pool > stored
        {
            warn(
                "Zswap",
                format!(
                    "Zswap holds {} kB for pages of {} kB (Zswapped): more than without compressing",
                    grouped(pool),
                    grouped(stored)
                ),
            );
        }
        for name in ["Zswap", "Zswapped"] {
            if let Some(kb) = get(name)
                && kb % 4 != 0
            {
                warn(name, format!("{name} of {} kB is no whole number of pages", grouped(kb)));
            }
        }
        for (part, whole) in [
            ("MemFree", "MemTotal"),
            ("MemAvailable", "MemTotal"),
            ("SwapFree", "SwapTotal"),
            ("Slab", "MemTotal"),
        ] {
            if let (Some(part_kb), Some(whole_kb)) = (get(part), get(whole))
                && part_kb > whole_kb
            {
                warn(
                    part,
                    format!("{part} of {} kB is above {whole} of {} kB", grouped(part_kb), grouped(whole_kb)),
                );
            }
        }
        for (whole, first, second) in [
            ("Slab", "SReclaimable", "SUnreclaim"),
            ("Active", "Active(anon)", "Active(file)"),
            ("Inactive", "Inactive(anon)", "Inactive(file)"),
        ] {
            let (Some(sum), Some(a), Some(b)) = (get(whole), get(first), get(second)) else { continue };
            // The parts are counted one after the other, so that a page or two may be between.
            if a.saturating_add(b).abs_diff(sum) > 64 {
                warn(
                    whole,
                    format!(
                        "{whole} is {} kB, {first} and {second} make {}",
                        grouped(sum),
                        grouped(a.saturating_add(b))
                    ),
                );
            }
        }
    }
    for (line, text) in said {
        table.warn(Some(line), text);
    }
}
