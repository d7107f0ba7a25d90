//! zblock's debugfs file `blocks`.

use slabscope_core::zblock::{Config, Geometry, Version};

use crate::reading::account::Why;
use crate::reading::format::Format;
use crate::reading::numbers::int;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// `TYPE: N blocks of N pages (total N pages)` as its four numbers.
fn parse(text: &str) -> Option<[u64; 4]> {
    let (kind, rest) = text.split_once(':')?;
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    let [blocks, "blocks", "of", pages, "pages", "(total", total, "pages)"] = words[..] else { return None };
    Some([int(kind.trim())?, int(blocks)?, int(pages)?, int(total)?])
}

/// Finds runs of lines; a type that is not above the last begins another table.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let rows: Vec<(usize, u32, [u64; 4])> =
        sheet.free().filter_map(|(at, line)| Some((at, line.number, parse(line.text)?))).collect();
    let mut rest = &rows[..];
    while let Some(first) = rest.first() {
        let ascending = rest.windows(2).take_while(|pair| pair[0].2[0] < pair[1].2[0]).count();
        let (run, later) = rest.split_at(ascending + 1);
        rest = later;
        let mut table = Table::new(Format::ZblockBlocks, ["type", "blocks", "pages", "total"]);
        table.set_title(sheet.title(first.0));
        for (_, line, numbers) in run {
            table.push(*line, numbers.map(Value::Int));
        }
        explain(&mut table, sheet.explains());
        let id = sheet.add(table, first.0);
        for (at, _, [_, blocks, pages, total]) in run {
            if blocks.saturating_mul(*pages) == *total {
                sheet.row(*at, id);
            } else {
                sheet.doubt(*at, id, Why::new("the total is not blocks times pages"));
            }
        }
    }
    if !rows.is_empty() {
        return Verdict::Mine;
    }
    let near = sheet.free().find(|(_, line)| line.text.contains(" blocks of "));
    match near {
        Some((_, line)) => Verdict::near(
            2,
            Some(line.number),
            "a line of zblock is \u{201c}TYPE: N blocks of N pages (total N pages)\u{201d}".to_owned(),
        ),
        None => Verdict::far("no line says how many blocks of how many pages a type has"),
    }
}

/// Which versions have these types, and what does not add up.
fn explain(table: &mut Table, guesses: bool) {
    let sums = ["blocks", "total"].map(|name| (name.to_owned(), table.sum(name)));
    table.set_totals(sums.to_vec(), false);
    let mut said = Vec::new();
    for row in table.rows() {
        let get = |name| row.get(name).unwrap_or(0);
        let product = get("blocks").saturating_mul(get("pages"));
        if product != get("total") {
            said.push((
                row.line(),
                format!(
                    "{} blocks of {} pages are {product} pages, not {}",
                    get("blocks"),
                    get("pages"),
                    get("total")
                ),
            ));
        }
    }
    for (line, text) in said {
        table.warn(Some(line), text);
    }
    if !guesses {
        return;
    }
    let candidates = candidates(table);
    match &candidates[..] {
        [] => table.tell("no version of zblock has these types".to_owned()),
        [one] => {
            table.set_era(Some(one.version.name()));
            table.tell(format!(
                "its types are those of {} with {} KiB pages, and of no other",
                one.version.name(),
                one.page_bytes() >> 10
            ));
        }
        [first, ..] => {
            if candidates.iter().all(|other| other.version == first.version) {
                table.set_era(Some(first.version.name()));
            }
            let names: Vec<String> = candidates
                .iter()
                .map(|one| format!("{} with {} KiB pages", one.version.name(), one.page_bytes() >> 10))
                .collect();
            table.tell(format!("its types are those of {}", names.join(", ")));
        }
    }
}

/// The settings whose block types have these pages. A table with fewer types than a version has is an excerpt.
fn candidates(table: &Table) -> Vec<Config> {
    let mut found = Vec::new();
    for version in Version::ALL.into_iter().filter(|version| version.rules().debugfs) {
        for page_shift in Config::PAGE_SHIFTS {
            let config = Config { version, page_shift };
            let Ok(geometry) = Geometry::new(&config) else { continue };
            let types = geometry.types();
            let is_type = |kind: u64, pages: u64| {
                let kind = usize::try_from(kind).ok().and_then(|kind| types.get(kind));
                kind.is_some_and(|kind| u64::from(kind.pages) == pages)
            };
            if table
                .rows()
                .all(|row| is_type(row.get("type").unwrap_or(u64::MAX), row.get("pages").unwrap_or(0)))
            {
                found.push(config);
            }
        }
    }
    // A whole file tells more: then the number of types is that of the version.
    let whole =
        |config: &Config| Geometry::new(config).is_ok_and(|geometry| geometry.types().len() == table.len());
    if found.iter().any(whole) {
        found.retain(whole);
    }
    found
}
