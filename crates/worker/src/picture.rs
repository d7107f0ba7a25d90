//! The map of a pool as pixels and texts.

use slabscope_charts::map::layout::Rect;
use slabscope_charts::map::mini::{self, MINI};
use slabscope_charts::map::{self, Arrangement, CellMap, MapLayout, MapOptions, Palette, Tints, Viewport};
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Role, Theme};
use slabscope_core::pool::{Pool as _, SpanId};
use slabscope_core::tell::grouped;

use crate::protocol::{self as wire, Show, Sight};
use crate::run::Run;

/// Height of the column headings in CSS pixels; the overview has none.
const HEAD: f64 = 36.0;
/// Narrowest object that has room for its number, and shortest bar, in CSS pixels.
const NUMBERED: (f64, f64) = (30.0, 13.0);

/// Where everything is.
#[derive(Debug)]
enum Layout {
    Bars(MapLayout),
    Cells(CellMap),
}

/// What was drawn last.
#[derive(Debug)]
pub(crate) struct Picture {
    layout: Layout,
    palette: Palette,
    theme: Theme,
    view: Viewport,
    drawn: Drawn,
    /// Pixels below the headings.
    pub(crate) pixels: Vec<u32>,
}

/// Where the map is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// What lies at the left edge, in CSS pixels; it is brought into range.
    pub(crate) left: f64,
    /// The same for the upper edge.
    pub(crate) top: f64,
    /// The span that is followed.
    pub(crate) followed: Option<SpanId>,
    /// Whether that is brought into sight.
    pub(crate) seek: bool,
}

/// What the layout and the pixels depend on, but for the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drawn {
    sight: Sight,
    size: (f32, f32),
    scale: f32,
    dark: bool,
}

impl Drawn {
    const fn of(show: &Show) -> Self {
        Self { sight: show.sight, size: show.size, scale: show.scale, dark: show.dark }
    }
}

impl Picture {
    /// Draws a moment whole; the run stands there.
    pub(crate) fn new(run: &Run, show: &Show, place: &Place, pixels: Vec<u32>) -> Self {
        let (width, height) = (f64::from(show.size.0), f64::from(show.size.1));
        let (scale, zoom) = (f64::from(show.scale), f64::from(show.sight.zoom));
        let theme = if show.dark { Theme::Dark } else { Theme::Light };
        let pool = run.timeline.pool();
        let palette = Palette::new(theme, run.groups().len());
        // Beside the map is the column that shows all of it.
        let room = (width - MINI).max(0.0);
        let arrangement = match show.sight.arrangement {
            wire::Arrangement::BySize => Some(Arrangement::BySize),
            wire::Arrangement::ByRegain => Some(Arrangement::ByRegain),
            wire::Arrangement::Lists => Some(Arrangement::Lists),
            wire::Arrangement::Flat => None,
        };
        let layout = match arrangement {
            Some(arrangement) => {
                let groups = run.groups().len() - usize::from(run.first_group());
                let widest = (run.longest, run.page_bytes);
                let options = MapOptions::for_width(room, zoom, arrangement, groups, widest);
                Layout::Bars(MapLayout::new(pool, run.first_group(), options))
            }
            None => {
                let tints = Tints::new(&palette, colouring(show.sight), pool);
                Layout::Cells(CellMap::new(pool, room, zoom, &tints))
            }
        };
        let device = |css: f64| (css * scale).round().max(0.0) as usize;
        let mut picture = Self {
            palette,
            theme,
            view: Viewport { left: 0.0, top: 0.0, width: device(width), height: 0, scale },
            drawn: Drawn::of(show),
            layout,
            pixels,
        };
        picture.view.height = device(height).saturating_sub(device(picture.head()));
        picture.view.top = picture.top(place);
        picture.view.left = picture.left(place);
        picture.paint(run, place.followed);
        picture
    }

    /// Draws a moment that a few operations lead to from the one drawn, if only cells have to change. False if
    /// it has to be drawn whole.
    pub(crate) fn update(&mut self, run: &Run, show: &Show, place: &Place, touched: &[SpanId]) -> bool {
        let stays = self.drawn == Drawn::of(show) && self.view.top.total_cmp(&self.top(place)).is_eq();
        let Layout::Cells(cells) = &mut self.layout else { return false };
        // Ages change without events, and what is freeable with an event of any other span of its class.
        let own = matches!(show.sight.colouring, wire::Colouring::Fullness | wire::Colouring::Class);
        let same = stays && own;
        let pool = run.timeline.pool();
        let tints = Tints::new(&self.palette, colouring(show.sight), pool);
        same && cells.update(touched, pool, self.view, &tints, &mut self.pixels)
    }

    fn paint(&mut self, run: &Run, followed: Option<SpanId>) {
        let pool = run.timeline.pool();
        let tints = Tints::new(&self.palette, colouring(self.drawn.sight), pool);
        self.pixels.resize(self.view.width * self.view.height, 0);
        match &self.layout {
            Layout::Bars(layout) => {
                let class = followed.and_then(|id| pool.span(id)).map(|span| span.class);
                map::paint(pool, layout, self.view, &tints, class, &mut self.pixels);
                if layout.height > self.visible() {
                    mini::paint_rows(layout, self.view, &tints, &mut self.pixels);
                }
            }
            Layout::Cells(cells) => {
                cells.paint(pool, self.view, &tints, &mut self.pixels);
                if cells.height() > self.visible() {
                    mini::paint_cells(cells, self.view, &tints, &mut self.pixels);
                }
            }
        }
    }

    /// Height of the whole map in CSS pixels.
    fn height(&self) -> f64 {
        match &self.layout {
            Layout::Bars(layout) => layout.height,
            Layout::Cells(cells) => cells.height(),
        }
    }

    /// What lies at the upper edge, in CSS pixels.
    pub(crate) const fn view(&self) -> Viewport {
        self.view
    }

    /// The theme it was drawn in.
    pub(crate) const fn theme(&self) -> Theme {
        self.theme
    }

    /// Height of the headings in CSS pixels.
    pub(crate) const fn head(&self) -> f64 {
        match self.layout {
            Layout::Bars(_) => HEAD,
            Layout::Cells(_) => 0.0,
        }
    }

    /// Height of what is in sight below the headings, in CSS pixels.
    pub(crate) fn visible(&self) -> f64 {
        self.view.height as f64 / self.view.scale
    }

    /// The most that can lie at the upper edge, in CSS pixels.
    pub(crate) fn lowest(&self) -> f64 {
        (self.height() - self.visible()).max(0.0)
    }

    /// The most that can lie at the left edge, in CSS pixels.
    pub(crate) fn rightmost(&self) -> f64 {
        match &self.layout {
            Layout::Bars(layout) => (layout.width - layout.options.width).max(0.0),
            Layout::Cells(_) => 0.0,
        }
    }

    /// The left edge asked for, brought into range, and to what is followed if that is wanted.
    fn left(&self, place: &Place) -> f64 {
        let rightmost = self.rightmost();
        let left = place.left.max(0.0).min(rightmost);
        let Layout::Bars(layout) = &self.layout else { return left };
        let (from, to) = (layout.options.left, layout.options.width - layout.options.right);
        match place.followed.filter(|_| place.seek).and_then(|id| layout.find(id)) {
            Some((_, rect)) if rect.x - left < from => (rect.x - from - 8.0).max(0.0).min(rightmost),
            Some((_, rect)) if rect.x + rect.width - left > to => {
                (rect.x + rect.width + 8.0 - to).max(0.0).min(rightmost)
            }
            _ => left,
        }
    }

    /// The upper edge asked for, brought into range, and to what is followed if that is wanted.
    fn top(&self, place: &Place) -> f64 {
        let (lowest, visible) = (self.lowest(), self.visible());
        let top = place.top.max(0.0).min(lowest);
        let sought = place.followed.filter(|_| place.seek).and_then(|id| self.extent(id));
        match sought {
            Some((upper, _)) if upper < top => upper.max(0.0).min(lowest),
            Some((_, lower)) if lower > top + visible => (lower - visible).max(0.0).min(lowest),
            _ => top,
        }
    }

    /// Upper and lower edge of what should be seen of a span.
    fn extent(&self, id: SpanId) -> Option<(f64, f64)> {
        match &self.layout {
            Layout::Bars(layout) => {
                let (row, rect) = layout.find(id)?;
                Some((row.top, rect.y + rect.height + 8.0))
            }
            Layout::Cells(cells) => cells.find(id).map(|rect| (rect.y - 8.0, rect.y + rect.height + 8.0)),
        }
    }

    /// What would lie at the upper edge if a point of the column beside the map came to the middle; `None`
    /// elsewhere.
    pub(crate) fn mini(&self, x: f64, y: f64) -> Option<f64> {
        let is_beside = x > f64::from(self.drawn.size.0) - MINI && self.lowest() > 0.0;
        let part = (y - self.head()) / self.visible().max(1.0);
        is_beside.then(|| (part * self.height() - self.visible() / 2.0).max(0.0).min(self.lowest()))
    }

    /// The part of that column that is in sight, in CSS pixels of the canvas.
    pub(crate) fn mini_frame(&self) -> Option<Rect> {
        let part = self.visible() / self.height().max(1.0);
        (self.lowest() > 0.0).then(|| Rect {
            x: f64::from(self.drawn.size.0) - MINI + 3.0,
            y: self.head() + self.view.top * part,
            width: MINI - 4.0,
            height: self.visible() * part,
        })
    }

    /// The row of a class by the size of its objects, in CSS pixels of the canvas, as far as it is in sight.
    pub(crate) fn row(&self, size: u32) -> Option<Rect> {
        let Layout::Bars(layout) = &self.layout else { return None };
        let row = layout.rows.iter().find(|row| row.totals.size == size)?;
        let from = (row.top - self.view.top).max(0.0);
        let to = (row.top + row.height - self.view.top).min(self.visible());
        let width = layout.options.width;
        (to > from).then(|| Rect { x: 2.0, y: from + self.head(), width: width - 4.0, height: to - from })
    }

    /// The span at a point of the canvas in CSS pixels.
    pub(crate) fn hit(&self, x: f64, y: f64) -> Option<SpanId> {
        let y = y - self.head();
        if y < 0.0 {
            return None;
        }
        match &self.layout {
            Layout::Bars(layout) if x < layout.options.left - 4.0 => None,
            Layout::Bars(layout) => {
                layout.hit(x + self.view.left, y + self.view.top, 2.0).map(|span| span.id)
            }
            Layout::Cells(cells) => cells.hit(x, y + self.view.top),
        }
    }

    /// The next or previous span in reading order.
    pub(crate) fn neighbour(&self, id: Option<SpanId>, forward: bool) -> Option<SpanId> {
        let layout = match &self.layout {
            Layout::Bars(layout) => layout,
            Layout::Cells(cells) => return cells.neighbour(id, forward),
        };
        let at = id.and_then(|id| layout.spans.iter().position(|span| span.id == id));
        let next = match (at, forward) {
            (Some(at), true) => (at + 1).min(layout.spans.len().saturating_sub(1)),
            (Some(at), false) => at.saturating_sub(1),
            (None, _) => 0,
        };
        layout.spans.get(next).map(|span| span.id)
    }

    /// Where a span is on the canvas in CSS pixels, if it is in sight.
    pub(crate) fn place(&self, id: SpanId) -> Option<Rect> {
        let rect = match &self.layout {
            Layout::Bars(layout) => layout.find(id)?.1,
            Layout::Cells(cells) => cells.find(id)?,
        };
        let (x, y) = (rect.x - self.view.left, rect.y - self.view.top + self.head());
        let seen =
            y > self.head() - 4.0 && y < f64::from(self.drawn.size.1) && self.in_columns(x, rect.width);
        seen.then_some(Rect { x, y, ..rect })
    }

    /// True if something is not covered by the names and sums on both sides.
    fn in_columns(&self, x: f64, width: f64) -> bool {
        match &self.layout {
            Layout::Bars(layout) => {
                x >= layout.options.left - 4.0
                    && x + width <= layout.options.width - layout.options.right + 4.0
            }
            Layout::Cells(_) => true,
        }
    }

    /// Bands of colour under the headings, in CSS pixels: left edge, width and group.
    pub(crate) fn bands(&self) -> Vec<(f64, f64, u8)> {
        match &self.layout {
            Layout::Bars(layout) => {
                let columns = layout.columns.iter();
                let right = layout.options.width - layout.options.right;
                columns
                    .filter_map(|column| {
                        let left = (column.left - self.view.left).max(layout.options.left);
                        let end = (column.left - self.view.left + column.width - 6.0).min(right);
                        (end > left).then_some((left, (end - left).max(2.0), column.group?))
                    })
                    .collect()
            }
            Layout::Cells(_) => Vec::new(),
        }
    }

    /// The texts.
    pub(crate) fn labels(&self, run: &Run, followed: Option<SpanId>) -> Vec<Label> {
        let Layout::Bars(layout) = &self.layout else { return Vec::new() };
        let (width, height) = (layout.options.width, f64::from(self.drawn.size.1));
        let narrow = width < 500.0;
        let mut labels = headings(layout, run, self.view.left, narrow);
        let class = followed.and_then(|id| run.timeline.pool().span(id)).map(|span| span.class);
        for row in layout.rows_between(self.view.top, self.view.top + height) {
            let y = row.top - self.view.top + HEAD + 10.0;
            if y < HEAD + 4.0 {
                continue;
            }
            let (totals, strong) = (&row.totals, class == Some(row.totals.class));
            let x = if narrow { 32.0 } else { 40.0 };
            labels.push(label(x, y, totals.size.to_string(), Align::End, Role::Ink, strong));
            if !narrow {
                let inside = format!("{} in {}", totals.objects_per_span, totals.pages_per_span);
                labels.push(label(layout.options.left - 6.0, y, inside, Align::End, Role::Ink3, false));
            }
            if totals.freeable_pages > 0 {
                let regain = grouped(totals.freeable_pages);
                labels.push(label(width, y, regain, Align::End, Role::Ink2, false));
            }
        }
        labels.extend(self.numbers(layout, run, height));
        labels
    }

    /// The numbers of objects that have room for them.
    fn numbers(&self, layout: &MapLayout, run: &Run, height: f64) -> Vec<Label> {
        let mut labels = Vec::new();
        if layout.options.bar_height < NUMBERED.1 {
            return labels;
        }
        let pool = run.timeline.pool();
        layout.for_each_bar(self.view.top, self.view.top + height, &mut |row, span, rect| {
            let object = layout.object_width(row);
            let y = rect.y + rect.height / 2.0 - self.view.top + HEAD;
            if object < NUMBERED.0 || y < HEAD + 4.0 {
                return;
            }
            for (index, slot) in pool.slots(span.key).iter().enumerate() {
                if let slabscope_core::pool::SlotView::Used { object: id, .. } = slot {
                    let x = rect.x - self.view.left + (index as f64 + 0.5) * object;
                    if !self.in_columns(x - object / 2.0, object) {
                        continue;
                    }
                    // What is huge is paler than its colour.
                    let fill = self.theme.fullness(span.group.into(), run.groups().len());
                    let is_huge = row.totals.objects_per_span == 1;
                    let role = if is_huge { Role::Ink } else { self.theme.text_on(fill) };
                    labels.push(label(x, y, id.0.to_string(), Align::Middle, role, false));
                }
            }
        });
        labels
    }
}

fn label(x: f64, y: f64, text: String, align: Align, role: Role, strong: bool) -> Label {
    Label { x, y, text, align, role, strong }
}

fn headings(layout: &MapLayout, run: &Run, left: f64, narrow: bool) -> Vec<Label> {
    let width = layout.options.width;
    let regain = if narrow { "Back" } else { "Regain" }.to_owned();
    let mut labels = vec![label(width, 22.0, regain, Align::End, Role::Ink3, false)];
    if !narrow {
        labels.push(label(0.0, 22.0, "Class".to_owned(), Align::Start, Role::Ink3, false));
    }
    for column in &layout.columns {
        let name = match column.group {
            Some(group) => {
                run.groups().get(usize::from(group)).copied().unwrap_or_default().replace('_', " ")
            }
            None => "In list order, head first".to_owned(),
        };
        let x = column.left - left;
        if x < layout.options.left - 1.0 || x + 24.0 > width - layout.options.right {
            continue;
        }
        let name = if narrow { name.trim_end_matches('%').to_owned() } else { name };
        labels.push(label(x, 9.0, name, Align::Start, Role::Ink, false));
        let count = grouped(column.spans as u64);
        labels.push(label(x, 22.0, count, Align::Start, Role::Ink3, false));
    }
    labels
}

const fn colouring(sight: Sight) -> map::Colouring {
    match sight.colouring {
        wire::Colouring::Fullness => map::Colouring::Fullness,
        wire::Colouring::Age => map::Colouring::Age,
        wire::Colouring::Class => map::Colouring::Class,
        wire::Colouring::Freeable => map::Colouring::Freeable,
    }
}
