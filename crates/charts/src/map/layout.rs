//! Where rows, columns and bars of the pool map go.

use std::ops::Range;

use slabscope_core::pool::{ClassTotals, Pool, SpanId, SpanView, sort_by_number};
use slabscope_core::ranked::ascending;

/// Where bars go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// A row per class, largest object size first, and a column per group.
    #[default]
    BySize,
    /// The same, most pages to regain first; ties by size.
    ByRegain,
    /// A row per class with a single column: the groups' lists one after the other, head first.
    Lists,
}

/// Sizes of the map, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapOptions {
    /// Width of the whole map.
    pub width: f64,
    /// Room for class names on the left.
    pub left: f64,
    /// Room for pages to regain on the right.
    pub right: f64,
    /// Width of one page of a bar: the zoom.
    pub page_width: f64,
    /// Height of a bar.
    pub bar_height: f64,
    /// Where bars go.
    pub arrangement: Arrangement,
    /// Bytes of a page.
    pub page_bytes: u32,
}

impl MapOptions {
    /// Smallest and largest width of a page: beyond them a bar is a speck or fills a column.
    pub const PAGE_WIDTHS: Range<f64> = 1.0..220.0;

    /// Options for a map of a width with labels that fit it, at a zoom where 1 is the natural size: bars of
    /// `longest` pages of `page_bytes` in the columns of `groups` groups fill a little over half of the room, the rest goes to
    /// crowded columns.
    pub fn for_width(
        width: f64,
        zoom: f64,
        arrangement: Arrangement,
        groups: usize,
        (longest, page_bytes): (u16, u32),
    ) -> Self {
        let narrow = width < 500.0;
        let (left, right) = if narrow { (36.0, 26.0) } else { (88.0, 62.0) };
        let room = (width - left - right).max(0.0);
        let natural = room * 0.55 / groups.max(1) as f64 / f64::from(longest.max(1));
        let page_width =
            (natural.clamp(2.0, 11.0) * zoom).clamp(Self::PAGE_WIDTHS.start, Self::PAGE_WIDTHS.end);
        let natural_height = if narrow { 7.0 } else { 10.0 };
        let bar_height = (natural_height * zoom).clamp(2.0, 48.0);
        Self { width, left, right, page_width, bar_height, arrangement, page_bytes }
    }

    /// Distance between neighbouring bars.
    fn gap(&self) -> f64 {
        if self.page_width < 3.0 { 1.0 } else { 2.0 }
    }

    /// Least height of a row: that of its label.
    fn least_row_height(&self) -> f64 {
        18.0
    }
}

/// A class that has spans.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Sums over the class.
    pub totals: ClassTotals,
    /// Upper edge.
    pub top: f64,
    /// Height, the line below included.
    pub height: f64,
    /// Spans of each column in [`MapLayout::spans`].
    pub cells: Vec<Range<usize>>,
}

/// A group that is shown, or all of them in one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The group, an index into the pool's group names; `None` if all stand here.
    pub group: Option<u8>,
    /// Left edge.
    pub left: f64,
    /// Width, the space to the next column included.
    pub width: f64,
    /// Spans in it.
    pub spans: usize,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Every span's place on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapLayout {
    /// The options it was made with.
    pub options: MapOptions,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Columns from left to right, emptiest group first.
    pub columns: Vec<Column>,
    /// Spans, cell by cell. Within the cell of a group ascending by creation number, so that a span keeps its
    /// place while others come and go behind it; in list order where that is the arrangement.
    pub spans: Vec<SpanView>,
    /// Width of the whole map: wider than what was asked for if columns are too narrow for their bars.
    pub width: f64,
    /// Height of the whole map.
    pub height: f64,
}

impl MapLayout {
    /// Lays out a pool. Groups below `first_group` are not shown (zsmalloc's empty group is always
    /// empty in a pool without concurrency).
    pub fn new<P: Pool>(pool: &P, first_group: u8, options: MapOptions) -> Self {
        let mut totals: Vec<ClassTotals> = pool.classes().into_iter().filter(|c| c.spans > 0).collect();
        // Classes come smallest first.
        totals.reverse();
        if options.arrangement == Arrangement::ByRegain {
            let regain: Vec<i64> = totals
                .iter()
                .map(|class| i64::try_from(class.freeable_pages).map_or(i64::MIN, |pages| -pages))
                .collect();
            totals =
                ascending(&regain).into_iter().filter_map(|at| totals.get(at as usize).copied()).collect();
        }
        let names = pool.group_names();
        let (spans, cells, columns) = if options.arrangement == Arrangement::Lists {
            let (spans, cells) = in_list_order(pool, &totals, names.len());
            let room = (options.width - options.left - options.right).max(0.0);
            let column = Column { group: None, left: options.left, width: room, spans: spans.len() };
            (spans, cells, vec![column])
        } else {
            let (spans, mut cells) = sort_into_cells(pool, &totals, names.len());
            for row in &mut cells {
                row.drain(..usize::from(first_group).min(row.len()));
            }
            let columns = columns(&totals, &cells, first_group, names, &options);
            (spans, cells, columns)
        };
        let mut rows = Vec::with_capacity(totals.len());
        let mut top = 0.0;
        for (totals, cells) in totals.into_iter().zip(cells) {
            let lines = columns
                .iter()
                .zip(&cells)
                .map(|(column, cell)| {
                    cell.len().div_ceil(bars_per_line(&options, column, totals.pages_per_span))
                })
                .max()
                .unwrap_or(1)
                .max(1);
            let height =
                (lines as f64 * (options.bar_height + options.gap()) + 7.0).max(options.least_row_height());
            rows.push(Row { totals, top, height, cells });
            top += height;
        }
        let right = columns.last().map_or(options.left, |column| column.left + column.width);
        let width = options.width.max(right + options.right);
        Self { options, rows, columns, spans, width, height: top }
    }

    /// The rectangle of bar `position` (an index into [`Self::spans`]) of a row.
    pub fn bar(&self, row: &Row, position: usize) -> Option<Rect> {
        let (column, cell) =
            self.columns.iter().zip(&row.cells).find(|(_, cell)| cell.contains(&position))?;
        Some(self.bar_in(row, column, position - cell.start))
    }

    /// The rectangle of the `nth` bar of a cell.
    pub fn bar_in(&self, row: &Row, column: &Column, nth: usize) -> Rect {
        let width = self.bar_width(row);
        let gap = self.options.gap();
        let per_line = bars_per_line(&self.options, column, row.totals.pages_per_span);
        Rect {
            x: column.left + (nth % per_line) as f64 * (width + gap),
            y: row.top + 4.0 + (nth / per_line) as f64 * (self.options.bar_height + gap),
            width,
            height: self.options.bar_height,
        }
    }

    /// Width of the bars of a row.
    pub fn bar_width(&self, row: &Row) -> f64 {
        f64::from(row.totals.pages_per_span.max(1)) * self.options.page_width
    }

    /// Width of an object in the bars of a row.
    pub fn object_width(&self, row: &Row) -> f64 {
        f64::from(row.totals.size) / f64::from(self.options.page_bytes.max(1)) * self.options.page_width
    }

    /// Visits the bars that meet the heights `from..to`.
    pub fn for_each_bar(&self, from: f64, to: f64, visit: &mut dyn FnMut(&Row, &SpanView, Rect)) {
        for row in self.rows_between(from, to) {
            for (column, cell) in self.columns.iter().zip(&row.cells) {
                for (nth, span) in self.spans.get(cell.clone()).unwrap_or_default().iter().enumerate() {
                    let rect = self.bar_in(row, column, nth);
                    if rect.y + rect.height >= from && rect.y <= to {
                        visit(row, span, rect);
                    }
                }
            }
        }
    }

    /// The row at a height, if any.
    pub fn row_at(&self, y: f64) -> Option<&Row> {
        let after = self.rows.partition_point(|row| row.top <= y);
        self.rows.get(after.checked_sub(1)?).filter(|row| y < row.top + row.height)
    }

    /// The span at a point; `slack` widens each bar so that small ones can be hit.
    pub fn hit(&self, x: f64, y: f64, slack: f64) -> Option<SpanView> {
        let row = self.row_at(y)?;
        let mut cells = self.columns.iter().zip(&row.cells).rev();
        let (column, cell) = cells.find(|(column, _)| column.left - slack <= x)?;
        let gap = self.options.gap();
        let per_line = bars_per_line(&self.options, column, row.totals.pages_per_span);
        let step = self.bar_width(row) + gap;
        let along = ((x - column.left).max(0.0) / step).floor() as usize;
        let line = ((y - row.top - 4.0).max(0.0) / (self.options.bar_height + gap)).floor() as usize;
        if along >= per_line {
            return None;
        }
        let nth = line * per_line + along;
        let rect = self.bar_in(row, column, nth);
        let inside = x >= rect.x - slack
            && x <= rect.x + rect.width + slack
            && y >= rect.y - slack
            && y <= rect.y + rect.height + slack;
        let position = cell.start + nth;
        (inside && cell.contains(&position)).then(|| self.spans[position])
    }

    /// Row and rectangle of a span by its number.
    pub fn find(&self, id: SpanId) -> Option<(&Row, Rect)> {
        let position = self.spans.iter().position(|span| span.id == id)?;
        let row = self.rows.iter().find(|row| row.totals.class == self.spans[position].class)?;
        Some((row, self.bar(row, position)?))
    }

    /// Rows that meet the heights `from..to`.
    pub fn rows_between(&self, from: f64, to: f64) -> &[Row] {
        let first = self.rows.partition_point(|row| row.top + row.height <= from);
        let last = self.rows.partition_point(|row| row.top < to);
        &self.rows[first..last.max(first)]
    }
}

fn bars_per_line(options: &MapOptions, column: &Column, pages: u16) -> usize {
    let gap = options.gap();
    let bar = f64::from(pages.max(1)) * options.page_width;
    (((column.width - 6.0 + gap) / (bar + gap)).floor() as usize).max(1)
}

/// All spans by row, in each the lists of its groups one after the other.
fn in_list_order<P: Pool>(
    pool: &P,
    rows: &[ClassTotals],
    group_count: usize,
) -> (Vec<SpanView>, Vec<Vec<Range<usize>>>) {
    let mut spans = Vec::new();
    let cells = rows.iter().map(|row| {
        let start = spans.len();
        for group in 0..group_count {
            spans.extend(pool.group_list(row.class, group as u8));
        }
        std::iter::once(start..spans.len()).collect()
    });
    let cells = cells.collect();
    (spans, cells)
}

/// Counting sort of all spans by row and group; within a cell ascending by number.
fn sort_into_cells<P: Pool>(
    pool: &P,
    rows: &[ClassTotals],
    group_count: usize,
) -> (Vec<SpanView>, Vec<Vec<Range<usize>>>) {
    let last_class = rows.iter().map(|row| usize::from(row.class)).max().unwrap_or(0);
    let mut row_of_class = vec![usize::MAX; last_class + 1];
    for (index, row) in rows.iter().enumerate() {
        row_of_class[usize::from(row.class)] = index;
    }
    let cell_of = |span: &SpanView| {
        let row = row_of_class.get(usize::from(span.class)).copied().unwrap_or(usize::MAX);
        (row != usize::MAX).then(|| row * group_count + usize::from(span.group))
    };
    let mut all = Vec::new();
    pool.for_each_span(&mut |span| all.push(span));
    let mut starts = vec![0usize; rows.len() * group_count + 1];
    for span in &all {
        if let Some(cell) = cell_of(span) {
            starts[cell + 1] += 1;
        }
    }
    for cell in 1..starts.len() {
        starts[cell] += starts[cell - 1];
    }
    let mut next = starts.clone();
    let mut sorted = all.clone();
    sorted.truncate(starts.last().copied().unwrap_or(0));
    for span in &all {
        if let Some(cell) = cell_of(span) {
            sorted[next[cell]] = *span;
            next[cell] += 1;
        }
    }
    let cells = (0..rows.len())
        .map(|row| {
            (0..group_count)
                .map(|group| {
                    let cell = row * group_count + group;
                    let range = starts[cell]..starts[cell + 1];
                    sort_by_number(&mut sorted[range.clone()]);
                    range
                })
                .collect()
        })
        .collect();
    (sorted, cells)
}

/// Width of a character of a column's name, about, in CSS pixels.
const CHARACTER: f64 = 6.2;

/// Columns: each holds at least one of the longest bars and its name, and spare width goes where spans are.
fn columns(
    rows: &[ClassTotals],
    cells: &[Vec<Range<usize>>],
    first_group: u8,
    names: &[&str],
    options: &MapOptions,
) -> Vec<Column> {
    let group_count = usize::from(first_group) + cells.first().map_or(0, Vec::len);
    let longest = rows.iter().map(|row| row.pages_per_span).max().unwrap_or(1);
    let shown: Vec<usize> = (usize::from(first_group)..group_count).collect();
    let room = (options.width - options.left - options.right).max(0.0);
    let bar = f64::from(longest) * options.page_width + 8.0;
    let even = room / shown.len().max(1) as f64;
    let name =
        |group: usize| names.get(group).map_or(0, |name| name.chars().count()) as f64 * CHARACTER + 8.0;
    let wanted: Vec<f64> = shown.iter().map(|&group| bar.max(name(group))).collect();
    let fits = wanted.iter().sum::<f64>() <= room;
    // Names may be squeezed, bars may not: then the map is wider than the room.
    let least: Vec<f64> = if fits { wanted } else { vec![bar.max(even); shown.len()] };
    let needs: Vec<f64> = shown
        .iter()
        .map(|&group| {
            let most_pages = cells
                .iter()
                .zip(rows)
                .map(|(row, totals)| {
                    row[group - usize::from(first_group)].len() as f64 * f64::from(totals.pages_per_span)
                })
                .fold(0.0, f64::max);
            // Less than proportional, so that one crowded group does not squeeze the others.
            most_pages.sqrt()
        })
        .collect();
    let total: f64 = needs.iter().sum();
    let spare = (room - least.iter().sum::<f64>()).max(0.0);
    let mut left = options.left;
    shown
        .iter()
        .zip(&needs)
        .zip(least)
        .map(|((&group, need), least)| {
            let share = if total > 0.0 { need / total } else { 1.0 / shown.len() as f64 };
            let width = least + spare * share;
            let column = Column {
                group: Some(group as u8),
                left,
                width,
                spans: cells.iter().map(|row| row[group - usize::from(first_group)].len()).sum(),
            };
            left += width;
            column
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::pool::{Ignore, ObjectId};
    use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool as Zsmalloc};

    use super::*;

    fn pool() -> Zsmalloc {
        let geometry = Geometry::new(&Config::default_for(Era::V6_12)).unwrap();
        let mut pool = Zsmalloc::new(geometry);
        for object in 0..3000u32 {
            pool.malloc(ObjectId(object), 1 + object * 37 % 4096, &mut Ignore).unwrap();
        }
        for object in (0..3000).step_by(3) {
            pool.free(ObjectId(object), &mut Ignore).unwrap();
        }
        pool
    }

    #[test]
    fn every_span_is_found_where_it_is_drawn() {
        let pool = pool();
        for arrangement in [Arrangement::BySize, Arrangement::ByRegain, Arrangement::Lists] {
            for (width, zoom) in [(1000.0, 1.0), (360.0, 4.0), (0.0, 1.0)] {
                let options = MapOptions::for_width(width, zoom, arrangement, 11, (8, 4096));
                let layout = MapLayout::new(&pool, 1, options);
                assert_eq!(layout.spans.len() as u64, pool.totals().spans);
                for span in layout.spans.iter().step_by(7) {
                    let (row, rect) = layout.find(span.id).unwrap();
                    assert_eq!(row.totals.class, span.class);
                    if width > 500.0 {
                        let (x, y) = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
                        assert_eq!(layout.hit(x, y, 0.0).map(|hit| hit.id), Some(span.id), "{arrangement:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn list_order_starts_with_the_head() {
        let pool = pool();
        let options = MapOptions::for_width(1000.0, 1.0, Arrangement::Lists, 11, (8, 4096));
        let layout = MapLayout::new(&pool, 1, options);
        for row in &layout.rows {
            let [cell] = &row.cells[..] else { panic!("one column") };
            let shown: Vec<_> = layout.spans[cell.clone()].to_vec();
            let listed: Vec<_> = (0..12).flat_map(|group| pool.group_list(row.totals.class, group)).collect();
            assert_eq!(shown, listed);
        }
    }
}
