//! Plots and drawings as SVG files.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};

pub use crate::pen::Pen;
use crate::plot::{Align, Label, Plot, Style, draw};
use crate::theme::{Rgb, Role, Theme};

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
    document((style.width, style.height), style.theme, title, &mut |root| draw(root, plot, style))
}

/// What a drawing on an SVG document gives: its texts.
pub type Drawn = Result<Vec<Label>, DrawingAreaErrorKind<Infallible>>;

/// What drawings for files draw on.
pub type Root<'a> = DrawingArea<Pen<'a>, Shift>;

/// Draws anything on an SVG document of so many CSS pixels.
///
/// # Errors
/// The drawing's.
pub fn document(
    (width, height): (f64, f64),
    theme: Theme,
    title: &str,
    draw: &mut dyn FnMut(&Root<'_>) -> Drawn,
) -> Result<String, SvgError> {
    let size = (width.max(1.0) as u32, height.max(1.0) as u32);
    let mut body = String::new();
    let root = Pen::new(&mut body, size).into_drawing_area();
    let labels = draw(&root).map_err(|error| SvgError(error.to_string()))?;
    drop(root);
    for label in &labels {
        write_label(&mut body, label, theme);
    }
    Ok(wrapped(size, title, &body))
}

/// Elements of a drawing as a document.
pub fn wrapped((width, height): (u32, u32), title: &str, body: &str) -> String {
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"><title>{}</title>\n{body}</svg>\n",
        escape(title)
    )
}

/// Appends a text.
pub fn write_label(out: &mut String, label: &Label, theme: Theme) {
    let anchor = match label.align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    };
    let weight = if label.strong { " font-weight=\"600\"" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"11\" dominant-baseline=\"central\" text-anchor=\"{anchor}\" fill=\"{}\"{weight}>{}</text>",
        number(label.x),
        number(label.y),
        colour(theme, label.role),
        escape(&label.text)
    );
}

/// A colour as files write it.
pub fn colour(theme: Theme, role: Role) -> String {
    hex(theme.colour(role))
}

/// The same of any colour.
pub fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A length with at most one decimal, written by whole numbers.
pub fn number(length: f64) -> String {
    let tenths = (length * 10.0).round() as i64;
    let (sign, tenths) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        part => format!("{sign}{}.{part}", tenths / 10),
    }
}

/// A text as it stands in a document.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_plot_is_a_document_with_its_title_and_shapes_on_whole_pixels() {
        let plot = Plot { x_max: 64.0, y_max: 40.0, y_title: "a < b".to_owned(), ..Plot::default() };
        let style = Style { width: 300.0, height: 200.0, scale: 1.0, theme: Theme::Dark };
        let text = svg(&plot, &style, "\"Title\" & more").unwrap();
        assert!(
            text.starts_with("<svg width=\"300\" height=\"200\" viewBox=\"0 0 300 200\" xmlns="),
            "{text}"
        );
        assert!(text.contains("<title>&quot;Title&quot; &amp; more</title>"), "{text}");
        assert!(
            text.contains("<rect x=\"0\" y=\"0\" width=\"300\" height=\"200\" fill=\"#101417\"/>"),
            "{text}"
        );
        assert!(text.contains(">a &lt; b</text>") && text.ends_with("</svg>\n"), "{text}");
    }

    #[test]
    fn lengths_have_a_decimal_where_they_need_one() {
        assert_eq!([0.0, 12.25, -3.96, 1234.0, -0.04].map(number), ["0", "12.3", "-4", "1234", "0"]);
    }
}
