//! Sizes and how often each occurs: CSV or columns with a heading, bare pairs, what `sort | uniq -c` prints,
//! bpftrace's `hist`, `lhist` and maps, bcc's histograms, and plain lists of sizes.

use slabscope_core::ranked::rank;

use super::buckets;
use crate::reading::account::Why;
use crate::reading::clean::{Line, LineKind};
use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount, int};
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Words that make a column one of sizes, and one of counts.
const SIZES: [&str; 8] = ["size", "bytes", "length", "len", "slot", "bin", "bucket", "objsize"];
const COUNTS: [&str; 15] = [
    "count",
    "counts",
    "freq",
    "frequency",
    "obj_used",
    "objects",
    "objs",
    "pages",
    "hits",
    "samples",
    "num",
    "n",
    "number",
    "total",
    "allocations",
];

/// Columns of a histogram whose rows are ranges, both ends included.
pub(super) const RANGE: [&str; 3] = ["from", "to", "count"];

/// Fewest pairs without a heading, and fewest sizes of a plain list.
const LEAST_PAIRS: usize = 4;
const LEAST_SIZES: usize = 8;

/// No object of a slab allocator is larger.
pub(super) const LARGEST: u64 = 1 << 30;

/// Finds every histogram, those with marks or headings first.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = buckets::read(sheet);
    let mut near = None;
    let mut at = 0;
    while at < sheet.len() {
        let Some(line) = sheet.data(at) else {
            at += 1;
            continue;
        };
        let end = match columns(&line) {
            Some((size, count)) => {
                let end = with_heading(sheet, at, size, count);
                near = near.or(end.is_none().then_some(line.number));
                end
            }
            None => None,
        };
        found |= end.is_some();
        at = end.unwrap_or(at + 1);
    }
    let data =
        (0..sheet.len()).filter(|at| sheet.line(*at).is_some_and(|line| line.kind == LineKind::Data)).count();
    let mut at = 0;
    let (mut pairs_near, mut unordered) = (None, None);
    while at < sheet.len() {
        let run = run(sheet, at);
        if run.len() >= LEAST_PAIRS && run.len() * 5 >= data * 3 && !has_heading(sheet, at) {
            let taken = pairs(sheet, at, &run);
            unordered = unordered.or(sheet.line(at).filter(|_| !taken).map(|line| line.number));
            found |= taken;
        } else if run.is_empty() {
            let sizes = list(sheet, at);
            if sizes.len() >= LEAST_SIZES && sizes.len() * 10 >= data * 9 {
                add_list(sheet, at, &sizes);
                found = true;
            }
            at += sizes.len();
        } else {
            pairs_near = pairs_near.or(sheet.line(at).map(|line| line.number));
        }
        at += run.len().max(1);
    }
    if found {
        return Verdict::Mine;
    }
    match (near, pairs_near) {
        (Some(_), _) => Verdict::near(
            2,
            near,
            "a heading with sizes and counts, but no row of numbers follows".to_owned(),
        ),
        _ if unordered.is_some() => Verdict::near(
            2,
            unordered,
            "pairs of numbers of which neither rises: a line \u{201c}size count\u{201d} above them would say which is the size"
                .to_owned(),
        ),
        (_, Some(_)) => Verdict::near(
            1,
            pairs_near,
            format!(
                "pairs of numbers, but fewer than {LEAST_PAIRS} of them, or only a small part of the text"
            ),
        ),
        _ => Verdict::far("no lines have a size and a count"),
    }
}

/// The columns of sizes and of counts of a heading.
fn columns(line: &Line<'_>) -> Option<(usize, usize)> {
    if line.text.len() > 300 || line.text.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_name = |word: &str| {
        int(word).is_none() && !word.ends_with(':') && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let words = line.words().map(|word| word.trim_matches(['#', '(', ')']));
    if !words.clone().all(is_name) {
        return None;
    }
    // The ends of a range.
    if words.clone().eq(RANGE) {
        return Some((0, 2));
    }
    let size = words.clone().position(is_size)?;
    let count = words.clone().position(is_count)?;
    (size != count).then_some((size, count))
}

fn is_size(word: &str) -> bool {
    SIZES.iter().any(|name| word.split('_').any(|part| part.eq_ignore_ascii_case(name)))
}

fn is_count(word: &str) -> bool {
    COUNTS.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The column of sizes of a histogram.
pub(crate) fn size_column(table: &Table) -> Option<usize> {
    table.columns().iter().position(|name| is_size(name))
}

/// The column of counts of a histogram.
pub(crate) fn count_column(table: &Table) -> Option<usize> {
    table.columns().iter().position(|name| is_count(name))
}

/// Adds the rows below a heading; the position behind them.
fn with_heading(sheet: &mut Sheet<'_>, heading: usize, size: usize, count: usize) -> Option<usize> {
    let names: Vec<&str> =
        sheet.data(heading)?.words().map(|word| word.trim_matches(['#', '(', ')'])).collect();
    let mut table = Table::new(Format::SizeHistogram, &names);
    let (mut rows, mut bad, mut rounded) = (Vec::new(), Vec::new(), false);
    let mut end = heading + 1;
    while end < sheet.len() {
        let Some(line) = sheet.data(end) else {
            end += 1;
            continue;
        };
        let words: Vec<&str> = line.words().collect();
        let (Some(sizes), Some(counts)) = (words.get(size), words.get(count)) else { break };
        if words.len() != names.len() || ![sizes, counts].iter().all(|word| is_numeric(word)) {
            break;
        }
        // People write sizes with a unit.
        let bytes = int(sizes).or_else(|| {
            let found = amount(sizes, Kilo::Binary).filter(|found| found.rounded)?;
            rounded = true;
            Some(found.value)
        });
        match (bytes.filter(|bytes| *bytes <= LARGEST), int(counts)) {
            (Some(bytes), Some(_)) => {
                let values = words.iter().enumerate().map(|(at, word)| match int(word) {
                    _ if at == size => Value::Int(bytes),
                    Some(number) => Value::Int(number),
                    None => Value::Text(word),
                });
                table.push(line.number, values);
                rows.push(end);
            }
            (bytes, _) => bad.push((end, if bytes.is_none() { size } else { count })),
        }
        end += 1;
    }
    let last = rows.last()? + 1;
    table.set_title(sheet.title(heading));
    table.tell(format!(
        "sizes are taken from {}, counts from {}",
        table.columns()[size],
        table.columns()[count]
    ));
    if rounded {
        table.warn(None, "numbers with a unit are rounded; they are given in bytes".to_owned());
    }
    let (size, count) = (table.columns()[size].clone(), table.columns()[count].clone());
    finish(&mut table, &size, &count);
    let id = sheet.add(table, heading);
    sheet.heading(heading, id);
    for at in rows {
        sheet.row(at, id);
    }
    for (at, column) in bad.into_iter().filter(|bad| bad.0 < last) {
        sheet.skip(at, Why::with("@ is no whole number from 0 on, or too large", [column as u32, 0]).of(id));
    }
    Some(last)
}

/// A number of any kind, be it one that is taken or not.
fn is_numeric(word: &str) -> bool {
    word.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit())
}

/// The two numbers of a line and nothing else.
fn pair(line: &Line<'_>) -> Option<(u64, u64)> {
    if line.text.len() > 60 {
        return None;
    }
    let mut words = line.text.split([' ', ':', '=']).filter(|word| !word.is_empty());
    let pair = (int(words.next()?)?, int(words.next()?)?);
    words.next().is_none().then_some(pair)
}

fn run(sheet: &Sheet<'_>, first: usize) -> Vec<(u64, u64)> {
    (first..sheet.len()).map_while(|at| sheet.data(at).and_then(|line| pair(&line))).collect()
}

/// True if words stand above that name something else than sizes and counts.
fn has_heading(sheet: &Sheet<'_>, first: usize) -> bool {
    let above = first.checked_sub(1).and_then(|at| sheet.data(at));
    above.is_some_and(|line| {
        line.words().count() >= 2
            && line.text.len() < 100
            && !line.text.ends_with(':')
            && !line.text.starts_with('#')
    })
}

/// One of the two numbers of a pair.
type Part = fn(&(u64, u64)) -> u64;

/// Adds pairs whose sizes rise, or which are all different while the counts fall.
fn pairs(sheet: &mut Sheet<'_>, first: usize, run: &[(u64, u64)]) -> bool {
    let rises = |of: Part| run.windows(2).all(|pair| of(&pair[0]) < of(&pair[1]));
    let falls = |of: Part| run.windows(2).all(|pair| of(&pair[0]) >= of(&pair[1]));
    let unique = |of: Part| {
        // Those above the largest size are none, so that it does not matter what they count as.
        let mut all: Vec<u64> = run.iter().map(of).collect();
        rank(&mut all, |&number| number.min(LARGEST + 1) as i64);
        all.windows(2).all(|pair| pair[0] < pair[1])
    };
    let fits = |of: Part| run.iter().all(|pair| of(pair) <= LARGEST);
    let (one, other): (Part, Part) = (|pair| pair.0, |pair| pair.1);
    let size_first = rises(one) || (!rises(other) && falls(other) && unique(one));
    let count_first = !size_first && (rises(other) || (falls(one) && unique(other)));
    if !(size_first && fits(one) || count_first && fits(other)) {
        return false;
    }
    let names = if size_first { ["size", "count"] } else { ["count", "size"] };
    let mut table = Table::new(Format::SizeHistogram, names);
    table.set_title(sheet.title(first));
    for (at, (a, b)) in run.iter().enumerate() {
        let line = sheet.line(first + at).map_or(0, |line| line.number);
        table.push(line, [Value::Int(*a), Value::Int(*b)]);
    }
    table.warn(
        None,
        format!("no heading says what the numbers are; they are taken for {} and {}, since the sizes are all different", names[0], names[1]),
    );
    finish(&mut table, "size", "count");
    let id = sheet.add(table, first);
    for at in 0..run.len() {
        sheet.row(first + at, id);
    }
    true
}

/// Single numbers, one a line.
fn list(sheet: &Sheet<'_>, first: usize) -> Vec<u64> {
    let size = |at: usize| {
        sheet.data(at).and_then(|line| int(line.text)).filter(|size| (1..=1 << 16).contains(size))
    };
    (first..sheet.len()).map_while(size).collect()
}

/// Adds a plain list of sizes: a row for each size that is there.
fn add_list(sheet: &mut Sheet<'_>, first: usize, sizes: &[u64]) {
    let mut sorted: Vec<(u64, usize)> = sizes.iter().copied().zip(first..).collect();
    rank(&mut sorted, |&(size, _)| size as i64);
    let mut table = Table::new(Format::SizeHistogram, ["size", "count"]);
    table.set_title(sheet.title(first));
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        let (size, at) = group[0];
        let line = sheet.line(at).map_or(0, |line| line.number);
        table.push(line, [Value::Int(size), Value::Int(group.len() as u64)]);
    }
    table.warn(None, "one number a line: they are taken for sizes and counted".to_owned());
    finish(&mut table, "size", "count");
    let id = sheet.add(table, first);
    for at in 0..sizes.len() {
        sheet.row(first + at, id);
    }
}

/// Sums, and sizes that cannot be.
pub(super) fn finish(table: &mut Table, size: &str, count: &str) {
    let mut bytes = 0u64;
    for row in table.rows() {
        let (size, count) = (row.get(size).unwrap_or(0), row.get(count).unwrap_or(0));
        bytes = bytes.saturating_add(size.saturating_mul(count));
    }
    let mut totals = vec![(count.to_owned(), table.sum(count))];
    if table.column("to").is_none() {
        totals.push(("bytes".to_owned(), bytes));
    }
    table.set_totals(totals, false);
    let zero =
        table.rows().find(|row| row.get(size) == Some(0) && row.get(count).is_some_and(|count| count > 0));
    if let Some(line) = zero.map(|row| row.line()).filter(|_| table.column("to").is_none()) {
        table.warn(Some(line), "objects of 0 bytes take no memory".to_owned());
    }
}
