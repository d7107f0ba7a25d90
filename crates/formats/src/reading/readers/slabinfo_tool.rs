//! Tables of the kernel's own tool `slabinfo`: the list of caches, the activity list, aliases, the totals and
//! the report on one cache.

use super::pairs::{Records, number_or_text};
use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount};
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Finds every table of the tool.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut near = None;
    let mut at = 0;
    while at < sheet.len() {
        let Some(line) = sheet.data(at) else {
            at += 1;
            continue;
        };
        let end = if is_list(line.text) {
            near = near.or(Some(line.number));
            list(sheet, at)
        } else if alias(line.text).is_some() {
            aliases(sheet, at)
        } else if line.text.starts_with("Slabcache Totals") {
            totals(sheet, at)
        } else if line.text.starts_with("Slabcache: ") {
            report(sheet, at)
        } else {
            None
        };
        found |= end.is_some();
        at = end.unwrap_or(at + 1);
    }
    if found {
        return Verdict::Mine;
    }
    match near {
        Some(_) => {
            Verdict::near(4, near, "the heading of the slabinfo tool, but no cache follows".to_owned())
        }
        None => Verdict::far(
            "no line has the columns Name, Objects and Objsize, or an arrow between a cache and its aliases",
        ),
    }
}

fn is_list(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next() == Some("Name")
        && words.next() == Some("Objects")
        && matches!(words.next(), Some("Objsize" | "Alloc"))
}

/// The list of caches, or of the most active ones: the position behind it.
fn list(sheet: &mut Sheet<'_>, heading: usize) -> Option<usize> {
    let line = sheet.data(heading)?;
    // Of %Fast two numbers are printed: allocations and frees.
    let columns: Vec<String> = line
        .words()
        .flat_map(|word| if word == "%Fast" { vec!["%Fast alloc", "%Fast free"] } else { vec![word] })
        .map(str::to_owned)
        .collect();
    let mut table = Table::new(Format::SlabinfoTool, &columns);
    table.set_title(sheet.title(heading));
    let mut rows = Vec::new();
    let mut rounded = false;
    for at in heading + 1..sheet.len() {
        let Some(line) = sheet.data(at) else { continue };
        let words: Vec<&str> = line.words().collect();
        // The flags may be blank.
        let fits = words.len() == columns.len() || words.len() + 1 == columns.len();
        if !fits || words.get(1).and_then(|word| amount(word, Kilo::Decimal)).is_none() {
            break;
        }
        let last = columns.len() - 1;
        let values = words.iter().enumerate().map(|(index, word)| match amount(word, Kilo::Decimal) {
            Some(amount) if index > 0 && index < last => {
                rounded |= amount.rounded;
                Value::Int(amount.value)
            }
            Some(amount) if index == last && columns[last] != "Flg" => Value::Int(amount.value),
            _ => Value::Text(word),
        });
        table.push(line.number, values);
        rows.push(at);
    }
    let end = rows.last()? + 1;
    if rounded {
        table.tell("sizes are in bytes here, from units of a thousand rounded to a tenth".to_owned());
    }
    let sums: Vec<(String, u64)> = ["Objects", "Space", "Loss", "Alloc", "Free"]
        .iter()
        .filter(|name| table.column(name).is_some())
        .map(|name| ((*name).to_owned(), table.sum(name)))
        .collect();
    table.set_totals(sums, false);
    let id = sheet.add(table, heading);
    sheet.heading(heading, id);
    for at in rows {
        sheet.row(at, id);
    }
    Some(end)
}

/// `:0000024 <- a b c`, or with -i `a -> :0000024`.
fn alias(text: &str) -> Option<(&str, &str, bool)> {
    let (first, rest) = text.split_once(' ')?;
    let rest = rest.trim_start();
    let inverted = rest.starts_with("->");
    let names = rest.strip_prefix("<-").or_else(|| rest.strip_prefix("->"))?.trim();
    // An arrow between numbers is a range.
    let is_name = first.starts_with(':') || first.bytes().any(|byte| byte.is_ascii_alphabetic());
    (is_name && !names.is_empty() && (!inverted || !names.contains(' '))).then_some((first, names, inverted))
}

fn aliases(sheet: &mut Sheet<'_>, first: usize) -> Option<usize> {
    let mut rows: Vec<(usize, u32, String, String, bool)> = Vec::new();
    let mut lines = Vec::new();
    let mut at = first;
    while at < sheet.len() {
        let Some(line) = sheet.data(at) else { break };
        match (alias(line.text), rows.last_mut()) {
            (Some((name, names, inverted)), _) => {
                rows.push((at, line.number, name.to_owned(), names.to_owned(), inverted));
            }
            // A mailer may have wrapped the names: they have no blank of their own.
            (None, Some(last)) if !last.4 && line.words().all(is_cache) => {
                last.3.push(' ');
                last.3.push_str(line.text);
            }
            _ => break,
        }
        lines.push(at);
        at += 1;
    }
    let inverted = rows.first()?.4;
    let columns = if inverted { ["alias", "cache"] } else { ["cache", "aliases"] };
    let mut table = Table::new(Format::SlabinfoTool, columns);
    table.set_title(sheet.title(first));
    for (_, line, name, names, _) in &rows {
        table.push(*line, [Value::Text(name), Value::Text(names)]);
    }
    let count = rows.iter().map(|row| row.3.split_ascii_whitespace().count() as u64).sum();
    table.set_totals(vec![("aliases".to_owned(), count)], false);
    table.tell(
        "caches of equal size and flags are merged: one set of slabs serves all these names".to_owned(),
    );
    let id = sheet.add(table, first);
    for at in lines {
        sheet.row(at, id);
    }
    Some(at)
}

fn is_cache(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:.()@".contains(&byte))
        && word.bytes().any(|byte| byte == b'_' || byte == b'-' || byte.is_ascii_digit())
}

/// `slabinfo -T`: a row for each line of the statistics, and the head as totals.
fn totals(sheet: &mut Sheet<'_>, first: usize) -> Option<usize> {
    let mut table = Table::new(Format::SlabinfoTool, ["", "Average", "Min", "Max", "Total"]);
    table.set_title(sheet.title(first));
    let mut lines = vec![first];
    let mut rows = Vec::new();
    let mut head: Vec<(String, u64)> = Vec::new();
    let mut group = String::new();
    let mut end = first + 1;
    for at in first + 1..sheet.len() {
        let Some(line) = sheet.data(at) else { continue };
        if let Some(rest) = line.text.strip_prefix("Per ") {
            group = format!("Per {}", rest.split(' ').next().unwrap_or_default());
            lines.push(at);
        } else if line.text.contains(':') {
            let pairs = named_numbers(line.text);
            if pairs.is_empty() {
                break;
            }
            head.extend(pairs);
            lines.push(at);
        } else {
            let Some((name, numbers)) = named_row(line.text) else { break };
            let name = format!("{group} {name}");
            table.push(
                line.number,
                std::iter::once(Value::Text(&name)).chain(numbers.iter().map(|number| Value::Int(*number))),
            );
            rows.push(at);
        }
        end = at + 1;
    }
    if rows.is_empty() && head.is_empty() {
        return None;
    }
    table.tell("sizes are in bytes here, from units of a thousand rounded to a tenth".to_owned());
    table.set_totals(head, true);
    let id = sheet.add(table, first);
    for at in lines {
        sheet.total(at, id);
    }
    for at in rows {
        sheet.row(at, id);
    }
    Some(end)
}

/// `# Objects  :  1.2M   # PartObj:  3.4K   ORatio: 5%`.
fn named_numbers(text: &str) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut parts = text.split(':');
    let mut name = parts.next().unwrap_or_default().trim().to_owned();
    for part in parts {
        let part = part.trim();
        let (value, rest) = part.split_at(part.find(' ').unwrap_or(part.len()));
        // `105->51`: aliases and the caches that they stand for.
        let value = value.split("->").next().unwrap_or(value).trim_end_matches('%');
        if let Some(amount) = amount(value, Kilo::Decimal) {
            found.push((name.trim_start_matches(['#', ' ']).to_owned(), amount.value));
        }
        rest.trim().clone_into(&mut name);
    }
    found
}

/// `%PartSlab   5%  0%  100%  7%` as its name and numbers.
fn named_row(text: &str) -> Option<(&str, Vec<u64>)> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let number = |word: &&str| amount(word.trim_end_matches('%'), Kilo::Decimal).map(|amount| amount.value);
    let count = words.iter().rev().take_while(|word| number(word).is_some()).count();
    if !(3..=4).contains(&count) || count == words.len() {
        return None;
    }
    let numbers: Option<Vec<u64>> = words[words.len() - count..].iter().map(number).collect();
    // The name is what stands before the first number.
    let end = text.find(words[words.len() - count]).filter(|end| *end > 0)?;
    Some((text[..end].trim(), numbers?))
}

/// Columns of a report: four values a line, by the word that the line begins with. The tool uses some words twice.
const REPORT: [[&str; 4]; 5] = [
    ["Object", "Slabs Total", "Sanity Checks", "Memory Total"],
    ["SlabObj", "Slabs Full", "Redzoning", "Memory Used"],
    ["SlabSiz", "Slabs Partial", "Poisoning", "Memory Loss"],
    ["Loss", "CpuSlab", "Tracking", "Lalig"],
    ["Align", "Objects per slab", "Tracing", "Lpadd"],
];

/// Lines of a report, operations and tracks left out.
const LONGEST_REPORT: usize = 16;

/// `slabinfo NAME` or `-r`: one row of all its numbers.
fn report(sheet: &mut Sheet<'_>, first: usize) -> Option<usize> {
    let head = sheet.data(first)?;
    let (name, rest) = head.text.strip_prefix("Slabcache: ")?.trim_start().split_once(' ')?;
    let mut records = Records::default();
    records.begin(head.number);
    records.set("Slabcache", Value::Text(name));
    for (column, value) in ["Aliases", "Order", "Objects"].iter().zip(values_of(rest)) {
        records.set(column, number_or_text(value));
    }
    let mut lines = vec![first];
    for at in first + 1..(first + LONGEST_REPORT).min(sheet.len()) {
        let Some(line) = sheet.data(at) else { continue };
        let columns = REPORT.iter().find(|columns| line.text.starts_with(columns[0]));
        match columns {
            Some(columns) if line.text.contains(':') => {
                for (column, value) in columns.iter().zip(values_of(line.text)) {
                    records.set(column, number_or_text(value));
                }
            }
            _ if line.text.starts_with("** ") || line.text.starts_with("Sizes (bytes)") => {}
            _ => break,
        }
        lines.push(at);
    }
    if lines.len() < 3 {
        return None;
    }
    let end = lines.last()? + 1;
    let mut table = records.table(Format::SlabinfoTool);
    table.set_title(sheet.title(first));
    let id = sheet.add(table, first);
    for at in lines {
        sheet.row(at, id);
    }
    Some(end)
}

/// The word behind each colon.
fn values_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(':').skip(1).filter_map(|part| part.split_ascii_whitespace().next())
}
