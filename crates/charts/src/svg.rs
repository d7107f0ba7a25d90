//! Plots as SVG files.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters_svg::SVGBackend;

use crate::plot::{Align, Label, Plot, Style, draw};
use crate::theme::Theme;

/// A plot that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgError(String);

impl std::fmt::Display for SvgError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the plot cannot be drawn: {}", self.0)
    }
}

impl std::error::Error for SvgError {}

/// Draws a plot as an SVG document with a title for those who cannot see it.
///
/// # Errors
/// The backend's.
pub fn svg(plot: &Plot, style: &Style, title: &str) -> Result<String, SvgError> {
    document((style.width, style.height), style.theme, title, |root| draw(root, plot, style))
}

/// What a drawing on an SVG document gives: its texts.
pub type Drawn = Result<Vec<Label>, DrawingAreaErrorKind<std::io::Error>>;

/// Draws anything on an SVG document of so many CSS pixels.
///
/// # Errors
/// The drawing's.
pub fn document(
    (width, height): (f64, f64),
    theme: Theme,
    title: &str,
    draw: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Drawn,
) -> Result<String, SvgError> {
    let mut text = String::new();
    let size = (width.max(1.0) as u32, height.max(1.0) as u32);
    let labels = {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let labels = draw(&root).map_err(|error| SvgError(error.to_string()))?;
        root.present().map_err(|error| SvgError(error.to_string()))?;
        labels
    };
    let Some(open) = text.find('>') else { return Err(SvgError("no document".to_owned())) };
    let head = format!("{} role=\"img\"><title>{}</title>", &text[..open], escape(title));
    let body = text[open + 1..].trim_end();
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    let mut out = head + body;
    for label in &labels {
        write_label(&mut out, label, theme);
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn write_label(out: &mut String, label: &Label, theme: Theme) {
    let [red, green, blue] = theme.colour(label.role);
    let anchor = match label.align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    };
    let weight = if label.strong { " font-weight=\"600\"" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-family=\"sans-serif\" font-size=\"11\" dominant-baseline=\"central\" text-anchor=\"{anchor}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"{weight}>{}</text>",
        label.x,
        label.y,
        escape(&label.text)
    );
}

/// A text as it stands in a document.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
