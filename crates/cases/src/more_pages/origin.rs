//! Where the saving comes from: by class and by size.

use slabscope_core::packing::{Packing, Places as _};

use crate::figure::say;
use crate::mib::mib;
use crate::{Histogram, Line, Plot, Row, Step, Unit};

use super::{PAGE, POSTED, Tables, setting};

/// Ranges of stored sizes in which the settings differ most.
const RANGES: [(u32, u32); 2] = [(2040, 2100), (2101, 2328)];

/// A class is listed if it takes at least one in so many of all pages.
const WORTH_LISTING: u64 = 200;

/// Objects that take a page each.
pub(super) fn huge_objects(packing: &Packing) -> u64 {
    let huge = packing.classes.iter().filter(|share| share.unit.pages == 1 && share.unit.objects == 1);
    huge.map(|share| share.objects).sum()
}

/// Bytes that sizes from `from` to `to` take, each object with its share of a zspage.
pub(super) fn bytes_of_range(
    tables: &Tables,
    max_pages: u8,
    sizes: &Histogram,
    (from, to): (u32, u32),
) -> Option<f64> {
    let geometry = tables.at(max_pages)?;
    let units = geometry.units();
    let cost = |(size, count): (u32, u64)| {
        let unit = units.get(geometry.place(size).ok()?)?;
        Some(count as f64 * f64::from(unit.pages * PAGE) / f64::from(unit.objects))
    };
    Some(sizes.counts().filter(|&(size, _)| (from..=to).contains(&size)).filter_map(cost).sum())
}

pub(super) fn step(old: &Tables, data: &Histogram, all: &Histogram) -> Step {
    let mut rows = vec![
        Row::new("data", "largest_stored_bytes", Unit::Bytes).predicted(f64::from(data.largest())),
        Row::new("data and metadata", "largest_stored_bytes", Unit::Bytes)
            .predicted(f64::from(all.largest())),
    ];
    let mut huge = 0;
    for max_pages in POSTED {
        let Some(packing) = old.packing(max_pages, all) else { continue };
        huge += huge_objects(&packing);
        rows.push(
            Row::new(setting(max_pages), "huge_objects", Unit::Objects)
                .predicted(huge_objects(&packing) as f64),
        );
    }
    for range in RANGES {
        for (max_pages, metric) in POSTED.into_iter().zip(["mib_at_4", "mib_at_5", "mib_at_6"]) {
            let used = bytes_of_range(old, max_pages, data, range).map(mib);
            let row = Row::new(format!("sizes {} to {}", range.0, range.1), metric, Unit::MiB);
            rows.push(row.predicted(used).note("data alone"));
        }
    }
    let listed = by_class(old, all);
    let line = |index: usize, max_pages: u8| Line {
        name: format!("at most {max_pages} pages"),
        points: listed.iter().map(|class| (f64::from(class.to), class.used[0] - class.used[index])).collect(),
        published: false,
    };
    let plots = vec![Plot {
        title: "Saved against 4 pages, by class of the table with 4",
        x: "largest stored size of the class, bytes",
        x_by_factors: false,
        y: "MiB",
        lines: vec![line(1, 5), line(2, 6)],
    }];
    for class in &listed {
        for (used, metric) in class.used.into_iter().zip(["mib_at_4", "mib_at_5", "mib_at_6"]) {
            let name = format!("class {} at 4, sizes {} to {}", class.size, class.from, class.to);
            rows.push(Row::new(name, metric, Unit::MiB).predicted(used).note("data and metadata"));
        }
    }
    Step { title: "Where the saving comes from", text: text(old, data, all, huge, &listed), rows, plots }
}

fn text(old: &Tables, data: &Histogram, all: &Histogram, huge: u64, listed: &[Class]) -> String {
    let saved = |class: &Class| class.used[0] - class.used[2];
    let total: f64 = listed.iter().map(saved).sum();
    let mut text = format!(
        "The posting says that fewer classes are huge. That is so, but {} of this test's objects is in one with 4, 5 or 6 \
         pages: the largest has {} bytes, with metadata {}.",
        if huge == 0 { "none".to_owned() } else { say(huge as f64, 0) },
        say(data.largest().into(), 0),
        say(all.largest().into(), 0)
    );
    if let Some(most) = listed.iter().max_by(|one, other| saved(one).total_cmp(&saved(other))) {
        let classes = |max_pages| {
            let found = old.at(max_pages).map_or(&[][..], |geometry| geometry.classes());
            let within = found.iter().filter(|class| (most.from + 8..=most.to + 8).contains(&class.size));
            let told = within.map(|class| format!("{} ({} in {})", class.size, class.objects, class.pages));
            told.collect::<Vec<_>>().join(", ")
        };
        text += &format!(
            " Classes in between save: stored sizes from {} to {} bytes give {} of the {} MiB that 6 pages save. With 4 \
             pages all of them go to class {}, objects and pages in brackets; with 5 to {}; with 6 to {}.",
            say(most.from.into(), 0),
            say(most.to.into(), 0),
            say(saved(most), 1),
            say(total, 1),
            classes(4),
            classes(5),
            classes(6)
        );
    }
    text
}

/// The sizes between which the saving lies: those of the classes that give at least a hundredth of it.
pub(super) fn saving_sizes(old: &Tables, all: &Histogram) -> Option<(u32, u32)> {
    let listed = by_class(old, all);
    let saved = |class: &Class| class.used[0] - class.used[2];
    let total: f64 = listed.iter().map(saved).sum();
    let mut saving = listed.iter().filter(|class| saved(class) * 100.0 >= total);
    let first = saving.next()?;
    Some((first.from, saving.next_back().unwrap_or(first).to.min(all.largest())))
}

/// A class of the table with 4 pages, and what its sizes take with 4, 5 and 6.
struct Class {
    size: u32,
    from: u32,
    to: u32,
    used: [f64; POSTED.len()],
}

fn by_class(old: &Tables, all: &Histogram) -> Vec<Class> {
    let (Some(geometry), Some(packing)) = (old.at(4), old.packing(4, all)) else { return Vec::new() };
    let worth = packing.pages() / WORTH_LISTING;
    let listed = packing.classes.iter().enumerate().filter(|(_, share)| share.pages() >= worth);
    listed
        .filter_map(|(position, share)| {
            let (from, to) = geometry.requests(position)?;
            let used =
                POSTED.map(|max_pages| bytes_of_range(old, max_pages, all, (from, to)).map_or(0.0, mib));
            Some(Class { size: share.unit.size, from, to, used })
        })
        .collect()
}
