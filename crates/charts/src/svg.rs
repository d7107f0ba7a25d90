//! Plots as SVG files.

use std::fmt::Write as _;

use plotters::prelude::IntoDrawingArea as _;
use plotters_svg::SVGBackend;

use crate::plot::{Align, Label, Plot, Style, draw};

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
    let mut text = String::new();
    let size = (style.width.max(1.0) as u32, style.height.max(1.0) as u32);
    let labels = {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let labels = draw(&root, plot, style).map_err(|error| SvgError(error.to_string()))?;
        root.present().map_err(|error| SvgError(error.to_string()))?;
        labels
    };
    let Some(open) = text.find('>') else { return Err(SvgError("no document".to_owned())) };
    let head = format!("{} role=\"img\"><title>{}</title>", &text[..open], escape(title));
    let body = text[open + 1..].trim_end();
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    let mut out = head + body;
    for label in &labels {
        write_label(&mut out, label, style);
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn write_label(out: &mut String, label: &Label, style: &Style) {
    let [red, green, blue] = style.theme.colour(label.role);
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
