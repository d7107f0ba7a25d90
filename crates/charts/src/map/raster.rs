//! The visible part of the pool map as pixels.

use slabscope_core::pool::{Pool, SpanView};

use super::layout::{MapLayout, Rect, Row};
use super::pixels::{Area, Pixels, mix, round};
use super::tint::{Palette, Tints};

/// The part of the map that is on screen, and how finely it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Left edge in CSS pixels.
    pub left: f64,
    /// Upper edge in CSS pixels.
    pub top: f64,
    /// Device pixels.
    pub width: usize,
    /// Device pixels.
    pub height: usize,
    /// Device pixels per CSS pixel.
    pub scale: f64,
}

/// Paints the visible rows. `pixels` holds `width x height` words; other lengths leave it unpainted
/// beyond the shorter of the two. `selected` is the class whose row is set off.
pub fn paint<P: Pool>(
    pool: &P,
    layout: &MapLayout,
    view: Viewport,
    tints: &Tints<'_>,
    selected: Option<u16>,
    pixels: &mut [u32],
) {
    let palette = tints.palette;
    pixels.fill(palette.paper);
    let mut canvas = Pixels { words: pixels, width: view.width, height: view.height };
    let bottom = view.top + view.height as f64 / view.scale;
    for row in layout.rows_between(view.top, bottom) {
        if selected == Some(row.totals.class) {
            let band = Rect { x: 0.0, y: row.top, width: layout.width, height: row.height };
            canvas.fill(&view.device(band), palette.selected_row);
        }
        let rule = Rect { x: 0.0, y: row.top + row.height - 1.0, width: layout.width, height: 1.0 };
        canvas.fill(&view.device(rule), palette.line);
        for column in &layout.columns {
            if column.left > layout.options.left {
                let rule = Rect { x: column.left - 4.0, y: row.top, width: 1.0, height: row.height };
                canvas.fill(&view.device(rule), palette.line);
            }
        }
    }
    layout.for_each_bar(view.top, bottom, &mut |row, span, rect| {
        let places = Places { from: rect.x - view.left, size: layout.object_width(row), scale: view.scale };
        paint_bar(pool, row, span, &view.device(rect), &places, tints, &mut canvas);
        page_borders(row, rect, layout.options.page_width, view, palette.edge, &mut canvas);
    });
    margins(layout, view, selected, palette, &mut canvas);
}

/// The ground of names and sums on both sides, which stay while the columns between them move.
fn margins(
    layout: &MapLayout,
    view: Viewport,
    selected: Option<u16>,
    palette: &Palette,
    pixels: &mut Pixels<'_>,
) {
    if layout.width <= layout.options.width {
        return;
    }
    let bottom = view.top + view.height as f64 / view.scale;
    let right = layout.options.width - layout.options.right;
    for (x, width) in [(0.0, layout.options.left - 4.0), (right, layout.options.right)] {
        let x = x + view.left;
        pixels.fill(&view.device(Rect { x, y: view.top, width, height: bottom - view.top }), palette.paper);
        for row in layout.rows_between(view.top, bottom) {
            if selected == Some(row.totals.class) {
                let band = Rect { x, y: row.top, width, height: row.height - 1.0 };
                pixels.fill(&view.device(band), palette.selected_row);
            }
            let rule = Rect { x, y: row.top + row.height - 1.0, width, height: 1.0 };
            pixels.fill(&view.device(rule), palette.line);
        }
    }
}

/// Where the objects of a bar are: their real width, so that they cross the borders of pages as they do in memory.
struct Places {
    /// Left edge of the bar in CSS pixels.
    from: f64,
    /// Width of an object in CSS pixels.
    size: f64,
    scale: f64,
}

impl Places {
    fn edge(&self, slot: u16) -> i64 {
        round((self.from + f64::from(slot) * self.size) * self.scale)
    }
}

/// Lines where one page ends and the next begins, as soon as they do not cover the objects.
fn page_borders(
    row: &Row,
    rect: Rect,
    page_width: f64,
    view: Viewport,
    colour: u32,
    pixels: &mut Pixels<'_>,
) {
    if page_width * view.scale < 14.0 {
        return;
    }
    for page in 1..row.totals.pages_per_span {
        let border = Rect { x: rect.x + f64::from(page) * page_width, width: 1.0 / view.scale, ..rect };
        pixels.fill(&view.device(border), colour);
    }
}

impl Viewport {
    pub(super) fn device(&self, rect: Rect) -> Area {
        let round = |css: f64| round(css * self.scale);
        let (left, top) = (round(rect.x - self.left), round(rect.y - self.top));
        let right = round(rect.x - self.left + rect.width).max(left + 1);
        let bottom = round(rect.y - self.top + rect.height).max(top + 1);
        Area { left, top, right, bottom }
    }
}

fn paint_bar<P: Pool>(
    pool: &P,
    row: &Row,
    span: &SpanView,
    area: &Area,
    places: &Places,
    tints: &Tints<'_>,
    canvas: &mut Pixels<'_>,
) {
    let palette = tints.palette;
    let fill = tints.of(span);
    if row.totals.objects_per_span == 1 {
        canvas.fill(area, mix(fill, palette.paper, 1, 3));
        canvas.cross(area, fill);
        canvas.frame(area, fill);
        return;
    }
    canvas.fill(area, palette.paper);
    let per_object = places.size * places.scale;
    if per_object >= 1.5 {
        let gap = i64::from(per_object >= 4.0);
        pool.for_each_used(span.key, &mut |index| {
            let left = places.edge(index);
            let right = (places.edge(index + 1) - gap).max(left + 1);
            canvas.fill(&Area { left, right, ..*area }, fill);
        });
    } else if span.used == span.capacity {
        canvas.fill(area, fill);
    } else {
        shade(pool, span, area, (fill, palette.paper), canvas);
    }
    canvas.pattern(area, tints.pattern(span), palette.paper);
    if span.used < span.capacity && area.right - area.left > 3 && area.bottom - area.top > 3 {
        canvas.frame(area, palette.edge);
    }
}

/// More objects than pixels: each pixel column is as dark as the share of its objects in use.
fn shade<P: Pool>(
    pool: &P,
    span: &SpanView,
    area: &Area,
    (fill, ground): (u32, u32),
    canvas: &mut Pixels<'_>,
) {
    let width = (area.right - area.left).max(1) as usize;
    let mut used = vec![0u32; width];
    let capacity = usize::from(span.capacity.max(1));
    pool.for_each_used(span.key, &mut |index| used[usize::from(index) * width / capacity] += 1);
    for (x, &used) in used.iter().enumerate() {
        let slots = ((x + 1) * capacity).div_ceil(width) - (x * capacity).div_ceil(width);
        let left = area.left + x as i64;
        canvas.fill(&Area { left, right: left + 1, ..*area }, mix(fill, ground, used, slots.max(1) as u32));
    }
}
