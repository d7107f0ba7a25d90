//! A plot against object size: what is drawn, on any backend of plotters.
//!
//! plotters draws everything but text. Its canvas backend measures text through the page, slowly and
//! against a strict content policy, and has no idea of pixel density; so the texts come back as
//! [`Label`]s for a painter of our own, and the same code makes the picture in the page and in a file.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use slabscope_core::ranked::ascending;

use crate::hatch::{Hatch, hatch_lines};
use crate::theme::{Rgb, Role, Theme};

/// A corner of a curve: bytes and value.
pub type Point = (f64, f64);

/// The space between two curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Lower edge.
    pub lower: Vec<Point>,
    /// Upper edge.
    pub upper: Vec<Point>,
    /// Colour.
    pub role: Role,
    /// Pattern, so that colour is never the only sign.
    pub hatch: Hatch,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Corners.
    pub points: Vec<Point>,
    /// Colour.
    pub role: Role,
    /// CSS pixels.
    pub width: f64,
}

/// A point with a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: Point,
    /// What it says.
    pub text: String,
    /// True for the setting in force, false for one drawn for comparison.
    pub current: bool,
}

/// A stretch of sizes with a number of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Smallest request.
    pub from: u32,
    /// Largest.
    pub to: u32,
    /// Pages of a span.
    pub pages: u16,
}

/// Everything that a plot shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// What the vertical axis counts, with its unit.
    pub y_title: String,
    /// Largest size.
    pub x_max: f64,
    /// Smallest value where it is below 0.
    pub y_min: f64,
    /// Largest value.
    pub y_max: f64,
    /// Names of lines and their colours, for the key above the plot. Their marks say the letter alone.
    pub names: Vec<(String, Role)>,
    /// Filled areas, bottom first.
    pub bands: Vec<Band>,
    /// Curves over them.
    pub curves: Vec<Curve>,
    /// Marked points.
    pub marks: Vec<Mark>,
    /// The strip of pages per span.
    pub ribbon: Vec<Stretch>,
    /// Where a reader's own sizes are: two corners for each step, bytes and how many.
    pub own: Vec<(f32, f32)>,
}

/// Size and look of a plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Colours.
    pub theme: Theme,
}

/// Which end of a text is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// A text for the painter, in CSS pixels; `y` is its vertical middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Horizontal place.
    pub x: f64,
    /// Vertical place.
    pub y: f64,
    /// The text.
    pub text: String,
    /// Which end.
    pub align: Align,
    /// Colour.
    pub role: Role,
    /// Bold.
    pub strong: bool,
}

/// Where a plot put its axes, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Axes {
    /// Left end of the horizontal axis.
    pub left: f64,
    /// Right end.
    pub right: f64,
    /// Upper end of the vertical axis.
    pub top: f64,
    /// Lower end.
    pub bottom: f64,
    /// Size at the right end.
    pub x_max: f64,
    /// Value at the lower end.
    pub y_min: f64,
    /// Value at the upper end.
    pub y_max: f64,
}

impl Axes {
    /// Horizontal place of a size.
    pub fn x_of(&self, size: f64) -> f64 {
        self.left + (self.right - self.left) * size / self.x_max.max(1.0)
    }

    /// Vertical place of a value.
    pub fn y_of(&self, value: f64) -> f64 {
        let range = (self.y_max - self.y_min).max(f64::MIN_POSITIVE);
        self.bottom - (self.bottom - self.top) * (value - self.y_min) / range
    }

    /// The size at a horizontal place, within the axis.
    pub fn size_at(&self, x: f64) -> f64 {
        let share = (x - self.left) / (self.right - self.left).max(1.0);
        (share * self.x_max).max(0.0).min(self.x_max)
    }
}

/// Room around the plot, in CSS pixels.
const LEFT: f64 = 44.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 20.0;
const RIBBON: f64 = 18.0;
const HISTOGRAM: f64 = 42.0;
/// Room to the right for the letters of lines.
const LETTERS: f64 = 52.0;
/// Height of a line of the key.
const LINE: f64 = 15.0;
/// Room for the dash of a name in the key.
const DASH: f64 = 18.0;
/// The same and room behind the name.
const KEY: f64 = 34.0;

/// Where the axes of a plot will be.
pub fn axes(plot: &Plot, style: &Style) -> Axes {
    let below = BOTTOM
        + if plot.ribbon.is_empty() { 0.0 } else { RIBBON }
        + if plot.own.is_empty() { 0.0 } else { HISTOGRAM };
    let top = key(plot, style).last().map_or(TOP, |name| name.y + LINE);
    let right = if plot.names.is_empty() { RIGHT } else { LETTERS };
    Axes {
        left: LEFT,
        right: (style.width - right).max(LEFT + 1.0),
        top,
        bottom: (style.height - below).max(top + 1.0),
        x_max: plot.x_max,
        y_min: if plot.y_min < 0.0 { -nice_top(-plot.y_min) } else { 0.0 },
        y_max: nice_top(plot.y_max),
    }
}

/// The names of the key, line after line.
fn key(plot: &Plot, style: &Style) -> Vec<Label> {
    let (mut x, mut y) = (LEFT, TOP);
    let label = |(name, _): &(String, Role)| {
        let wide = KEY + LETTER * name.chars().count() as f64;
        if x > LEFT && x + wide > style.width {
            (x, y) = (LEFT, y + LINE);
        }
        x += wide;
        axis_label(x - wide + DASH, y, name.clone(), Align::Start)
    };
    plot.names.iter().map(label).collect()
}

/// Draws a plot and returns the texts that belong to it.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    plot: &Plot,
    style: &Style,
) -> Result<Vec<Label>, DrawingAreaErrorKind<B::ErrorType>> {
    let axes = axes(plot, style);
    let mut labels = Vec::new();
    let device = |css: f64| (css * style.scale).round() as i32;
    let colour = |role: Role| rgb(style.theme.colour(role));
    root.fill(&colour(Role::Paper))?;

    let area = root.clone().apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
        0.0..axes.x_max.max(1.0),
        axes.y_min..axes.y_max,
        (device(axes.left)..device(axes.right), device(axes.bottom)..device(axes.top)),
    ));
    let thin = (style.scale.round() as u32).max(1);
    let most = ((axes.bottom - axes.top) / 44.0).max(2.0);
    for value in steps((axes.y_min, axes.y_max), nice_step(axes.y_max - axes.y_min, most)) {
        area.draw(&PathElement::new(
            vec![(0.0, value), (axes.x_max, value)],
            colour(Role::Line).stroke_width(thin),
        ))?;
        labels.push(axis_label(axes.left - 6.0, axes.y_of(value), grouped(value), Align::End));
    }
    for band in &plot.bands {
        draw_band(&area, band, &axes, style)?;
    }
    for curve in &plot.curves {
        let width = ((curve.width * style.scale).round() as u32).max(1);
        area.draw(&PathElement::new(curve.points.clone(), colour(curve.role).stroke_width(width)))?;
    }
    area.draw(&PathElement::new(vec![(0.0, 0.0), (axes.x_max, 0.0)], colour(Role::Ink2).stroke_width(thin)))?;
    let names = mark_labels(plot, &axes);
    for name in &names {
        // Nothing is drawn behind a name, or neither could be read.
        let wide = LETTER * name.text.chars().count() as f64;
        let left = if name.align == Align::End { name.x - wide } else { name.x };
        let corners = [(device(left), device(name.y - 6.0)), (device(left + wide), device(name.y + 6.0))];
        root.draw(&Rectangle::new(corners, colour(Role::Paper).filled()))?;
    }
    for mark in shown_marks(plot, &axes) {
        let radius = device(3.5);
        let fill = if mark.current { Role::Ink } else { Role::Paper };
        area.draw(&Circle::new(mark.at, radius, colour(fill).filled()))?;
        area.draw(&Circle::new(mark.at, radius, colour(Role::Ink).stroke_width(thin)))?;
    }
    labels.extend(names);
    for ((_, role), name) in plot.names.iter().zip(key(plot, style)) {
        let dash = [(name.x - DASH, name.y - 1.0), (name.x - 4.0, name.y + 1.0)]
            .map(|(x, y)| (device(x), device(y)));
        root.draw(&Rectangle::new(dash, colour(*role).filled()))?;
        labels.push(name);
    }
    labels.push(axis_label(axes.left, 9.0, plot.y_title.clone(), Align::Start));

    let mut y = axes.bottom + 6.0;
    if !plot.ribbon.is_empty() {
        draw_ribbon(root, plot, &axes, y, style)?;
        y += RIBBON;
    }
    if !plot.own.is_empty() {
        draw_histogram(root, plot, &axes, (y, y + HISTOGRAM - 8.0), style)?;
        labels.push(axis_label(axes.left - 8.0, y + 20.0, "sizes".to_owned(), Align::End));
    }
    let every = ((axes.right - axes.left) / 76.0).clamp(2.0, 8.0);
    for size in steps((0.0, axes.x_max), step_along(axes.x_max, every)) {
        let align = if size == 0.0 {
            Align::Start
        } else if size >= axes.x_max {
            Align::End
        } else {
            Align::Middle
        };
        labels.push(axis_label(axes.x_of(size), style.height - 8.0, grouped(size), align));
    }
    Ok(labels)
}

/// Draws the line of the place along that is looked at, and its point where the value there is known.
///
/// # Errors
/// The backend's.
pub fn draw_cursor<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    axes: &Axes,
    style: &Style,
    (along, value): (f64, Option<f64>),
    role: Role,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let device = |css: f64| (css * style.scale).round() as i32;
    let fill = rgb(style.theme.colour(role)).filled();
    let x = axes.x_of(along.min(axes.x_max));
    let corners = [(device(x - 0.75), device(axes.top)), (device(x + 0.75), device(axes.bottom))];
    root.draw(&Rectangle::new(corners, fill))?;
    match value {
        Some(value) => root.draw(&Circle::new((device(x), device(axes.y_of(value))), device(3.5), fill)),
        None => Ok(()),
    }
}

type Area<B> = DrawingArea<B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn draw_band<B: DrawingBackend>(
    area: &Area<B>,
    band: &Band,
    axes: &Axes,
    style: &Style,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let mut outline = band.upper.clone();
    outline.extend(band.lower.iter().rev());
    if outline.len() < 3 {
        return Ok(());
    }
    let full = style.theme.colour(band.role);
    let soft = blend(full, style.theme.colour(Role::Paper), 0.28);
    area.draw(&Polygon::new(outline, rgb(soft).filled()))?;
    let thin = (style.scale.round() as u32).max(1);
    for (from, to) in hatch_lines(band, axes) {
        area.draw(&PathElement::new(vec![from, to], rgb(full).stroke_width(thin)))?;
    }
    Ok(())
}

fn draw_ribbon<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    plot: &Plot,
    axes: &Axes,
    top: f64,
    style: &Style,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let device = |css: f64| (css * style.scale).round() as i32;
    for stretch in &plot.ribbon {
        let role = pages_role(stretch.pages);
        let (from, to) = (axes.x_of(f64::from(stretch.from) - 1.0), axes.x_of(f64::from(stretch.to)));
        // A hairline between neighbours, where there is room for one.
        let gap = if to - from > 3.0 { 1 } else { 0 };
        let corners =
            [(device(from), device(top)), ((device(to) - gap).max(device(from) + 1), device(top + 11.0))];
        root.draw(&Rectangle::new(corners, rgb(style.theme.colour(role)).filled()))?;
    }
    Ok(())
}

/// The shade of a number of pages.
pub const fn pages_role(pages: u16) -> Role {
    match pages {
        0 | 1 => Role::Pages1,
        2 => Role::Pages2,
        3 => Role::Pages3,
        _ => Role::Pages4,
    }
}

fn draw_histogram<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    plot: &Plot,
    axes: &Axes,
    (top, bottom): (f64, f64),
    style: &Style,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let device = |css: f64| (css * style.scale).round() as i32;
    let fill = rgb(style.theme.colour(Role::Pages4)).filled();
    let most = plot.own.iter().fold(f32::MIN_POSITIVE, |most, corner| most.max(corner.1));
    for step in plot.own.chunks_exact(2) {
        let (left, right) = (device(axes.x_of(step[0].0.into())), device(axes.x_of(step[1].0.into())));
        let height = (bottom - top) * f64::from(step[0].1 / most);
        let corners = [(left, device(bottom - height)), ((right - 1).max(left + 1), device(bottom))];
        root.draw(&Rectangle::new(corners, fill))?;
    }
    Ok(())
}

/// Marks within the axes: those of settings that are not drawn may lie far above what is.
fn shown_marks<'a>(plot: &'a Plot, axes: &Axes) -> impl Iterator<Item = &'a Mark> {
    let (x_max, y_max) = (axes.x_max, axes.y_max);
    plot.marks.iter().filter(move |mark| mark.at.0 <= x_max && mark.at.1 <= y_max)
}

/// Width of a letter of a name, in CSS pixels: about that of the widest.
const LETTER: f64 = 6.5;

/// Texts of the marks: to the left of the point where there is room, otherwise to the right, each
/// lower than the last where they would meet.
fn mark_labels(plot: &Plot, axes: &Axes) -> Vec<Label> {
    let labels: Vec<Label> = shown_marks(plot, axes)
        .map(|mark| {
            let (x, y) = (axes.x_of(mark.at.0), axes.y_of(mark.at.1));
            let room_right = axes.right - x;
            let needed = LETTER * mark.text.chars().count() as f64;
            let (x, align) = if plot.names.is_empty() && (mark.current || room_right < needed) {
                (x - 9.0, Align::End)
            } else {
                (x + 9.0, Align::Start)
            };
            Label { x, y, text: mark.text.clone(), align, role: Role::Ink, strong: mark.current }
        })
        .collect();
    let heights: Vec<i64> = labels.iter().map(|label| label.y.round() as i64).collect();
    let mut placed: Vec<Label> = Vec::with_capacity(labels.len());
    for at in ascending(&heights) {
        let Some(mut label) = labels.get(at as usize).cloned() else { continue };
        if let Some(above) = placed.last_mut().filter(|above| (above.x - label.x).abs() < 90.0) {
            if !plot.names.is_empty() && label.y < above.y + 12.0 {
                // Lines that end together share a place for their letters.
                above.text.push_str(&label.text);
                continue;
            }
            label.y = label.y.max(above.y + 12.0);
        }
        placed.push(label);
    }
    placed
}

fn axis_label(x: f64, y: f64, text: String, align: Align) -> Label {
    Label { x, y, text, align, role: Role::Ink3, strong: false }
}

pub(crate) fn rgb([red, green, blue]: Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

/// `part` of one colour over another.
pub fn blend(over: Rgb, under: Rgb, part: f64) -> Rgb {
    let mix =
        |index: usize| (f64::from(over[index]) * part + f64::from(under[index]) * (1.0 - part)).round() as u8;
    [mix(0), mix(1), mix(2)]
}

/// A number in groups of three, without decimals.
fn grouped(number: f64) -> String {
    let digits = slabscope_core::tell::grouped(number.abs().round() as u64);
    if number < 0.0 { "-".to_owned() + &digits } else { digits }
}

/// Multiples of a step within a range around 0.
fn steps((bottom, top): (f64, f64), step: f64) -> Vec<f64> {
    let (mut at, mut all) = (0.0, Vec::new());
    while at - step >= bottom {
        at -= step;
    }
    while at <= top + step * 1e-9 {
        all.push(at);
        at += step;
    }
    all
}

/// The smallest of 1, 2 or 5 times a power of ten with at most `most` of them; whole numbers are enough for bytes and percent.
fn nice_step(top: f64, most: f64) -> f64 {
    let rough = top / most.max(1.0);
    let mut power = 1.0;
    while power * 10.0 < rough {
        power *= 10.0;
    }
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

/// A little above the largest value.
pub(crate) fn nice_top(largest: f64) -> f64 {
    let largest = largest.max(1.0);
    let step = nice_step(largest, 8.0);
    (largest * 1.05 / step).ceil() * step
}

/// What divides a page evenly, where the axis has the length of pages; otherwise a round number.
fn step_along(top: f64, most: f64) -> f64 {
    let mut step = top;
    while step > 64.0 && top / step * 2.0 <= most {
        step /= 2.0;
    }
    if step > 64.0 && (step / 64.0).fract() == 0.0 { step } else { nice_step(top, most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!(nice_top(832.0), 1000.0);
        let ticks = |range: (f64, f64), most| steps(range, nice_step(range.1 - range.0, most));
        assert_eq!(ticks((0.0, 900.0), 5.0), [0.0, 200.0, 400.0, 600.0, 800.0]);
        assert_eq!(ticks((-10.0, 45.0), 5.0), [0.0, 20.0, 40.0]);
        assert_eq!(ticks((-20.0, 40.0), 5.0), [-20.0, 0.0, 20.0, 40.0]);
        assert_eq!([4096.0, 2712.0, 9.0].map(|top| step_along(top, 8.0)), [512.0, 500.0, 2.0]);
        assert_eq!(step_along(4096.0, 3.0), 2048.0);
    }

    #[test]
    fn names_stand_in_a_key_above_and_letters_at_the_ends() {
        let mark = |y: f64, text: &str| Mark { at: (9.0, y), text: text.to_owned(), current: false };
        let plot = Plot {
            x_max: 9.0,
            y_min: -3.0,
            y_max: 60.0,
            names: ["a short one", "b with a much longer name than that", "c third"]
                .map(|name| (name.to_owned(), Role::Tail))
                .to_vec(),
            marks: vec![mark(1.0, "a"), mark(50.0, "b"), mark(1.2, "c")],
            ..Plot::default()
        };
        let style = Style { width: 340.0, height: 240.0, scale: 1.0, theme: Theme::Dark };
        let names = key(&plot, &style);
        assert_eq!(names.len(), 3);
        assert!(names.windows(2).all(|two| two[0].y < two[1].y || two[0].x < two[1].x), "{names:?}");
        let axes = axes(&plot, &style);
        assert!(names.iter().all(|name| name.y < axes.top));
        assert!(axes.y_of(-3.0) < axes.bottom && axes.y_of(-3.0) > axes.y_of(0.0));
        let letters: Vec<String> = mark_labels(&plot, &axes).into_iter().map(|label| label.text).collect();
        assert_eq!(letters, ["b", "ca"]);
    }

    #[test]
    fn places_and_sizes_are_inverse() {
        let plot = Plot { x_max: 4096.0, y_max: 800.0, ..Plot::default() };
        let style = Style { width: 640.0, height: 300.0, scale: 1.0, theme: Theme::Light };
        let axes = axes(&plot, &style);
        for size in [0.0, 1.0, 1568.0, 4096.0] {
            assert!((axes.size_at(axes.x_of(size)) - size).abs() < 1e-9);
        }
        assert_eq!(axes.size_at(-50.0), 0.0);
        assert_eq!(axes.y_of(0.0), axes.bottom);
    }
}
