//! zblock's debugfs file `blocks`.

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
        let sums = ["blocks", "total"].map(|name| (name.to_owned(), table.sum(name)));
        table.set_totals(sums.to_vec(), false);
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
