//! A zspage, block or slab page by page, with what its colours and patterns mean.

use slabscope_charts::svg::document;
use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::SpanPicture;

/// CSS pixels across one span.
const SPAN: f64 = 640.0;

/// A span as SVG.
///
/// # Errors
/// The drawing's.
pub(crate) fn span_drawing(span: &SpanPicture, theme: Theme, title: &str) -> Result<String, String> {
    let size = (SPAN, span.height() + SpanPicture::LEGEND);
    let drawn = document(size, theme, title, &mut |root| {
        let mut labels = span.draw(root, SPAN, 1.0, theme)?;
        labels.extend(span.draw_legend(root, theme)?);
        Ok(labels)
    });
    drawn.map_err(|error| error.to_string())
}
