//! The overview: a cell of a few pixels for every span, at the place where the pool keeps it.
//!
//! A span keeps its cell as long as it lives, and a new one takes the cell of one that went. So a frame in
//! which little happened costs little: only the cells of spans that events are about are painted.

use slabscope_core::pool::{Event, Pool, Sink, SpanId, SpanView};

use super::layout::Rect;
use super::pixels::{Area, Pixels, mix, round};
use super::raster::Viewport;
use super::tint::Tints;

/// Where cells are.
#[derive(Clone, Debug, PartialEq)]
pub struct CellMap {
    /// CSS pixels.
    side: f64,
    /// Cells of a line.
    columns: usize,
    /// The span in each cell; [`NONE`] where none is.
    ids: Vec<u32>,
    /// Its colour; the ground's where no span is.
    pub(super) fills: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Natural side of a cell in CSS pixels.
const SIDE: f64 = 3.0;
/// Lowest cell in device pixels that shows more than a colour.
const DETAILED: i64 = 4;

impl CellMap {
    /// Lays out a pool in a width, in these colours; 1 is the natural zoom.
    pub fn new<P: Pool>(pool: &P, width: f64, zoom: f64, tints: &Tints<'_>) -> Self {
        let side = (SIDE * zoom).clamp(1.0, 48.0);
        let (ids, fills) = (Vec::new(), Vec::new());
        let mut map = Self { side, columns: ((width / side) as usize).max(1), ids, fills };
        pool.for_each_span(&mut |span| map.set(&span, tints));
        map
    }

    fn set(&mut self, span: &SpanView, tints: &Tints<'_>) {
        let key = span.key as usize;
        if key >= self.ids.len() {
            self.ids.resize(key + 1, NONE);
            self.fills.resize(key + 1, tints.palette.paper);
        }
        self.ids[key] = span.id.0;
        self.fills[key] = tints.of(span);
    }

    /// The zoom that it was laid out with, as far as cells can be so large.
    pub fn zoom(&self) -> f64 {
        self.side / SIDE
    }

    /// Cells of a line, and lines.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.columns, self.ids.len().div_ceil(self.columns))
    }

    /// Height of the whole map in CSS pixels.
    pub fn height(&self) -> f64 {
        self.ids.len().div_ceil(self.columns) as f64 * self.side
    }

    /// The span at a point.
    pub fn hit(&self, x: f64, y: f64) -> Option<SpanId> {
        if x < 0.0 || y < 0.0 || x >= self.columns as f64 * self.side {
            return None;
        }
        let key = (y / self.side) as usize * self.columns + (x / self.side) as usize;
        self.ids.get(key).filter(|id| **id != NONE).map(|id| SpanId(*id))
    }

    /// The cell of a span.
    pub fn find(&self, id: SpanId) -> Option<Rect> {
        self.ids.iter().position(|other| *other == id.0).map(|key| self.rect(key))
    }

    /// The span in the next or previous cell that has one.
    pub fn neighbour(&self, id: Option<SpanId>, forward: bool) -> Option<SpanId> {
        let at = id.and_then(|id| self.ids.iter().position(|other| *other == id.0));
        let used = |(_, id): &(usize, &u32)| **id != NONE;
        let mut cells = self.ids.iter().enumerate().filter(used);
        let found = match at {
            Some(at) if forward => cells.find(|(key, _)| *key > at).or(Some((at, self.ids.get(at)?))),
            Some(at) => cells.rev().find(|(key, _)| *key < at).or(Some((at, self.ids.get(at)?))),
            None => cells.next(),
        };
        found.map(|(_, id)| SpanId(*id))
    }

    fn rect(&self, key: usize) -> Rect {
        Rect {
            x: (key % self.columns) as f64 * self.side,
            y: (key / self.columns) as f64 * self.side,
            width: self.side,
            height: self.side,
        }
    }

    /// Paints all cells in sight.
    pub fn paint<P: Pool>(&self, pool: &P, view: Viewport, tints: &Tints<'_>, words: &mut [u32]) {
        self.paint_spans(&|key| pool.span_at(key), view, tints, words);
    }

    fn paint_spans(
        &self,
        span_at: &dyn Fn(u32) -> Option<SpanView>,
        view: Viewport,
        tints: &Tints<'_>,
        words: &mut [u32],
    ) {
        let columns: Vec<(i64, i64)> = (0..self.columns).map(|x| self.edges(x, view.left, view)).collect();
        let first = (view.top / self.side).floor().max(0.0) as usize;
        let keys = self.ids.len();
        let mut pixels = Pixels { words, width: view.width, height: view.height };
        let mut painted = 0;
        for (line, start) in (first..).zip((first * self.columns..keys).step_by(self.columns)) {
            let (top, bottom) = self.edges(line, view.top, view);
            if top >= view.height as i64 {
                break;
            }
            let fills = &self.fills[start..keys.min(start + self.columns)];
            if bottom - top < DETAILED {
                pixels.row(top, bottom, columns.iter().zip(fills), tints.palette.paper);
            } else {
                let (left, right) = (0, view.width as i64);
                pixels.fill(&Area { left, right, top, bottom }, tints.palette.paper);
                for (&(left, right), key) in columns.iter().zip(start..start + fills.len()) {
                    if let Some(span) = span_at(key as u32) {
                        paint_cell(&span, &Area { left, right, top, bottom }, tints, &mut pixels);
                    }
                }
            }
            painted = bottom.max(0) as usize;
        }
        let below = words.get_mut(painted * view.width..).unwrap_or_default();
        below.fill(tints.palette.paper);
    }

    /// Paints the cells of the spans that something happened to, and takes in those that are new. False if
    /// the map grew by a line: then it has to be painted whole.
    pub fn update<P: Pool>(
        &mut self,
        touched: &[SpanId],
        pool: &P,
        view: Viewport,
        tints: &Tints<'_>,
        words: &mut [u32],
    ) -> bool {
        let height = self.height();
        let mut pixels = Pixels { words, width: view.width, height: view.height };
        let most = touched.iter().map(|id| id.0).max().unwrap_or(0);
        let mut changed = vec![0u64; most as usize / 64 + 1];
        for id in touched {
            changed[id.0 as usize / 64] |= 1 << (id.0 % 64);
        }
        let has_changed =
            |id: u32| changed.get(id as usize / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1);
        // Looked through by itself: of a large map nearly all cells stay as they are.
        let cells = (0..).zip(&self.ids);
        let mut keys: Vec<usize> =
            cells.filter(|&(_, &id)| id == NONE || has_changed(id)).map(|(key, _)| key).collect();
        // A new span is where one went, where none was, or behind the last.
        keys.extend(self.ids.len()..self.ids.len() + touched.len());
        for key in keys {
            let id = self.ids.get(key).copied().unwrap_or(NONE);
            match pool.span_at(key as u32) {
                Some(span) => {
                    self.set(&span, tints);
                    paint_cell(&span, &self.area(span.key, view), tints, &mut pixels);
                }
                None if id != NONE => {
                    self.ids[key] = NONE;
                    self.fills[key] = tints.palette.paper;
                    pixels.fill(&self.area(key as u32, view), tints.palette.paper);
                }
                None => {}
            }
        }
        self.height() <= height
    }

    fn area(&self, key: u32, view: Viewport) -> Area {
        let (x, y) = (key as usize % self.columns, key as usize / self.columns);
        let ((left, right), (top, bottom)) = (self.edges(x, view.left, view), self.edges(y, view.top, view));
        Area { left, right, top, bottom }
    }

    /// Where the cells of a column or a line begin and end in device pixels.
    fn edges(&self, at: usize, from: f64, view: Viewport) -> (i64, i64) {
        let edge = |at: usize| round((at as f64 * self.side - from) * view.scale);
        let start = edge(at);
        (start, edge(at + 1).max(start + 1))
    }
}

fn paint_cell(span: &SpanView, area: &Area, tints: &Tints<'_>, pixels: &mut Pixels<'_>) {
    let fill = tints.of(span);
    let side = area.bottom - area.top;
    if side < DETAILED {
        return pixels.fill(area, fill);
    }
    // A gap between cells, as soon as there is room for one.
    let area = Area { right: area.right - 1, bottom: area.bottom - 1, ..*area };
    if tints.is_huge(span.class) {
        pixels.fill(&area, mix(fill, tints.palette.paper, 1, 3));
        pixels.cross(&area, fill);
        return;
    }
    pixels.fill(&area, mix(fill, tints.palette.paper, 1, 4));
    let filled = (side - 1) * i64::from(span.used) / i64::from(span.capacity.max(1));
    pixels.fill(&Area { top: area.bottom - filled, ..area }, fill);
    if side >= 6 {
        pixels.pattern(&area, tints.pattern(span), tints.palette.paper);
    }
    if side >= 8 && span.used < span.capacity {
        pixels.frame(&area, tints.palette.edge);
    }
}

/// Collects the spans that events are about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched(pub Vec<SpanId>);

impl Sink for Touched {
    fn event(&mut self, event: Event) {
        let span = match event {
            Event::SpanCreated { span, .. } | Event::SpanFreed { span, .. } | Event::Grouped { span, .. } => {
                span
            }
            Event::Placed { at, .. } => at.span,
            Event::Removed { from, .. } => from.span,
            Event::Moved { from, to, .. } => {
                self.0.push(from.span);
                to.span
            }
            Event::SourceTaken { .. } | Event::DestinationTaken { .. } | Event::ClassDone { .. } => return,
        };
        if self.0.last() != Some(&span) {
            self.0.push(span);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::pool::ObjectId;
    use slabscope_core::rng::Rng;
    use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool as Zsmalloc};

    use super::*;
    use crate::map::tint::{Colouring, Palette};
    use crate::theme::Theme;

    #[test]
    fn what_is_painted_anew_looks_like_what_is_painted_whole() {
        for (zoom, scale, top) in [(1.0, 1.0, 0.0), (8.0 / 3.0, 1.0, 0.0), (1.0, 2.0, 5.0), (1.0, 1.2, 1.5)] {
            compare(zoom, scale, top);
        }
    }

    fn compare(zoom: f64, scale: f64, top: f64) {
        let geometry = Geometry::new(&Config::default_for(Era::V6_12)).unwrap();
        let mut pool = Zsmalloc::new(geometry);
        let palette = Palette::new(Theme::Light, pool.group_names().len());
        let view = Viewport { left: 0.0, top, width: 300, height: 200, scale };
        let mut pixels = vec![0; 300 * 200];
        let tints = Tints::new(&palette, Colouring::Fullness, &pool);
        let mut map = CellMap::new(&pool, 250.0, zoom, &tints);
        map.paint(&pool, view, &tints, &mut pixels);
        let mut chance = Rng::new(7);
        let mut live: Vec<u32> = Vec::new();
        let (mut next, mut updates) = (0, 0);
        for _ in 0..60 {
            let mut touched = Touched::default();
            for _ in 0..40 {
                if chance.below(5) < 3 || live.is_empty() {
                    pool.malloc(ObjectId(next), 1 + chance.below(4096), &mut touched).unwrap();
                    live.push(next);
                    next += 1;
                } else {
                    let object = live.swap_remove(chance.below(live.len() as u32) as usize);
                    pool.free(ObjectId(object), &mut touched).unwrap();
                }
            }
            let tints = Tints::new(&palette, Colouring::Fullness, &pool);
            updates += u32::from(map.update(&touched.0, &pool, view, &tints, &mut pixels));
            let whole = CellMap::new(&pool, 250.0, zoom, &tints);
            let mut expected = vec![0; 300 * 200];
            whole.paint(&pool, view, &tints, &mut expected);
            assert!(pixels == expected, "zoom {zoom}, scale {scale}");
            let (id, at) = (pool.group_list(254, 11).first().map(|span| span.id), 1.0);
            if let Some(rect) = id.and_then(|id| map.find(id)) {
                assert_eq!(map.hit(rect.x + at, rect.y + at), id);
            }
        }
        assert!(updates > 30, "{updates}");
        assert_eq!(map.neighbour(None, true), map.ids.iter().find(|id| **id != NONE).map(|id| SpanId(*id)));
    }
}
