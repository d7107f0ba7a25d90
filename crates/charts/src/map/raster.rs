//! The visible part of the pool map as pixels.

use slabscope_core::pool::{Pool, SpanView};

use super::layout::{MapLayout, Rect, Row};

/// Colours of the map as `0xAABBGGRR`, the byte order of an RGBA buffer read as little-endian words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Ground.
    pub paper: u32,
    /// Outline of a bar that is not full.
    pub edge: u32,
    /// Line between rows and columns.
    pub line: u32,
    /// Ground of the selected row.
    pub selected_row: u32,
    /// Fill by group, in the order of the pool's group names.
    pub groups: Vec<u32>,
    /// Fill of spans that hold one object as large as themselves.
    pub huge: u32,
}

/// The part of the map that is on screen, and how finely it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
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
    palette: &Palette,
    selected: Option<u16>,
    pixels: &mut [u32],
) {
    pixels.fill(palette.paper);
    let mut canvas = Canvas { pixels, width: view.width, height: view.height };
    let bottom = view.top + view.height as f64 / view.scale;
    for row in layout.rows_between(view.top, bottom) {
        if selected == Some(row.totals.class) {
            let band = Rect { x: 0.0, y: row.top, width: layout.options.width, height: row.height };
            canvas.fill(&view.device(band), palette.selected_row);
        }
        let rule = Rect { x: 0.0, y: row.top + row.height - 1.0, width: layout.options.width, height: 1.0 };
        canvas.fill(&view.device(rule), palette.line);
        for column in &layout.columns {
            if column.left > layout.options.left {
                let rule = Rect { x: column.left - 4.0, y: row.top, width: 1.0, height: row.height };
                canvas.fill(&view.device(rule), palette.line);
            }
            for (nth, position) in row.cells[usize::from(column.group)].clone().enumerate() {
                let rect = layout.bar_in(row, column, nth);
                if rect.y + rect.height >= view.top && rect.y <= bottom {
                    paint_bar(pool, row, &layout.spans[position], &view.device(rect), palette, &mut canvas);
                }
            }
        }
    }
}

impl Viewport {
    fn device(&self, rect: Rect) -> Area {
        let round = |css: f64| (css * self.scale).round() as i64;
        let (left, top) = (round(rect.x), round(rect.y - self.top));
        let right = round(rect.x + rect.width).max(left + 1);
        let bottom = round(rect.y - self.top + rect.height).max(top + 1);
        Area { left, top, right, bottom }
    }
}

/// A rectangle in device pixels; right and bottom are outside.
#[derive(Clone, Copy)]
struct Area {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

struct Canvas<'a> {
    pixels: &'a mut [u32],
    width: usize,
    height: usize,
}

impl Canvas<'_> {
    fn fill(&mut self, area: &Area, colour: u32) {
        let columns = clip(area.left, area.right, self.width);
        for y in clip(area.top, area.bottom, self.height) {
            if let Some(line) = self.pixels.get_mut(y * self.width..(y + 1) * self.width) {
                line[columns.clone()].fill(colour);
            }
        }
    }

    fn frame(&mut self, area: &Area, colour: u32) {
        self.fill(&Area { bottom: area.top + 1, ..*area }, colour);
        self.fill(&Area { top: area.bottom - 1, ..*area }, colour);
        self.fill(&Area { right: area.left + 1, ..*area }, colour);
        self.fill(&Area { left: area.right - 1, ..*area }, colour);
    }

    /// Diagonal lines both ways, so that the fill is known by its pattern too.
    fn cross(&mut self, area: &Area, colour: u32) {
        const STEP: i64 = 5;
        for y in clip(area.top, area.bottom, self.height) {
            for x in clip(area.left, area.right, self.width) {
                let (dx, dy) = (x as i64 - area.left, y as i64 - area.top);
                if (dx + dy).rem_euclid(STEP) == 0 || (dx - dy).rem_euclid(STEP) == 0 {
                    self.set(x, y, colour);
                }
            }
        }
    }

    fn set(&mut self, x: usize, y: usize, colour: u32) {
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            *pixel = colour;
        }
    }
}

fn clip(from: i64, to: i64, limit: usize) -> std::ops::Range<usize> {
    let from = from.clamp(0, limit as i64) as usize;
    from..(to.clamp(0, limit as i64) as usize).max(from)
}

fn paint_bar<P: Pool>(
    pool: &P,
    row: &Row,
    span: &SpanView,
    area: &Area,
    palette: &Palette,
    canvas: &mut Canvas<'_>,
) {
    let huge = row.totals.objects_per_span == 1;
    let fill = if huge {
        palette.huge
    } else {
        palette.groups.get(usize::from(span.group)).copied().unwrap_or(palette.edge)
    };
    canvas.fill(area, palette.paper);
    if huge {
        canvas.fill(area, mix(fill, palette.paper, 1, 3));
        canvas.cross(area, fill);
        canvas.frame(area, fill);
        return;
    }
    if span.used == span.capacity {
        canvas.fill(area, fill);
        separate_objects(span.capacity, area, mix(fill, palette.paper, 1, 2), canvas);
        return;
    }
    let width = area.right - area.left;
    if width >= 3 * i64::from(span.capacity) / 2 {
        let edge = |slot: i64| area.left + slot * width / i64::from(span.capacity);
        let gap = i64::from(width >= 4 * i64::from(span.capacity));
        pool.for_each_used(span.key, &mut |index| {
            let slot = i64::from(index);
            canvas.fill(
                &Area { left: edge(slot), right: (edge(slot + 1) - gap).max(edge(slot) + 1), ..*area },
                fill,
            );
        });
    } else {
        shade(pool, span, area, (fill, palette.paper), canvas);
    }
    if width > 3 && area.bottom - area.top > 3 {
        canvas.frame(area, palette.edge);
    }
}

/// A full bar shows its objects too where there is room.
fn separate_objects(capacity: u16, area: &Area, colour: u32, canvas: &mut Canvas<'_>) {
    let width = area.right - area.left;
    if width < 4 * i64::from(capacity) {
        return;
    }
    for slot in 1..i64::from(capacity) {
        let x = area.left + slot * width / i64::from(capacity);
        canvas.fill(&Area { left: x - 1, right: x, ..*area }, colour);
    }
}

/// More objects than pixels: each pixel column is as dark as the share of its objects in use.
fn shade<P: Pool>(
    pool: &P,
    span: &SpanView,
    area: &Area,
    (fill, ground): (u32, u32),
    canvas: &mut Canvas<'_>,
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

/// `part` of `whole` of one colour over another, channel by channel, opaque.
fn mix(over: u32, under: u32, part: u32, whole: u32) -> u32 {
    let part = part.min(whole);
    let channel = |shift: u32| {
        let (over, under) = ((over >> shift) & 0xff, (under >> shift) & 0xff);
        ((over * part + under * (whole - part)) / whole.max(1)) << shift
    };
    0xff00_0000 | channel(16) | channel(8) | channel(0)
}
