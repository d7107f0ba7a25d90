//! The strip above the time axis: pages held and how much of them is data, with marks.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::hatch::{Hatch, hatch_lines};
use crate::plot::{Align, Axes, Band, Label, Point, Style, blend, rgb};
use crate::theme::Role;

/// What the strip shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// Last step.
    pub steps: f64,
    /// Pages held at steps, ascending.
    pub pages: Vec<Point>,
    /// Pages that the data alone would fill.
    pub data: Vec<Point>,
    /// Steps with a mark and what they say.
    pub marks: Vec<(f64, String)>,
}

const ABOVE: f64 = 4.0;
const BELOW: f64 = 16.0;

/// Where steps and pages are.
pub fn axes(strip: &Strip, style: &Style) -> Axes {
    let highest = strip.pages.iter().map(|point| point.1).fold(1.0, f64::max);
    Axes {
        left: 0.0,
        right: style.width.max(1.0),
        top: ABOVE,
        bottom: (style.height - BELOW).max(ABOVE + 1.0),
        x_max: strip.steps.max(1.0),
        y_max: highest * 1.1,
    }
}

/// Draws it and returns its texts.
///
/// # Errors
/// The backend's.
pub fn draw<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    strip: &Strip,
    style: &Style,
) -> Result<Vec<Label>, DrawingAreaErrorKind<B::ErrorType>> {
    let axes = axes(strip, style);
    let device = |css: f64| (css * style.scale).round() as i32;
    let paper = style.theme.colour(Role::Paper);
    root.fill(&rgb(paper))?;
    let area = root.clone().apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
        0.0..axes.x_max,
        0.0..axes.y_max,
        (device(axes.left)..device(axes.right), device(axes.bottom)..device(axes.top)),
    ));
    let thin = (style.scale.round() as u32).max(1);
    let ground: Vec<Point> = strip.data.iter().map(|&(step, _)| (step, 0.0)).collect();
    let bands = [
        Band {
            lower: strip.data.clone(),
            upper: strip.pages.clone(),
            role: Role::Empty,
            hatch: Hatch::Rising,
        },
        Band { lower: ground, upper: strip.data.clone(), role: Role::Data, hatch: Hatch::Plain },
    ];
    for band in &bands {
        let mut outline = band.upper.clone();
        outline.extend(band.lower.iter().rev());
        if outline.len() < 4 {
            continue;
        }
        let full = style.theme.colour(band.role);
        let soft = if band.hatch == Hatch::Plain { full } else { blend(full, paper, 0.18) };
        area.draw(&Polygon::new(outline, rgb(soft).filled()))?;
        for (from, to) in hatch_lines(band, &axes) {
            area.draw(&PathElement::new(vec![from, to], rgb(blend(full, paper, 0.5)).stroke_width(thin)))?;
        }
        area.draw(&PathElement::new(band.upper.clone(), rgb(full).stroke_width(thin)))?;
    }
    let mut labels = Vec::new();
    for (step, text) in &strip.marks {
        let line = vec![(*step, 0.0), (*step, axes.y_max)];
        area.draw(&PathElement::new(line, rgb(style.theme.colour(Role::Ink2)).stroke_width(thin)))?;
        let x = axes.x_of(*step);
        let align = if x > axes.right - 160.0 { Align::End } else { Align::Start };
        let x = if align == Align::End { x - 4.0 } else { x + 4.0 };
        if style.width >= 700.0 {
            labels.push(Label { x, y: 11.0, text: text.clone(), align, role: Role::Ink2, strong: false });
        }
    }
    let ticks = if style.width < 500.0 { 3 } else { 6 };
    for tick in 0..=ticks {
        let step = (axes.x_max * f64::from(tick) / f64::from(ticks)).round();
        let align = match tick {
            0 => Align::Start,
            _ if tick == ticks => Align::End,
            _ => Align::Middle,
        };
        let text = slabscope_core::tell::grouped(step as u64);
        labels.push(Label {
            x: axes.x_of(step),
            y: style.height - 7.0,
            text,
            align,
            role: Role::Ink3,
            strong: false,
        });
    }
    Ok(labels)
}
