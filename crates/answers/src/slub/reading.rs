//! Leak or fragmentation: what the fill of the largest caches says.

use slabscope_core::ranked::{largest_first, rank};
use slabscope_core::tell::{counted, grouped};

use super::SlabRow;
use crate::percent;

/// What a cache's fill says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nearly every place is in use: the memory is needed, or leaked.
    InUse,
    /// Many places are empty: slabs are kept by a few objects each.
    Fragmented,
    /// In between.
    Mixed,
}

/// A large cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name.
    pub name: String,
    /// Pages held.
    pub pages: u64,
    /// Pages that packing its objects without a gap would return.
    pub returnable: u64,
    /// Share of all slab pages, in hundredths of a percent.
    pub share: i64,
    /// Share of its places in use, in hundredths of a percent.
    pub used: i64,
    /// What that says.
    pub verdict: Verdict,
    /// The same in a sentence without its full stop.
    pub sentence: String,
}

/// In use from here on, in hundredths of a percent.
const IN_USE: i64 = 9_500;
/// Fragmented below this.
const FRAGMENTED: i64 = 7_000;
/// Caches below this share of all pages are left out.
const LARGE: i64 = 100;
/// A cache that holds this share of all pages and is in use may be a leak.
const SUSPICIOUS: i64 = 2_500;

/// The caches that hold at least a hundredth of all slab pages, largest first.
pub fn readings(rows: &[SlabRow]) -> Vec<Reading> {
    let all = rows.iter().fold(0u64, |sum, row| sum.saturating_add(row.pages()));
    let mut found: Vec<Reading> = rows
        .iter()
        .map(|row| reading(row, all))
        .filter(|reading| reading.pages > 0 && reading.share >= LARGE)
        .collect();
    rank(&mut found, |reading| largest_first(reading.pages));
    found
}

fn reading(row: &SlabRow, all: u64) -> Reading {
    let pages = row.pages();
    let packed = row.active.div_ceil(u64::from(row.per_slab).max(1)).saturating_mul(row.slab_pages.into());
    let returnable = pages.saturating_sub(packed);
    let (share, used) = (percent::share(pages, all), percent::share(row.active, row.num));
    let verdict = match used {
        IN_USE.. => Verdict::InUse,
        ..FRAGMENTED => Verdict::Fragmented,
        _ => Verdict::Mixed,
    };
    let name = &row.name;
    let (share_text, used_text) = (percent::text(share), percent::text(used));
    let sentence = match verdict {
        Verdict::InUse if share >= SUSPICIOUS => format!(
            "{name} holds {share_text} % of all slab pages and {used_text} % of its places are in use: {} that are needed, or leaked if their number only grows",
            counted(row.active, "object", "objects")
        ),
        Verdict::InUse => format!("{name}: {used_text} % in use, nothing to gain"),
        Verdict::Fragmented => format!(
            "{name}: {used_text} % in use, fragmented: {} of {} would be enough",
            grouped(packed),
            counted(pages, "page", "pages")
        ),
        Verdict::Mixed => {
            format!("{name}: {used_text} % in use, {} could return", counted(returnable, "page", "pages"))
        }
    };
    Reading { name: name.clone(), pages, returnable, share, used, verdict, sentence }
}

/// Caches that hold the same number of objects, which one caller may make together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twins {
    /// Objects of the first.
    pub objects: u64,
    /// Names.
    pub names: Vec<String>,
}

impl Twins {
    /// In words, without a full stop.
    pub fn sentence(&self) -> String {
        let objects = counted(self.objects, "object", "objects");
        format!("{} hold {objects} each: one caller may make them together", self.names.join(", "))
    }
}

/// Fewer objects are alike by chance.
const MANY: u64 = 10_000;

/// Caches whose numbers of objects differ by less than a thousandth, most objects first.
pub fn twins(rows: &[SlabRow]) -> Vec<Twins> {
    let mut many: Vec<&SlabRow> = rows.iter().filter(|row| row.active >= MANY).collect();
    rank(&mut many, |row| largest_first(row.active));
    let mut found: Vec<Twins> = Vec::new();
    for row in many {
        match found.last_mut() {
            Some(twins) if (twins.objects - row.active) < twins.objects / 1000 => {
                twins.names.push(row.name.clone())
            }
            _ => found.push(Twins { objects: row.active, names: vec![row.name.clone()] }),
        }
    }
    found.retain(|twins| twins.names.len() > 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, active: u64, num: u64) -> SlabRow {
        SlabRow { name: name.to_owned(), objsize: 64, active, num, per_slab: 64, slab_pages: 1 }
    }

    #[test]
    fn full_and_empty_slabs_are_told_apart() {
        let rows = [
            row("leaky", 734_506, 734_528),
            row("holes", 80_830, 328_192),
            row("middle", 80_000, 100_032),
            row("tiny", 1, 64),
            row("none", 0, 0),
        ];
        let found = readings(&rows);
        let verdicts: Vec<_> = found.iter().map(|reading| (reading.name.as_str(), reading.verdict)).collect();
        assert_eq!(
            verdicts,
            [("leaky", Verdict::InUse), ("holes", Verdict::Fragmented), ("middle", Verdict::Mixed)]
        );
        assert!(found[0].sentence.contains("or leaked"), "{}", found[0].sentence);
        assert_eq!(found[1].returnable, 328_192 / 64 - 80_830_u64.div_ceil(64));
    }

    #[test]
    fn caches_that_grow_together_are_named() {
        let rows =
            [row("a", 50_000, 50_048), row("b", 49_980, 50_048), row("c", 20_000, 20_032), row("d", 5, 64)];
        let found = twins(&rows);
        assert_eq!(found, [Twins { objects: 50_000, names: vec!["a".to_owned(), "b".to_owned()] }]);
    }
}
