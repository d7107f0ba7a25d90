//! Lines over a common axis: metrics over time, settings against memory, threads against throughput.

use crate::plot::{Curve, Mark, Plot, Point};
use crate::theme::Role;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Ascending along.
    pub points: Vec<Point>,
}

/// Colours of lines, in their order; names tell them apart where colours do not.
const ROLES: [Role; 6] = [Role::Accent, Role::Tail, Role::Empty, Role::Header, Role::Rounding, Role::Ink3];

/// The colour of a line.
pub fn role(index: usize) -> Role {
    ROLES.get(index % ROLES.len()).copied().unwrap_or(Role::Ink)
}

/// A plot of them from 0, or the smallest value below it, to the largest. Each has a letter, at its end and in the key.
pub fn plot(lines: &[Line], up: &str) -> Plot {
    let mut most = (0.0, 0.0, 0.0);
    for &(x, y) in lines.iter().flat_map(|line| &line.points).filter(|(x, y)| x.is_finite() && y.is_finite())
    {
        most = (f64::max(most.0, x), f64::max(most.1, y), f64::min(most.2, y));
    }
    let curves = lines.iter().enumerate().map(|(index, line)| Curve {
        points: line.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect(),
        role: role(index),
        width: 2.0,
    });
    let mut plot = Plot {
        y_title: up.to_owned(),
        x_max: f64::max(most.0, 1.0),
        y_max: most.1,
        y_min: most.2,
        curves: curves.filter(|curve| curve.points.len() > 1).collect(),
        ..Plot::default()
    };
    for (index, line) in lines.iter().enumerate().filter(|_| lines.len() > 1) {
        let letter = char::from(b'A' + (index % 26) as u8).to_string();
        // Scenarios have a letter of their own.
        let lead = letter.clone() + " ";
        let name = if line.name.starts_with(&lead) { line.name.clone() } else { lead + &line.name };
        plot.names.push((name, role(index)));
        plot.marks.extend(line.points.last().map(|&at| Mark { at, text: letter, current: false }));
    }
    plot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_hold_every_point() {
        let line = |name: &str, points: &[Point]| Line { name: name.to_owned(), points: points.to_vec() };
        let lines = [line("a", &[(0.0, 0.0), (16.0, 90.0)]), line("B 2", &[(0.0, 5.0), (8.0, f64::NAN)])];
        let plot = plot(&lines, "pages");
        assert!(plot.x_max >= 16.0 && plot.y_max >= 90.0);
        assert_eq!((plot.curves.len(), plot.marks.len()), (1, 2));
        assert_eq!((plot.names[0].0.as_str(), plot.names[1].0.as_str()), ("A a", "B 2"));
    }
}
