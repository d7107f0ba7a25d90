//! Every setting from 1 to 16 pages: why not 8, or 16, and where objects become huge.

use slabscope_core::packing::Packing;
use slabscope_core::zblock;
use slabscope_core::zsmalloc::Config;

use crate::figure::say;
use crate::mib::mib;
use crate::published;
use crate::{Case, Histogram, Line, Plot, Row, Step, Unit};

use super::{LOOKED_AT, Tables, bytes, posted, setting};

pub(super) fn step(old: &Tables, new: &Tables, all: &Histogram) -> Step {
    let mut rows = Vec::new();
    for max_pages in Config::MAX_PAGES {
        let row = |metric| Row::new(setting(max_pages), metric, Unit::Bytes);
        rows.push(
            row("used_bytes_rule_to_6.2")
                .predicted(old.bytes(max_pages, all))
                .note("largest used percentage"),
        );
        rows.push(
            row("used_bytes_rule_from_6.3").predicted(new.bytes(max_pages, all)).note("fewest bytes left"),
        );
    }
    let saved = |max_pages| Some(mib(old.bytes(4, all)? - old.bytes(max_pages, all)?));
    for max_pages in LOOKED_AT.into_iter().skip(1) {
        let row = Row::new(format!("4 to {max_pages}"), "saved_mib_same_test", Unit::MiB);
        rows.push(row.predicted(saved(max_pages)));
    }
    let zblocks = zblock::Version::ALL.into_iter().filter_map(|version| {
        let geometry = zblock::Geometry::new(&zblock::Config::default_for(version)).ok()?;
        Some((version.name(), Packing::new(&geometry, all.counts())))
    });
    for (name, packing) in zblocks {
        let note = match packing.refused {
            0 => "the same data, packed without a gap".to_owned(),
            refused => format!("the same data; {refused} objects are refused"),
        };
        let row = Row::new(format!("zblock {name}"), "used_bytes", Unit::Bytes);
        rows.push(row.predicted(bytes(&packing)).note(note));
    }
    let text = match (saved(5), saved(6), saved(8), saved(16)) {
        (Some(five), Some(six), Some(eight), Some(sixteen)) => format!(
            "On this data every further page saves, but less and less: {} MiB with 5 pages, {} with 6, {} with 8 and {} with \
             16. The rule that has applied since 6.3 looks at the bytes left over instead of whole percents and saves a \
             little more from 8 pages on. So 8 was worth it, as far as a pool of this size goes; the price follows below.",
            say(five, 1),
            say(six, 1),
            say(eight, 1),
            say(sixteen, 1)
        ),
        _ => String::new(),
    };
    let line = |name: &str, published, of: &dyn Fn(u8) -> Option<f64>| Line {
        name: name.to_owned(),
        points: (4..=16).filter_map(|k| Some((f64::from(k), mib(of(4)? - of(k)?)))).collect(),
        published,
    };
    let plot = Plot {
        title: "Saved against 4 pages, the same data",
        x: "most pages per zspage",
        x_by_factors: false,
        y: "MiB saved",
        lines: vec![
            line("rule up to 6.2", false, &|k| old.bytes(k, all)),
            line("rule of 6.3 and later", false, &|k| new.bytes(k, all)),
            line("published", true, &|k| posted(k, "used_bytes")),
        ],
    };
    Step { title: "Why not 8, or 16", text, rows, plots: vec![plot] }
}

pub(super) fn huge_ranges(old: &Tables) -> Step {
    let low = |max_pages| old.at(max_pages).and_then(|geometry| geometry.huge_low_nominal());
    let mut rows: Vec<Row> = Config::MAX_PAGES
        .map(|max_pages| {
            Row::new(setting(max_pages), "huge_from_bytes", Unit::Bytes)
                .published(posted(max_pages, "huge_from_bytes"))
                .predicted(low(max_pages).map(f64::from))
                .note("smallest nominal class size that takes a page for each object; the range ends at 4096")
        })
        .collect();
    // The class that the posting names, whatever it merged with.
    let class = old.at(5).and_then(|geometry| {
        let index = (3328 - geometry.constants().min_alloc) / geometry.constants().class_delta;
        geometry.classes().get(geometry.position_of_index(index as u16)?)
    });
    let name = "class 3328 at 5";
    let published = |metric| published::mean(Case::MorePages, name, metric);
    rows.push(
        Row::new(name, "pages_per_zspage", Unit::Pages)
            .published(published("pages_per_zspage"))
            .predicted(class.map(|class| class.pages.into())),
    );
    rows.push(
        Row::new(name, "objects_per_zspage", Unit::Objects)
            .published(published("objects_per_zspage"))
            .predicted(class.map(|class| class.objects.into())),
    );
    let text = match (low(4), low(5), low(6), low(8), low(16)) {
        (Some(four), Some(five), Some(six), Some(eight), Some(sixteen)) => format!(
            "A class is huge when no chain of pages that is allowed holds more objects than it has pages. With at most k \
             pages, k + 1 objects fit k pages up to k / (k + 1) of a page: so the huge range begins at {} bytes with 4 \
             pages, at {} with 5, {} with 6, {} with 8 and {} with 16.",
            say(four.into(), 0),
            say(five.into(), 0),
            say(six.into(), 0),
            say(eight.into(), 0),
            say(sixteen.into(), 0)
        ),
        _ => String::new(),
    };
    Step { title: "Where objects become huge", text, rows, plots: Vec::new() }
}
