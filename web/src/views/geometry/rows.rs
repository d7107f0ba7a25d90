//! Rows of the table for each allocator.

use slabscope_core::tell::{grouped, tenths};
use slabscope_core::{slub, zblock, zsmalloc};

use super::table::{Cell, Row};

/// Columns of zsmalloc's classes.
pub(super) const CLASSES: &[&str] =
    &["Index", "Class", "Objects from, to", "Pages", "Objects", "Lost per zspage", "Crossing a page"];

/// Columns of zblock's types and SLUB's caches.
pub(super) const TYPES: &[&str] =
    &["Index", "Slot", "Objects from, to", "Pages", "Objects", "Lost per block"];
pub(super) const CACHES: &[&str] =
    &["Index", "Cache", "Objects from, to", "Pages", "Objects", "Lost per slab"];

fn number(value: u32) -> Cell {
    (value.to_string(), value.into())
}

fn sizes(requests: Option<(u32, u32)>) -> Cell {
    requests.map_or_else(
        || ("none".to_owned(), 0.0),
        |(from, to)| (format!("{}\u{2013}{}", grouped(from.into()), grouped(to.into())), from.into()),
    )
}

fn lost(waste: u32, span: u32) -> Cell {
    let percent = 100.0 * f64::from(waste) / f64::from(span);
    (format!("{} B, {} %", grouped(waste.into()), tenths(percent)), percent)
}

/// zsmalloc's distinct classes.
pub(super) fn classes(geometry: &zsmalloc::Geometry) -> Vec<Row> {
    let page = geometry.config().page_bytes();
    let row = |(position, class): (usize, &zsmalloc::SizeClass)| {
        let indices = if class.lowest_index == class.index {
            class.index.to_string()
        } else {
            format!("{}\u{2013}{}", class.lowest_index, class.index)
        };
        let requests = geometry.requests(position);
        let crossing = class.crossing(page);
        let share = f64::from(crossing) / f64::from(class.objects);
        let name = if class.huge { format!("{} huge", class.size) } else { class.size.to_string() };
        Row {
            cells: vec![
                (indices, class.index.into()),
                (name, class.size.into()),
                sizes(requests),
                number(class.pages.into()),
                number(class.objects.into()),
                lost(class.waste, u32::from(class.pages) * page),
                (format!("{crossing} of {}", class.objects), share),
            ],
            requests,
            size: class.size,
        }
    };
    geometry.classes().iter().enumerate().map(row).collect()
}

/// zblock's types.
pub(super) fn types(geometry: &zblock::Geometry) -> Vec<Row> {
    let page = geometry.config().page_bytes();
    let row = |kind: &zblock::BlockType| {
        let requests = Some((kind.min_size, kind.max_size));
        Row {
            cells: vec![
                number(kind.index.into()),
                number(kind.slot_size),
                sizes(requests),
                number(kind.pages.into()),
                number(kind.slots.into()),
                lost(kind.waste + geometry.header_bytes(), u32::from(kind.pages) * page),
            ],
            requests,
            size: kind.slot_size,
        }
    };
    geometry.types().iter().map(row).collect()
}

/// SLUB's caches.
pub(super) fn caches(geometry: &slub::Geometry) -> Vec<Row> {
    let config = geometry.config();
    let mut before = 0;
    let row = |cache: &slub::Cache| {
        let requests = Some((before + 1, cache.object_size));
        before = cache.object_size;
        Row {
            cells: vec![
                number(cache.index.into()),
                (cache.name(config), cache.size.into()),
                sizes(requests),
                number(cache.pages.into()),
                number(cache.objects.into()),
                lost(cache.waste, u32::from(cache.objects) * cache.size + cache.waste),
            ],
            requests,
            size: cache.object_size,
        }
    };
    geometry.caches().iter().map(row).collect()
}

/// The rows as tab-separated values, as they are shown.
pub(super) fn tsv(columns: &[&str], rows: &[Row]) -> String {
    let mut text = columns.join("\t");
    for row in rows {
        for (index, (cell, _)) in row.cells.iter().enumerate() {
            text.push(if index == 0 { '\n' } else { '\t' });
            text.push_str(cell);
        }
    }
    text.push('\n');
    text
}
