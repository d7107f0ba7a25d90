//! A table of lines over a common axis, drawn: what the page shows as a plot and as a table.

use slabscope_charts::lines::{Line, plot};
use slabscope_charts::plot::Style;
use slabscope_charts::svg::svg;
use slabscope_lab::document::Sheet;

use crate::origin::Origin;

/// CSS pixels.
const SIZE: (f64, f64) = (720.0, 320.0);

/// The first column lies along, each of the others is a line.
///
/// # Errors
/// There is nothing to draw, or the backend fails.
pub(crate) fn drawn(sheet: &Sheet, origin: &Origin) -> Result<String, String> {
    let cell = |row: &Vec<String>, column: usize| row.get(column).and_then(|cell| number(cell));
    let line = |column: usize| Line {
        name: sheet.columns[column].clone(),
        points: sheet.rows.iter().filter_map(|row| Some((cell(row, 0)?, cell(row, column)?))).collect(),
    };
    let lines: Vec<Line> = (1..sheet.columns.len()).map(line).filter(|line| line.points.len() > 1).collect();
    if lines.is_empty() {
        return Err(format!("{} has no lines to draw", sheet.caption));
    }
    let along = sheet.columns.first().map_or("", String::as_str);
    let title = format!("{}, along: {along}. {}", sheet.caption, origin.line());
    let style = Style { width: SIZE.0, height: SIZE.1, scale: 1.0, theme: origin.theme };
    svg(&plot(&lines, &sheet.caption), &style, &title).map_err(|error| error.to_string())
}

/// A number with separators and at most hundredths. Integers do, and keep a routine for any number out.
fn number(cell: &str) -> Option<f64> {
    let (sign, digits) = match cell.strip_prefix(['\u{2212}', '-']) {
        Some(digits) => (-1.0, digits),
        None => (1.0, cell),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let whole: u32 = whole.replace(',', "").parse().ok()?;
    let places = [1.0, 10.0, 100.0].get(part.len())?;
    let part: u32 = part.parse().ok()?;
    Some(sign * (f64::from(whole) + f64::from(part) / places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_as_they_are_shown() {
        assert_eq!(
            (number("1,234.5"), number("\u{2212}0.25"), number("7")),
            (Some(1234.5), Some(-0.25), Some(7.0))
        );
        assert_eq!((number(""), number("a"), number("1.")), (None, None, None));
    }

    #[test]
    fn a_table_of_lines_is_drawn_and_another_is_refused() {
        let sheet = crate::table::read("Pages over time\nstep\ta\tb\n1\t2\t\n2\t3.5\t1,000\n3\t4\t2,000\n");
        let origin = Origin::new("https://h/#v=1", "1.0");
        let drawing = drawn(&sheet, &origin).unwrap_or_default();
        assert!(
            drawing.contains("<polyline")
                && drawing.contains(">B b</text>")
                && drawing.contains("https://h/"),
            "{drawing}"
        );
        let words = crate::table::read("Names\nname\twhat\nx\ty\nz\tw\n");
        assert!(drawn(&words, &origin).is_err());
    }
}
