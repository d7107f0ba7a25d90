//! One sentence above the plot, and one consequence.

use slabscope_core::tell::{bytes, counted, grouped, tenths};
use slabscope_core::zsmalloc::{Config, Geometry};
use yew::prelude::*;

use crate::views::plain::say;

/// What the class of the inspected size is, and where a whole page begins.
pub(super) fn sentence(geometry: &Geometry, size: u32) -> Html {
    let Ok(cost) = geometry.cost(size) else { return Html::default() };
    let class = &geometry.classes()[cost.class];
    let zspage = f64::from(u32::from(class.pages)) * f64::from(geometry.config().page_bytes());
    let objects = counted(class.objects.into(), "object", "objects");
    let pages = counted(class.pages.into(), "page", "pages");
    let percent = tenths(100.0 * f64::from(class.waste) / zspage);
    say(
        &format!("Class {} stores ", class.size),
        &format!("{objects} in {pages}"),
        &format!(": {} lost per zspage, {percent}\u{a0}%.", bytes(class.waste.into())),
        &border(geometry),
    )
}

/// Where the huge class begins, and where it would with the era's own setting.
fn border(geometry: &Geometry) -> String {
    let from = geometry.huge_class_size();
    let config = geometry.config();
    if from == 0 {
        return "With one page per zspage the kernel finds no border of the huge class.".to_owned();
    }
    let here = format!("From {} bytes on, an object takes a whole page.", grouped(from.into()));
    let usual = config.era.rules().default_max_pages;
    let other = Geometry::new(&Config { max_pages: usual, ..*config });
    match other {
        Ok(other) if usual != config.max_pages && other.huge_class_size() > 0 => {
            let border = grouped(other.huge_class_size().into());
            format!("{here} With the default of {usual} pages that border is at {border}.")
        }
        _ => here,
    }
}
