//! Plots of zblock's block types.

use slabscope_core::zblock::{BlockType, Geometry};

use crate::hatch::Hatch;
use crate::plot::{Band, Curve, Plot, Point, Stretch};
use crate::theme::Role;

/// Bytes lost by an object of `size` bytes: the rest of its slot, and its part of the header and of what is left at
/// the end of the block.
pub fn lost(geometry: &Geometry, kind: &BlockType, size: u32) -> f64 {
    let around = f64::from(geometry.header_bytes() + kind.waste);
    f64::from(kind.slot_size.saturating_sub(size)) + around / f64::from(kind.slots)
}

/// Bytes lost per object against its size: rounding to the slot, header and tail.
pub fn loss(geometry: &Geometry) -> Plot {
    let corners = |value: &dyn Fn(&BlockType, u32) -> f64| -> Vec<Point> {
        let ends = geometry.types().iter().flat_map(|kind| [(kind, kind.min_size), (kind, kind.max_size)]);
        ends.map(|(kind, size)| (f64::from(size), value(kind, size))).collect()
    };
    let rounding = corners(&|kind, size| f64::from(kind.slot_size.saturating_sub(size)));
    let all = corners(&|kind, size| lost(geometry, kind, size));
    let ground = corners(&|_, _| 0.0);
    Plot {
        y_title: "bytes lost per object".to_owned(),
        x_max: f64::from(geometry.config().page_bytes()),
        y_max: all.iter().map(|point| point.1).fold(1.0, f64::max),
        ribbon: geometry
            .types()
            .iter()
            .map(|kind| Stretch { from: kind.min_size, to: kind.max_size, pages: kind.pages })
            .collect(),
        curves: vec![Curve { points: all.clone(), role: Role::Rounding, width: 1.0 }],
        bands: vec![
            Band { lower: ground, upper: rounding.clone(), role: Role::Rounding, hatch: Hatch::Rising },
            Band { lower: rounding, upper: all, role: Role::Header, hatch: Hatch::Falling },
        ],
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zblock::{Config, Version};

    use super::*;

    #[test]
    fn what_is_lost_and_what_is_asked_for_make_the_block() {
        for version in Version::ALL {
            let geometry = Geometry::new(&Config::default_for(version)).unwrap();
            for kind in geometry.types() {
                let whole =
                    f64::from(kind.slots) * (f64::from(kind.max_size) + lost(&geometry, kind, kind.max_size));
                let block = f64::from(u32::from(kind.pages) * geometry.config().page_bytes());
                assert!((whole - block).abs() < 1e-6, "{version:?} {kind:?}: {whole}");
            }
        }
    }

    #[test]
    fn the_plot_reaches_from_the_first_size_to_the_last() {
        let geometry = Geometry::new(&Config::default_for(Version::Mm0508)).unwrap();
        let plot = loss(&geometry);
        let points = &plot.curves[0].points;
        assert_eq!((points[0].0, points.last().unwrap().0), (1.0, f64::from(geometry.max_size())));
        assert_eq!(plot.ribbon.len(), geometry.types().len());
    }
}
