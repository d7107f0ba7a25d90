//! Where the memory of a table goes.

use slabscope_core::ranked::{largest_first, rank};
use slabscope_core::zsmalloc::Geometry;

use super::guess::{Guess, class_of};
use crate::reading::Table;

/// A class and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassUse {
    /// Class index.
    pub class: u64,
    /// Bytes of an object.
    pub size: u64,
    /// Objects live.
    pub used: u64,
    /// Objects that fit.
    pub allocated: u64,
    /// Pages held.
    pub pages: u64,
    /// Pages of a zspage and objects of one, if known.
    pub zspage: Option<(u64, u64)>,
    /// Pages that compaction would return.
    pub freeable: u64,
}

/// Bytes by where they go; they add up to the pages held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// All pages held, in bytes.
    pub total: u64,
    /// In live objects: data and rounding.
    pub objects: u64,
    /// In the handles of live objects.
    pub handles: u64,
    /// In places without an object.
    pub empty: u64,
    /// Behind the last object of zspages.
    pub tails: u64,
    /// Pages that compaction would return.
    pub freeable_pages: u64,
    /// Live objects.
    pub used: u64,
    /// Places.
    pub allocated: u64,
    /// Pages.
    pub pages: u64,
    /// Classes in use, those with the most pages first.
    pub classes: Vec<ClassUse>,
}

/// Computes it from the rows and what the table was taken for.
pub fn occupancy(table: &Table, guess: &Guess) -> Occupancy {
    let page = u64::from(guess.config.page_bytes());
    let handle = u64::from(guess.config.bits.handle_bytes());
    let geometry = Geometry::new(&guess.config).ok();
    let mut sums = Occupancy::default();
    for row in table.rows() {
        let get = |column| row.get(column).unwrap_or(0);
        let (class, size, used, pages) = (get("class"), get("size"), get("obj_used"), get("pages_used"));
        let allocated = get("obj_allocated");
        if pages == 0 && allocated == 0 {
            continue;
        }
        let known = geometry.as_ref().and_then(|geometry| class_of(geometry, Some(class), Some(size)));
        let per =
            row.get("pages_per_zspage").or(known.map(|known| known.pages.into())).filter(|per| *per > 0);
        let zspage = per.map(|per| (per, per.saturating_mul(page).checked_div(size).unwrap_or(0)));
        let freeable = row.get("freeable").or_else(|| row.get("compact")).unwrap_or_else(|| {
            zspage.map_or(0, |(pages, objects)| {
                allocated.saturating_sub(used).checked_div(objects).unwrap_or(0).saturating_mul(pages)
            })
        });
        let bytes = pages.saturating_mul(page);
        let in_objects = used.saturating_mul(size).min(bytes);
        let is_huge = zspage.is_some_and(|(pages, objects)| pages == 1 && objects == 1);
        let in_handles = if is_huge { 0 } else { used.saturating_mul(handle).min(in_objects) };
        let empty = allocated.saturating_sub(used).saturating_mul(size).min(bytes - in_objects);
        sums.total = sums.total.saturating_add(bytes);
        sums.objects = sums.objects.saturating_add(in_objects - in_handles);
        sums.handles = sums.handles.saturating_add(in_handles);
        sums.empty = sums.empty.saturating_add(empty);
        sums.tails = sums.tails.saturating_add(bytes - in_objects - empty);
        sums.freeable_pages = sums.freeable_pages.saturating_add(freeable);
        sums.used = sums.used.saturating_add(used);
        sums.allocated = sums.allocated.saturating_add(allocated);
        sums.pages = sums.pages.saturating_add(pages);
        sums.classes.push(ClassUse { class, size, used, allocated, pages, zspage, freeable });
    }
    rank(&mut sums.classes, |class| largest_first(class.pages));
    sums
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::classes::guess;
    use crate::{Format, read};

    #[test]
    fn the_parts_add_up_to_the_pages() {
        let text = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n 100 1632 0 3 15 8 6 2 2\n 254 4096 0 0 7 7 7 1 0\n";
        let paste = read(text);
        let table = paste.first(Format::ZsmallocClasses).unwrap();
        let sums = occupancy(table, &guess(table).unwrap());
        assert_eq!(sums.total, 13 * 4096);
        assert_eq!(sums.objects + sums.handles + sums.empty + sums.tails, sums.total);
        assert_eq!((sums.handles, sums.tails, sums.freeable_pages), (64, 96, 2));
        assert_eq!(sums.classes[0].class, 254);
    }

    #[test]
    fn absurd_numbers_are_survived() {
        let max = u64::MAX;
        let text = format!(
            "class size obj_allocated obj_used pages_used\n0 32 {max} {max} {max}\n0 0 {max} 1 1\n1 48 1 1 0\n"
        );
        let paste = read(&text);
        let table = paste.first(Format::ZsmallocClasses).unwrap();
        let sums = occupancy(table, &guess(table).unwrap());
        assert!(sums.total >= sums.tails);
        assert_eq!(table.len(), 3);
    }
}
