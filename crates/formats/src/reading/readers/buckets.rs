//! Histograms of bpftrace and bcc: `[32, 64)  12 |@@@|`, `32 -> 63 : 12 |***|`, `@sizes[48]: 3`.

use super::histogram::{LARGEST, RANGE, finish};
use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount, int};
use crate::reading::sheet::Sheet;
use crate::reading::table::{Table, Value};

/// A bucket: its smallest and largest size, where it ends, and its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bucket {
    from: Option<u64>,
    to: Option<u64>,
    count: u64,
}

/// A line as a bucket, and whether it holds one size alone.
fn bucket(text: &str) -> Option<Bucket> {
    match text.bytes().next()? {
        b'[' | b'(' => bpftrace(text),
        byte if byte.is_ascii_digit() => bcc(text),
        _ => None,
    }
}

/// `[32, 64)`, `[1K, 2K)`, `(..., 0)`, `[2M, ...)`, `[7]`.
fn bpftrace(text: &str) -> Option<Bucket> {
    let end = text.find([')', ']'])?;
    let (inside, rest) = (&text[1..end], &text[end + 1..]);
    let count = int(rest.split(['|', ' ']).find(|word| !word.is_empty())?)?;
    let bound = |text: &str| match text.trim() {
        "..." => Some(None),
        number => size(number).map(Some),
    };
    match inside.split_once([',', ' ']) {
        Some((from, to)) => {
            let (from, to) = (bound(from)?, bound(to.trim_start_matches([',', ' ']))?);
            // The end is not part of it.
            Some(Bucket { from, to: to.map(|to| to.saturating_sub(1)), count })
        }
        None => {
            let size = size(inside.trim())?;
            Some(Bucket { from: Some(size), to: Some(size), count })
        }
    }
}

/// `32 -> 63 : 12 |***|`.
fn bcc(text: &str) -> Option<Bucket> {
    let (range, rest) = text.split_once(':')?;
    let (from, to) = range.split_once("->")?;
    let count = int(rest.split(['|', ' ']).find(|word| !word.is_empty())?)?;
    Some(Bucket { from: Some(int(from.trim())?), to: Some(int(to.trim())?), count })
}

/// `@sizes[48]: 3`, `@[kmalloc, 48]: 3` as the map, the size and the count.
fn entry(text: &str) -> Option<(&str, u64, u64)> {
    let rest = text.strip_prefix('@')?;
    let (name, rest) = rest.split_once('[')?;
    let (keys, count) = rest.rsplit_once("]:")?;
    let key = keys.rsplit([',', ' ']).next()?;
    Some((name, int(key.trim()).filter(|size| *size <= LARGEST)?, int(count.trim())?))
}

/// A size, with a unit from 1024 on.
fn size(text: &str) -> Option<u64> {
    amount(text, Kilo::Binary).map(|amount| amount.value)
}

/// Finds every run of buckets and of entries of one map.
pub(super) fn read(sheet: &mut Sheet<'_>) -> bool {
    let mut found = false;
    let mut at = 0;
    while at < sheet.len() {
        let end = buckets(sheet, at).or_else(|| entries(sheet, at));
        found |= end.is_some();
        at = end.unwrap_or(at + 1);
    }
    found
}

fn buckets(sheet: &mut Sheet<'_>, first: usize) -> Option<usize> {
    let run: Vec<Bucket> = (first..sheet.len()).map_while(|at| bucket(sheet.data(at)?.text)).collect();
    // A word in brackets with a number behind it may be anything; a range is a range.
    let ranges = run.iter().filter(|bucket| bucket.from != bucket.to).count();
    if ranges == 0 {
        return None;
    }
    let mut table = Table::new(Format::SizeHistogram, RANGE);
    table.set_title(sheet.title(first));
    let value = |bound: Option<u64>| bound.map_or(Value::Blank, Value::Int);
    for (at, bucket) in run.iter().enumerate() {
        let line = sheet.line(first + at).map_or(0, |line| line.number);
        table.push(line, [value(bucket.from), value(bucket.to), Value::Int(bucket.count)]);
        if let (Some(from), Some(to)) = (bucket.from, bucket.to)
            && from > to
        {
            table.warn(Some(line), format!("the bucket from {from} to {to} is empty"));
        }
    }
    table.tell(
        "each row is a range of sizes, its ends included: where in it the sizes lie is not known".to_owned(),
    );
    finish(&mut table, "from", "count");
    let id = sheet.add(table, first);
    let heading = first.checked_sub(1).filter(|at| {
        sheet.data(*at).is_some_and(|line| {
            line.text.starts_with('@') || (line.text.contains(':') && line.text.contains("count"))
        })
    });
    if let Some(at) = heading {
        sheet.heading(at, id);
    }
    for at in 0..run.len() {
        sheet.row(first + at, id);
    }
    Some(first + run.len())
}

fn entries(sheet: &mut Sheet<'_>, first: usize) -> Option<usize> {
    let (map, ..) = entry(sheet.data(first)?.text)?;
    let run: Vec<(u64, u64)> = (first..sheet.len())
        .map_while(|at| {
            entry(sheet.data(at)?.text).filter(|entry| entry.0 == map).map(|entry| (entry.1, entry.2))
        })
        .collect();
    if run.len() < 2 {
        return None;
    }
    let mut table = Table::new(Format::SizeHistogram, ["size", "count"]);
    let title = format!("@{map}");
    for (at, (size, count)) in run.iter().enumerate() {
        let line = sheet.line(first + at).map_or(0, |line| line.number);
        table.push(line, [Value::Int(*size), Value::Int(*count)]);
    }
    table.set_title(Some(title));
    table.tell("the last key of each entry is taken for the size".to_owned());
    finish(&mut table, "size", "count");
    let id = sheet.add(table, first);
    for at in 0..run.len() {
        sheet.row(first + at, id);
    }
    Some(first + run.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_ranges_with_both_ends() {
        for (text, from, to, count) in [
            ("[32, 64)             12 |@@@@@     |", Some(32), Some(63), 12),
            ("[1K, 2K)              3 |@         |", Some(1024), Some(2047), 3),
            ("(..., 0)              1 |          |", None, Some(0), 1),
            ("[2M, ...)             1 |@|", Some(2 << 20), None, 1),
            ("[7]                   5 |@@|", Some(7), Some(7), 5),
            ("32 -> 63         : 12       |***  |", Some(32), Some(63), 12),
        ] {
            // An end of nothing is before it.
            let to = if text.starts_with("(...") { Some(0) } else { to };
            assert_eq!(bucket(text), Some(Bucket { from, to, count }), "{text}");
        }
        for text in ["", "[", "[a] 5", "(5", "5: 6", "[1, 2", "12 -> x : 5"] {
            assert_eq!(bucket(text), None, "{text}");
        }
        assert_eq!(entry("@[kmalloc, 48]: 3"), Some(("", 48, 3)));
        assert_eq!(entry("@sizes[comm]: 3"), None);
    }
}
