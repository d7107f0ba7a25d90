//! Plots of a zsmalloc geometry.

use slabscope_core::zsmalloc::{Config, Cost, Geometry};

use crate::hatch::Hatch;
use crate::plot::{Band, Curve, Mark, Plot, Point, Stretch};
use crate::theme::Role;

/// Bytes lost per object against its size: handle, rounding, tail; the sum for `others` too. `marked`
/// are further settings of which only the size is shown from which an object takes a whole page.
pub fn loss(current: &Geometry, others: &[Geometry], marked: &[Geometry]) -> Plot {
    let handle = corners(current, |cost| f64::from(cost.handle));
    let rounding = corners(current, |cost| f64::from(cost.handle + cost.rounding));
    let lost = corners(current, Cost::lost);
    let ground = corners(current, |_| 0.0);
    let mut plot = base(current, "bytes lost per object");
    plot.bands = vec![
        Band { lower: ground, upper: handle.clone(), role: Role::Handle, hatch: Hatch::Upright },
        Band { lower: handle, upper: rounding.clone(), role: Role::Rounding, hatch: Hatch::Rising },
        Band { lower: rounding, upper: lost.clone(), role: Role::Tail, hatch: Hatch::Falling },
    ];
    plot.y_max = highest(&lost);
    for other in others {
        let points = corners(other, Cost::lost);
        plot.y_max = plot.y_max.max(highest(&points));
        plot.curves.push(Curve { points, role: Role::Ink, width: 1.25 });
    }
    plot.curves.insert(0, Curve { points: lost, role: Role::Rounding, width: 1.0 });
    for other in others.iter().chain(marked) {
        plot.marks.extend(huge_mark(other, false, Cost::lost));
    }
    plot.marks.extend(huge_mark(current, true, Cost::lost));
    plot
}

/// Max pages that are offered for comparison.
pub const ALSO: [u8; 6] = [4, 5, 6, 8, 12, 16];

/// [`loss`] with a mark for each other number of pages in [`ALSO`].
pub fn loss_marked(current: &Geometry, others: &[Geometry]) -> Plot {
    let pages = |geometry: &Geometry| geometry.config().max_pages;
    let rest = ALSO
        .iter()
        .filter(|&&also| also != pages(current) && others.iter().all(|other| pages(other) != also));
    let geometry = |&max_pages: &u8| Geometry::new(&Config { max_pages, ..*current.config() }).ok();
    loss(current, others, &rest.filter_map(geometry).collect::<Vec<_>>())
}

/// Bytes paid per object against its size, over the line of those who lose nothing.
pub fn cost(current: &Geometry, others: &[Geometry]) -> Plot {
    let mut plot = base(current, "bytes paid per object");
    let page = f64::from(current.config().page_bytes());
    plot.y_max = page;
    plot.curves.push(Curve { points: vec![(0.0, 0.0), (page, page)], role: Role::Edge, width: 1.0 });
    for other in others {
        plot.curves.push(Curve { points: corners(other, Cost::paid), role: Role::Ink3, width: 1.0 });
    }
    plot.curves.push(Curve { points: corners(current, Cost::paid), role: Role::Accent, width: 2.0 });
    plot.marks.extend(huge_mark(current, true, Cost::paid));
    plot
}

/// Of the objects of each size, how many percent lie in two pages.
pub fn crossing(current: &Geometry, others: &[Geometry]) -> Plot {
    let mut plot = base(current, "percent of objects that cross a page border");
    plot.y_max = 100.0;
    let percent = |geometry: &Geometry| {
        let page = geometry.config().page_bytes();
        corners(geometry, |cost| {
            let class = &geometry.classes()[cost.class];
            100.0 * f64::from(class.crossing(page)) / f64::from(class.objects)
        })
    };
    let upper = percent(current);
    let lower = upper.iter().map(|&(size, _)| (size, 0.0)).collect();
    plot.bands = vec![Band { lower, upper, role: Role::Header, hatch: Hatch::Rising }];
    for other in others {
        plot.curves.push(Curve { points: percent(other), role: Role::Ink, width: 1.25 });
    }
    plot
}

fn base(geometry: &Geometry, y_title: &str) -> Plot {
    let ribbon = geometry.classes().iter().enumerate().filter_map(|(position, class)| {
        let (from, to) = geometry.requests(position)?;
        Some(Stretch { from, to, pages: class.pages })
    });
    Plot {
        y_title: y_title.to_owned(),
        x_max: f64::from(geometry.config().page_bytes()),
        ribbon: ribbon.collect(),
        ..Plot::default()
    }
}

/// The exact corners of a curve: within a class it is straight.
fn corners(geometry: &Geometry, value: impl Fn(&Cost) -> f64) -> Vec<Point> {
    let ends = (0..geometry.classes().len()).filter_map(|position| geometry.requests(position));
    ends.flat_map(|(from, to)| [from, to])
        .filter_map(|request| {
            let cost = geometry.cost(request).ok()?;
            Some((f64::from(request), value(&cost)))
        })
        .collect()
}

fn highest(points: &[Point]) -> f64 {
    points.iter().map(|point| point.1).fold(0.0, f64::max)
}

fn huge_mark(geometry: &Geometry, current: bool, value: impl Fn(&Cost) -> f64) -> Option<Mark> {
    let from = geometry.huge_class_size();
    let at = geometry.cost(from).ok().map(|cost| (f64::from(from), value(&cost)))?;
    let pages = geometry.config().max_pages;
    let size = slabscope_core::tell::grouped(from.into());
    let text =
        if current { format!("huge from {size} bytes at {pages} pages") } else { format!("{pages}: {size}") };
    Some(Mark { at, text, current })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zsmalloc::Era;

    use super::*;

    fn geometry(max_pages: u8) -> Geometry {
        Geometry::new(&Config { max_pages, ..Config::default_for(Era::V6_12) }).unwrap()
    }

    #[test]
    fn the_huge_border_is_marked_for_every_setting() {
        let plot = loss(&geometry(4), &[geometry(8)], &[geometry(16)]);
        let said: Vec<&str> = plot.marks.iter().map(|mark| mark.text.as_str()).collect();
        assert_eq!(said, ["8: 3,625", "16: 3,833", "huge from 3,257 bytes at 4 pages"]);
        assert_eq!(plot.marks[2].at, (3257.0, 839.0));
        assert!(loss(&geometry(1), &[], &[]).marks.is_empty(), "one page: the kernel finds no border");
    }

    #[test]
    fn the_ribbon_covers_every_request_once() {
        let plot = cost(&geometry(8), &[]);
        assert_eq!(plot.ribbon.first().unwrap().from, 1);
        assert_eq!(plot.ribbon.last().unwrap().to, 4096);
        assert!(plot.ribbon.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
    }
}
