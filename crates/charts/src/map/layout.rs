//! Where rows, columns and bars of the pool map go.

use std::ops::Range;

use slabscope_core::pool::{ClassTotals, Pool, SpanId, SpanView};

/// Order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// Largest object size first.
    #[default]
    BySize,
    /// Most pages to regain first; ties by size.
    ByRegain,
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
    /// Order of the rows.
    pub order: RowOrder,
}

impl MapOptions {
    /// Smallest and largest width of a page: beyond them a bar is a speck or fills a column.
    pub const PAGE_WIDTHS: Range<f64> = 1.0..44.0;

    /// Options for a map of a width with labels that fit it, at a zoom where 1 is the natural size: bars of
    /// `longest` pages in `columns` columns fill a little over half of the room, the rest goes to crowded columns.
    pub fn for_width(width: f64, zoom: f64, order: RowOrder, columns: usize, longest: u16) -> Self {
        let narrow = width < 500.0;
        let (left, right) = if narrow { (36.0, 26.0) } else { (88.0, 62.0) };
        let room = (width - left - right).max(0.0);
        let natural = room * 0.55 / columns.max(1) as f64 / f64::from(longest.max(1));
        let page_width =
            (natural.clamp(2.0, 11.0) * zoom).clamp(Self::PAGE_WIDTHS.start, Self::PAGE_WIDTHS.end);
        let natural_height = if narrow { 7.0 } else { 10.0 };
        Self { width, left, right, page_width, bar_height: (natural_height * zoom).clamp(2.0, 48.0), order }
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
    /// Spans of each group in [`MapLayout::spans`].
    pub cells: Vec<Range<usize>>,
}

/// A group that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The group, an index into the pool's group names.
    pub group: u8,
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
    /// Spans, cell by cell; within a cell ascending by creation number, so that a span keeps its
    /// place while others come and go behind it.
    pub spans: Vec<SpanView>,
    /// Height of the whole map.
    pub height: f64,
}

impl MapLayout {
    /// Lays out a pool. Groups below `first_group` are not shown (zsmalloc's empty group is always
    /// empty in a pool without concurrency).
    pub fn new<P: Pool>(pool: &P, first_group: u8, options: MapOptions) -> Self {
        let group_count = pool.group_names().len();
        let mut totals: Vec<ClassTotals> = pool.classes().into_iter().filter(|c| c.spans > 0).collect();
        match options.order {
            RowOrder::BySize => totals.sort_unstable_by_key(|c| (std::cmp::Reverse(c.size), c.class)),
            RowOrder::ByRegain => {
                totals.sort_unstable_by_key(|c| {
                    (std::cmp::Reverse(c.freeable_pages), std::cmp::Reverse(c.size), c.class)
                });
            }
        }
        let (spans, cells) = sort_into_cells(pool, &totals, group_count);
        let columns = columns(&totals, &cells, first_group, pool.group_names(), &options);
        let mut rows = Vec::with_capacity(totals.len());
        let mut top = 0.0;
        for (totals, cells) in totals.into_iter().zip(cells) {
            let lines = columns
                .iter()
                .map(|column| {
                    let per_line = bars_per_line(&options, column, totals.pages_per_span);
                    cells[usize::from(column.group)].len().div_ceil(per_line)
                })
                .max()
                .unwrap_or(1)
                .max(1);
            let height =
                (lines as f64 * (options.bar_height + options.gap()) + 7.0).max(options.least_row_height());
            rows.push(Row { totals, top, height, cells });
            top += height;
        }
        Self { options, rows, columns, spans, height: top }
    }

    /// The rectangle of bar `position` (an index into [`Self::spans`]) of a row.
    pub fn bar(&self, row: &Row, position: usize) -> Option<Rect> {
        let span = self.spans.get(position)?;
        let column = self.columns.iter().find(|c| c.group == span.group)?;
        let nth = position.checked_sub(row.cells[usize::from(span.group)].start)?;
        Some(self.bar_in(row, column, nth))
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

    /// The row at a height, if any.
    pub fn row_at(&self, y: f64) -> Option<&Row> {
        let after = self.rows.partition_point(|row| row.top <= y);
        self.rows.get(after.checked_sub(1)?).filter(|row| y < row.top + row.height)
    }

    /// The span at a point; `slack` widens each bar so that small ones can be hit.
    pub fn hit(&self, x: f64, y: f64, slack: f64) -> Option<SpanView> {
        let row = self.row_at(y)?;
        let column = self.columns.iter().rev().find(|column| column.left - slack <= x)?;
        let cell = row.cells[usize::from(column.group)].clone();
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
                    sorted[range.clone()].sort_unstable_by_key(|span| span.id);
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
    let group_count = cells.first().map_or(0, Vec::len);
    let longest = rows.iter().map(|row| row.pages_per_span).max().unwrap_or(1);
    let shown: Vec<usize> = (usize::from(first_group)..group_count).collect();
    let room = (options.width - options.left - options.right).max(0.0);
    let bar = f64::from(longest) * options.page_width + 8.0;
    let even = room / shown.len().max(1) as f64;
    let least: Vec<f64> = shown
        .iter()
        .map(|&group| {
            bar.max(names.get(group).map_or(0, |name| name.chars().count()) as f64 * CHARACTER + 8.0)
        })
        .collect();
    let least = if least.iter().sum::<f64>() > room { vec![even; shown.len()] } else { least };
    let needs: Vec<f64> = shown
        .iter()
        .map(|&group| {
            let most_pages = cells
                .iter()
                .zip(rows)
                .map(|(row, totals)| row[group].len() as f64 * f64::from(totals.pages_per_span))
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
                group: group as u8,
                left,
                width,
                spans: cells.iter().map(|row| row[group].len()).sum(),
            };
            left += width;
            column
        })
        .collect()
}
