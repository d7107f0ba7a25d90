//! Patterns of filled areas, drawn as short lines because backends have none of their own.

use crate::plot::{Axes, Band, Point};

/// The pattern of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatch {
    /// None.
    Plain,
    /// Lines that rise to the right.
    Rising,
    /// Lines that fall to the right.
    Falling,
    /// Upright lines.
    Upright,
}

/// Distance of the lines in CSS pixels.
const STEP: f64 = 5.0;

/// The lines of a band's pattern, in the plot's coordinates.
///
/// Each line is followed pixel by pixel; the stretches where it is between the band's edges are drawn.
pub(crate) fn hatch_lines(band: &Band, axes: &Axes) -> Vec<(Point, Point)> {
    let (Some(first), Some(last)) = (band.upper.first(), band.upper.last()) else { return Vec::new() };
    let (left, right) = (axes.x_of(first.0), axes.x_of(last.0));
    let columns: Vec<(f64, f64, f64)> = (0..=((right - left).max(0.0) as u32))
        .map(|step| {
            let x = left + f64::from(step);
            let size = axes.size_at(x);
            (x, axes.y_of(value_at(&band.lower, size)), axes.y_of(value_at(&band.upper, size)))
        })
        .collect();
    if band.hatch == Hatch::Plain {
        return Vec::new();
    }
    if band.hatch == Hatch::Upright {
        let every = columns.iter().step_by(STEP as usize);
        return every.map(|&(x, low, high)| (point(axes, x, low), point(axes, x, high))).collect();
    }
    let sign = if band.hatch == Hatch::Rising { -1.0 } else { 1.0 };
    let height = axes.bottom - axes.top;
    let width = right - left;
    let mut lines = Vec::new();
    let mut offset = -width - height;
    while offset < width + height {
        let y_at = |x: f64| axes.bottom + offset + sign * (x - left);
        let mut start: Option<f64> = None;
        let mut end = 0.0;
        for &(x, low, high) in &columns {
            let y = y_at(x);
            if y <= low && y >= high {
                start.get_or_insert(x);
                end = x;
            } else if let Some(from) = start.take() {
                lines.push((point(axes, from, y_at(from)), point(axes, end, y_at(end))));
            }
        }
        if let Some(from) = start {
            lines.push((point(axes, from, y_at(from)), point(axes, end, y_at(end))));
        }
        offset += STEP;
    }
    lines
}

fn point(axes: &Axes, x: f64, y: f64) -> Point {
    let value = (axes.bottom - y) / (axes.bottom - axes.top).max(1.0) * axes.y_max;
    (axes.size_at(x), value)
}

/// The value of a curve of straight pieces at a size.
fn value_at(curve: &[Point], size: f64) -> f64 {
    let after = curve.partition_point(|corner| corner.0 < size);
    match (after.checked_sub(1).and_then(|before| curve.get(before)), curve.get(after)) {
        (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * (size - a.0) / (b.0 - a.0),
        (_, Some(corner)) | (Some(corner), None) => corner.1,
        (None, None) => 0.0,
    }
}
