//! Lines over a common axis: metrics over time, settings against memory, threads against throughput.

use crate::plot::{Curve, Mark, Plot, Point, nice_top};
use crate::theme::Role;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name, which is written at its end.
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

/// Where the axis ends: it is divided into eight parts, which should be whole numbers where there are few of them.
fn end_of(largest: f64) -> f64 {
    if (4.0..=256.0).contains(&largest) { (largest / 8.0).ceil() * 8.0 } else { largest.max(1.0) }
}

/// A plot of them from 0 to the largest value.
pub fn plot(lines: &[Line], up: &str) -> Plot {
    let largest = |of: fn(&Point) -> f64| {
        lines
            .iter()
            .flat_map(|line| &line.points)
            .map(of)
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max)
    };
    let curves = lines.iter().enumerate().map(|(index, line)| Curve {
        points: line.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect(),
        role: role(index),
        width: 2.0,
    });
    let ends = lines.iter().filter_map(|line| Some((line.points.last().copied()?, line)));
    let named = lines.len() > 1;
    Plot {
        y_title: up.to_owned(),
        x_max: end_of(largest(|point| point.0)),
        y_max: nice_top(largest(|point| point.1)),
        curves: curves.filter(|curve| curve.points.len() > 1).collect(),
        marks: ends
            .filter(|_| named)
            .map(|(at, line)| Mark { at, text: line.name.clone(), current: false })
            .collect(),
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_hold_every_point() {
        let line = |name: &str, points: &[Point]| Line { name: name.to_owned(), points: points.to_vec() };
        let lines = [line("a", &[(0.0, 0.0), (16.0, 90.0)]), line("b", &[(0.0, 5.0), (8.0, f64::NAN)])];
        let plot = plot(&lines, "pages");
        assert!(plot.x_max >= 16.0 && plot.y_max >= 90.0);
        assert_eq!((plot.curves.len(), plot.marks.len()), (1, 2));
        assert_eq!([0.0, 6.0, 30.0, 9000.5].map(end_of), [1.0, 8.0, 32.0, 9000.5]);
    }
}
