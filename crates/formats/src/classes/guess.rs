//! Which kernel printed a table: by its columns, and by which class table its rows equal.

use slabscope_core::zsmalloc::{Bits, Config, Era, Geometry};

use super::read::{Columns, Table};

/// What a table was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The settings that explain most rows.
    pub config: Config,
    /// Rows that equal a class of those settings in index, size and pages.
    pub matching: usize,
    /// Rows in all.
    pub rows: usize,
    /// True if other max pages explain as many rows.
    pub ambiguous: bool,
}

impl Guess {
    /// The evidence in a sentence without its full stop.
    pub fn evidence(&self) -> String {
        let page = u32::from(self.config.page_shift);
        let also = if self.ambiguous { "; other max pages explain them as well" } else { "" };
        format!(
            "{} of {} rows are classes of era {} with {} KiB pages and at most {} pages per zspage{also}",
            self.matching,
            self.rows,
            self.config.era.name(),
            1u32 << (page - 10),
            self.config.max_pages
        )
    }
}

/// The settings that explain most rows; of equals the era's default max pages, then the fewest.
pub fn guess(table: &Table) -> Option<Guess> {
    let era = match table.set {
        Columns::Tenths => Era::V6_12,
        Columns::QuartersFreeable => Era::V6_1,
        Columns::Quarters | Columns::Bare => Era::V4_5,
    };
    let default = Config::default_for(era);
    let mut best: Option<Guess> = None;
    for (page_shift, bits) in
        [(12, Bits::B64), (14, Bits::B64), (16, Bits::B64), (13, Bits::B64), (12, Bits::B32)]
    {
        let usual = std::iter::once(default.max_pages);
        let others = Config::MAX_PAGES.filter(|pages| *pages != default.max_pages);
        for max_pages in usual.chain(others) {
            let phys_bits = if bits == Bits::B32 { 32 } else { default.phys_bits };
            let config = Config { page_shift, bits, max_pages, phys_bits, ..default };
            let Ok(geometry) = Geometry::new(&config) else { continue };
            let matching = table.rows.iter().filter(|row| is_class(table, row, &geometry)).count();
            match &mut best {
                Some(best) if matching < best.matching => {}
                Some(best) if matching == best.matching => {
                    best.ambiguous |= max_pages != best.config.max_pages
                }
                _ => best = Some(Guess { config, matching, rows: table.rows.len(), ambiguous: false }),
            }
        }
    }
    best.filter(|best| best.matching > 0)
}

fn is_class(table: &Table, row: &super::Row, geometry: &Geometry) -> bool {
    let (Some(index), Some(size)) = (row.get(table, "class"), row.get(table, "size")) else { return false };
    let Ok(index) = u16::try_from(index) else { return false };
    let pages = row.get(table, "pages_per_zspage");
    let class = geometry.position_of_index(index).and_then(|position| geometry.classes().get(position));
    class.is_some_and(|class| {
        class.index == index
            && u64::from(class.size) == size
            && pages.is_none_or(|pages| pages == u64::from(class.pages))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zsmalloc::Pool;

    use super::*;
    use crate::classes::read_classes;
    use crate::zsmalloc_text::write_classes;

    #[test]
    fn a_written_file_is_taken_for_what_it_is() {
        for (era, page_shift, max_pages) in
            [(Era::V6_12, 12, 8), (Era::V6_12, 14, 5), (Era::V6_1, 12, 4), (Era::V4_5, 16, 3)]
        {
            let config = Config { page_shift, max_pages, ..Config::default_for(era) };
            let mut text = Vec::new();
            write_classes(&Pool::new(Geometry::new(&config).unwrap()), &mut text).unwrap();
            let table = read_classes(&String::from_utf8(text).unwrap()).unwrap();
            let guess = guess(&table).unwrap();
            assert_eq!((guess.config, guess.ambiguous), (config, false));
            assert_eq!(guess.matching, table.rows.len());
            assert!(table.warnings.is_empty() && table.skipped().next().is_none());
        }
    }
}
