//! Quantities over time as shapes of a file, which look as the pixels do.

use super::{Look, OverTime};
use crate::svg::{hex, number};
use crate::theme::{Role, Theme};

/// Where it is drawn, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Width.
    pub width: u32,
    /// Where the largest value is.
    pub top: f64,
    /// Where zero is.
    pub bottom: f64,
}

impl OverTime<'_> {
    /// What [`Self::paint`] paints, as elements of an SVG document. Patterns are known by theme and look, so that a page can
    /// hold the same picture in both themes.
    pub fn svg(&self, field: &Field, theme: Theme) -> String {
        let columns: Vec<usize> = self.columns(field.width as usize).collect();
        let unit = (field.bottom - field.top) / f64::from(self.highest().max(1.0));
        let mut below = vec![0.0; columns.len()];
        let mut shapes = Vec::with_capacity(self.layers.len());
        for (look, values) in self.layers {
            let mut heights = Vec::with_capacity(columns.len());
            for (sample, below) in columns.iter().zip(&mut below) {
                let value = *below + values.get(*sample).copied().unwrap_or(0.0);
                if self.stacked {
                    *below = value;
                }
                heights.push(number(field.bottom - f64::from(value) * unit));
            }
            shapes.push(self.shape(*look, &heights, field, theme));
        }
        if self.stacked {
            // Each area reaches down to zero, and is covered by the ones it stands on.
            shapes.reverse();
        }
        let mut out: String = shapes.concat();
        let ink = hex(theme.colour(Role::Ink2));
        for step in self.marks {
            let x = number(f64::from(field.width) * f64::from(*step) / f64::from(self.until.max(1)));
            let (top, bottom) = (number(field.top), number(field.bottom));
            out.push_str(&format!(
                "<path stroke=\"{ink}\" stroke-dasharray=\"2\" d=\"M{x} {top}V{bottom}\"/>\n"
            ));
        }
        out
    }

    /// A layer whose upper edge is so high in each column.
    fn shape(&self, look: Look, heights: &[String], field: &Field, theme: Theme) -> String {
        let Some(first) = heights.first() else { return String::new() };
        let mut edge = String::new();
        let mut before = first;
        for (x, height) in heights.iter().enumerate() {
            if height != before {
                edge.push_str(&format!("H{x}V{height}"));
                before = height;
            }
        }
        edge.push_str(&format!("H{}", heights.len()));
        let colour = hex(look.rgb(theme, self.groups));
        let mut out = String::new();
        if look.is_area() {
            let fill = pattern(&mut out, look, &colour, theme).unwrap_or_else(|| colour.clone());
            let bottom = number(field.bottom);
            out.push_str(&format!("<path fill=\"{fill}\" d=\"M0 {bottom}V{first}{edge}V{bottom}z\"/>\n"));
        }
        if look.is_line() {
            let dashes = match look {
                Look::Dashes(_) => " stroke-dasharray=\"5 3\"",
                Look::Sparse(_) => " stroke-dasharray=\"2\"",
                _ => "",
            };
            out.push_str(&format!(
                "<path fill=\"none\" stroke=\"{colour}\"{dashes} d=\"M0 {first}{edge}\"/>\n"
            ));
        }
        out
    }
}

/// Pixels of a pattern's tile: a dot, and a line that rises.
const DOT: &str = "M0 0h1v1H0z";
const RISING: &str = "M0 0h1v1H0zM3 1h1v1H3zM2 2h1v1H2zM1 3h1v1H1z";

/// Defines the pattern of an area, and says how it is referred to. A plain area has none.
fn pattern(out: &mut String, look: Look, colour: &str, theme: Theme) -> Option<String> {
    let paper = hex(theme.colour(Role::Paper));
    let (name, ground, tile, ink, share) = match look {
        Look::Dots(_) => ("dots".to_owned(), ".125", DOT, colour, "1"),
        Look::Group(group) if group % 2 == 1 => (format!("group{group}"), "1", RISING, paper.as_str(), ".5"),
        _ => return None,
    };
    let theme = if theme == Theme::Dark { "dark" } else { "light" };
    out.push_str(&format!(
        "<pattern id=\"{theme}-{name}\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
         <path fill=\"{colour}\" fill-opacity=\"{ground}\" d=\"M0 0h4v4H0z\"/>\
         <path fill=\"{ink}\" fill-opacity=\"{share}\" d=\"{tile}\"/></pattern>\n"
    ));
    Some(format!("url(#{theme}-{name})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: Field = Field { width: 4, top: 0.0, bottom: 10.0 };

    fn chart(layers: &[(Look, Vec<f32>)], stacked: bool) -> OverTime<'_> {
        OverTime { steps: &[0, 2, 4], until: 4, layers, stacked, groups: 12, marks: &[2] }
    }

    #[test]
    fn a_line_turns_where_its_value_does() {
        let layers = [(Look::Dashes(Role::Tail), vec![0.0, 50.0, 100.0])];
        let text = chart(&layers, false).svg(&FIELD, Theme::Light);
        assert!(text.contains("stroke-dasharray=\"5 3\" d=\"M0 10H1V5H3V0H4\""), "{text}");
        assert!(text.contains("d=\"M2 0V10\""), "the mark: {text}");
    }

    #[test]
    fn of_stacked_areas_the_upper_one_lies_below() {
        let layers = [(Look::Group(1), vec![1.0; 3]), (Look::Group(2), vec![3.0; 3])];
        let text = chart(&layers, true).svg(&FIELD, Theme::Dark);
        let at = |what: &str| text.find(what).unwrap_or(usize::MAX);
        assert!(at("M0 10V0H4V10z") < at("M0 10V7.5H4V10z"), "{text}");
        assert!(at("fill=\"url(#dark-group1)\" d=\"M0 10V7.5") < text.len(), "{text}");
    }
}
