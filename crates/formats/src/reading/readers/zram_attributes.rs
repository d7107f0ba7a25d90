//! zram's files with one number each, as they were before `mm_stat`.

use super::pairs::{Pair, Records, claim, number_or_text, pairs};
use crate::reading::format::Format;
use crate::reading::sheet::{Sheet, Verdict};

/// Names that only zram has.
const OWN: [&str; 17] = [
    "orig_data_size",
    "compr_data_size",
    "mem_used_total",
    "mem_used_max",
    "mem_limit",
    "zero_pages",
    "same_pages",
    "huge_pages",
    "num_migrated",
    "pages_compacted",
    "notify_free",
    "invalid_io",
    "failed_reads",
    "failed_writes",
    "max_comp_streams",
    "comp_algorithm",
    "avg_compr_ratio",
];

/// Names that others have too.
const SHARED: [&str; 6] = ["disksize", "initstate", "num_reads", "num_writes", "mem_overhead", "backing_dev"];

/// The three without which there is nothing to say.
const CORE: [&str; 3] = ["orig_data_size", "compr_data_size", "mem_used_total"];

/// Finds one table with a row for each device.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let found = pairs(sheet, &|name| OWN.contains(&name) || SHARED.contains(&name));
    let Some(first) = found.first() else {
        return Verdict::far("no line has a name such as orig_data_size with a value");
    };
    let core = CORE.iter().filter(|name| found.iter().any(|pair| pair.name == **name)).count();
    let from_zram = found.iter().any(|pair| device(pair).is_some());
    if core < 2 && !(from_zram && found.len() >= 2) {
        let why =
            format!("{} is a name of zram, but at least two of {} are needed", first.name, CORE.join(", "));
        return Verdict::near(found.len() as u32, Some(first.line), why);
    }
    let mut records = Records::default();
    let mut last: Option<&str> = None;
    for pair in &found {
        last = device(pair).or(last);
        records.go_to(pair.line, "device", last, pair.name);
        records.set(pair.name, number_or_text(pair.value));
    }
    let mut table = records.table(Format::ZramAttributes);
    table.set_title(sheet.title(first.at));
    table.tell(
        "one file for each number: zram before 4.1, or a kernel that still has them (up to 4.10)".to_owned(),
    );
    let id = sheet.add(table, first.at);
    claim(sheet, &found, id);
    Verdict::Mine
}

/// The device that a pair comes from.
fn device<'a>(pair: &Pair<'a>) -> Option<&'a str> {
    pair.folder.split('/').chain(pair.under.split('/')).find(|part| part.starts_with("zram"))
}
