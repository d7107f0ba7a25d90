//! The tree against a linear search and a larger table: comparisons per look-up.

use slabscope_core::zblock::{Config, Geometry, Version};

use crate::figure::say;
use crate::{Histogram, Row, Step, Unit};

use super::Set;

/// Mean comparisons: as the version does it, and one type after the other.
fn comparisons(geometry: &Geometry, sizes: &Histogram) -> (f64, f64) {
    let (mut own, mut linear, mut objects) = (0u64, 0u64, 0u64);
    for (size, count) in sizes.counts() {
        let lookup = geometry.lookup(size);
        let Ok(kind) = lookup.result else { continue };
        own += lookup.count() as u64 * count;
        linear += (u64::from(kind) + 1) * count;
        objects += count;
    }
    let each = |sum: u64| sum as f64 / objects.max(1) as f64;
    (each(own), each(linear))
}

pub(super) fn step(sets: &[Set]) -> Step {
    let mut rows = Vec::new();
    let mut told = Vec::new();
    for set in sets.iter().filter(|set| set.name.starts_with("procmem") && set.name.ends_with("lzo")) {
        for version in Version::ALL {
            let Ok(geometry) = Geometry::new(&Config { version, page_shift: set.page_shift }) else {
                continue;
            };
            let (own, linear) = comparisons(&geometry, &set.common);
            let row =
                |metric, unit| Row::new(format!("{}, zblock {}", set.name, version.name()), metric, unit);
            rows.push(row("types", Unit::Count).predicted(geometry.types().len() as f64));
            rows.push(
                row("comparisons_per_lookup", Unit::Ratio)
                    .predicted(own)
                    .digits(2)
                    .note("as this version looks up"),
            );
            rows.push(
                row("comparisons_linear", Unit::Ratio)
                    .predicted(linear)
                    .digits(2)
                    .note("the same table, one type after the other"),
            );
            if matches!(version, Version::V1 | Version::V2 | Version::Mm0508 | Version::Rust) {
                told.push(format!(
                    "{} with {} types {} (linear {})",
                    version.name(),
                    geometry.types().len(),
                    say(own, 1),
                    say(linear, 1)
                ));
            }
        }
    }
    let text = format!(
        "Comparisons per look-up of process memory, LZO, first 4K and then 16K pages: {}. Nodes of the tree are inserted in \
         ascending order, which makes it deep on the right, and each node costs two comparisons where it covers an interval. \
         zsmalloc needs none: the size is an index into its table.",
        told.join("; ")
    );
    Step { title: "The tree against a linear search", text, rows, plots: Vec::new() }
}
