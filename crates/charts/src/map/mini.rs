//! The whole map in a narrow column beside it: where spans are, and how full.

use super::cells::CellMap;
use super::layout::MapLayout;
use super::pixels::{Area, Pixels};
use super::raster::Viewport;
use super::tint::Tints;

/// Width of the column in CSS pixels, the space before it included.
pub const MINI: f64 = 18.0;

/// Where the column is, in device pixels.
fn column(view: Viewport) -> Area {
    let width = view.width as i64;
    let left = (width - ((MINI - 4.0) * view.scale).round() as i64).max(0);
    Area { left, top: 0, right: width, bottom: view.height as i64 }
}

/// The ground of the column, over what reaches into it.
fn ground(view: Viewport, tints: &Tints<'_>, pixels: &mut Pixels<'_>) -> Area {
    let area = column(view);
    let left = view.width as i64 - (MINI * view.scale).round() as i64;
    pixels.fill(&Area { left, ..area }, tints.palette.paper);
    area
}

/// Paints the column of a map of bars: for each row how its spans are spread over the groups.
pub fn paint_rows(layout: &MapLayout, view: Viewport, tints: &Tints<'_>, words: &mut [u32]) {
    let mut pixels = Pixels { words, width: view.width, height: view.height };
    let area = ground(view, tints, &mut pixels);
    let wide = area.right - area.left;
    let to_device = view.height as f64 / layout.height.max(1.0);
    for row in &layout.rows {
        let mut counts = vec![0u32; tints.palette.groups.len()];
        for span in row.cells.iter().flat_map(|cell| layout.spans.get(cell.clone()).unwrap_or_default()) {
            if let Some(count) = counts.get_mut(usize::from(span.group)) {
                *count += 1;
            }
        }
        let all = i64::from(counts.iter().sum::<u32>().max(1));
        let top = (row.top * to_device) as i64;
        let bottom = (((row.top + row.height) * to_device) as i64).max(top + 1);
        let mut before = 0;
        for (count, colour) in counts.iter().zip(&tints.palette.groups) {
            let after = before + i64::from(*count);
            let (left, right) = (area.left + before * wide / all, area.left + after * wide / all);
            let colour = if row.totals.objects_per_span == 1 { tints.palette.huge } else { *colour };
            pixels.fill(&Area { left, right, top, bottom }, colour);
            before = after;
        }
    }
}

/// Paints the column of the overview: each cell at its place.
pub fn paint_cells(cells: &CellMap, view: Viewport, tints: &Tints<'_>, words: &mut [u32]) {
    let mut pixels = Pixels { words, width: view.width, height: view.height };
    let area = ground(view, tints, &mut pixels);
    let (wide, tall) = ((area.right - area.left).max(1) as usize, view.height);
    let (columns, lines) = cells.shape();
    let places: Vec<usize> = (0..columns).map(|x| area.left as usize + x * wide / columns).collect();
    for (y, fills) in cells.fills.chunks(columns).enumerate() {
        let y = y * tall / lines.max(1);
        for (&x, &fill) in places.iter().zip(fills).filter(|(_, fill)| **fill != tints.palette.paper) {
            pixels.set(x, y, fill);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
    use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool as Zsmalloc};

    use super::*;
    use crate::map::{Arrangement, Colouring, MapOptions, Palette};
    use crate::theme::Theme;

    #[test]
    fn the_column_stays_in_its_place_and_shows_every_row() {
        let mut pool = Zsmalloc::new(Geometry::new(&Config::default_for(Era::V6_12)).unwrap());
        for object in 0..2000u32 {
            pool.malloc(ObjectId(object), 1 + object * 37 % 4096, &mut Ignore).unwrap();
        }
        let palette = Palette::new(Theme::Light, pool.group_names().len());
        let tints = Tints::new(&palette, Colouring::Fullness, &pool);
        let view = Viewport { left: 0.0, top: 0.0, width: 400, height: 300, scale: 1.0 };
        let options = MapOptions::for_width(400.0 - MINI, 1.0, Arrangement::BySize, 11, (8, 4096));
        let layout = MapLayout::new(&pool, 1, options);
        let cells = CellMap::new(&pool, 400.0 - MINI, 1.0, &tints);
        for bars in [true, false] {
            let mut words = vec![7; 400 * 300];
            if bars {
                paint_rows(&layout, view, &tints, &mut words);
            } else {
                paint_cells(&cells, view, &tints, &mut words);
            }
            let lines: Vec<&[u32]> = words.chunks(400).collect();
            assert!(lines.iter().all(|line| line[..382].iter().all(|word| *word == 7)), "nothing left of it");
            let marked = |line: &&&[u32]| line[386..].iter().any(|word| *word != palette.paper);
            assert!(lines.iter().filter(marked).count() > if bars { 290 } else { 2 });
        }
    }
}
