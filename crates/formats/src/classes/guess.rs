//! Which kernel printed a table: by its columns, and by which class table its rows equal.

use slabscope_core::tell::grouped;
use slabscope_core::zsmalloc::{Bits, Config, Constants, Era, Geometry, SizeClass};

use crate::reading::{Row, Table};

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// No groups (3.18 to 4.1).
    Bare,
    /// `almost_full` and `almost_empty` (4.2 to 4.5).
    Quarters,
    /// The same with `freeable` (4.6 to 6.3).
    QuartersFreeable,
    /// `10%` to `100%` (from 6.4).
    Tenths,
}

impl Columns {
    /// Those of a table.
    pub fn of(table: &Table) -> Self {
        let has = |name: &str| table.column(name).is_some();
        if has("99%") || has("10%") {
            Self::Tenths
        } else if !has("almost_full") {
            Self::Bare
        } else if has("freeable") || has("compact") {
            Self::QuartersFreeable
        } else {
            Self::Quarters
        }
    }

    /// The kernels that print them.
    pub const fn kernels(self) -> &'static str {
        match self {
            Self::Bare => "3.18 to 4.1",
            Self::Quarters => "4.2 to 4.5",
            Self::QuartersFreeable => "4.6 to 6.3",
            Self::Tenths => "6.4 and later",
        }
    }

    /// Eras whose class tables are tried, the likeliest first; the others differ in the lists, which a
    /// classes file does not show. The second has the other rule of chains: 6.3, or a vendor's backport.
    const fn eras(self) -> [Era; 2] {
        match self {
            Self::Bare | Self::Quarters => [Era::V4_5, Era::V6_6],
            Self::QuartersFreeable => [Era::V6_1, Era::V6_6],
            Self::Tenths => [Era::V6_12, Era::V6_1],
        }
    }
}

/// What is known of the kernel that printed a table; the rest is inferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Generation.
    pub era: Option<Era>,
    /// Word size.
    pub bits: Option<Bits>,
    /// `PAGE_SHIFT`.
    pub page_shift: Option<u8>,
    /// Most pages of a zspage.
    pub max_pages: Option<u8>,
}

/// How well a setting explains a table: more rows are better, then no gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Rows that equal a class.
    pub matching: usize,
    /// True if no class of the setting is missing between two rows that follow each other in the text.
    pub gapless: bool,
}

/// What a table was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The settings that explain most rows.
    pub config: Config,
    /// Columns of the table.
    pub columns: Columns,
    /// Rows that equal a class of those settings in index, size and pages.
    pub matching: usize,
    /// Rows in all.
    pub rows: usize,
    /// True if other max pages explain as many rows.
    pub ambiguous: bool,
    /// The next best max pages under the same other settings, and how well they do.
    pub runner_up: Option<(u8, Fit)>,
    /// Index and size of the largest class of the table.
    pub largest: (u64, u64),
    /// The most pages per zspage of a row.
    pub most_pages: Option<u64>,
}

impl Guess {
    /// The evidence, in sentences without their full stop.
    pub fn evidence(&self) -> Vec<String> {
        let Config { era, page_shift, max_pages, .. } = self.config;
        let page = self.config.page_bytes();
        let mut told = vec![format!(
            "{} of {} rows are classes of era {} with {} KiB pages and at most {} pages per zspage",
            self.matching,
            self.rows,
            era.name(),
            page >> 10,
            max_pages
        )];
        told.push(format!("the columns are those of Linux {}", self.columns.kernels()));
        let (class, size) = self.largest;
        if size == u64::from(page) {
            told.push(format!("its largest class has {} bytes, which is a page", grouped(size)));
        } else if class > 0 && size > 32 {
            let step = (size - 32) / class;
            told.push(format!(
                "class {class} of {size} bytes makes steps of {step} bytes: a 256th of a page of {} KiB",
                page >> 10
            ));
        }
        if self.config.bits == Bits::B32 || page_shift != 12 {
            told.push(format!("{} bit words are assumed", self.config.bits.count()));
        }
        match (self.ambiguous, self.runner_up, self.most_pages) {
            (true, _, Some(pages)) => told.push(format!(
                "other max pages explain the rows as well; the longest zspage has {pages} pages"
            )),
            (true, _, None) => told.push("other max pages explain the rows as well".to_owned()),
            (false, Some((pages, fit)), _) if fit.matching < self.matching => {
                told.push(format!("with at most {pages} pages only {} of them would be", fit.matching));
            }
            (false, Some((pages, _)), _) => {
                told.push(format!(
                    "with at most {pages} pages there would be classes between those that follow each other"
                ));
            }
            (false, None, _) => {}
        }
        told
    }
}

/// Page shift and word size, the likeliest first.
const WORDS: [(u8, Bits); 6] =
    [(12, Bits::B64), (14, Bits::B64), (16, Bits::B64), (13, Bits::B64), (15, Bits::B64), (12, Bits::B32)];

/// The settings that explain most rows; of equals the usual max pages of the era, then the fewest.
pub fn guess(table: &Table) -> Option<Guess> {
    guess_with(table, &Known::default())
}

/// The same under what is known. A known value is kept even if nothing fits it.
pub fn guess_with(table: &Table, known: &Known) -> Option<Guess> {
    let columns = Columns::of(table);
    let places = Places::of(table)?;
    let last = table
        .rows()
        .filter_map(|row| Some((places.get(&row, places.class)?, places.get(&row, places.size)?)))
        .max()?;
    let most_pages = table.rows().filter_map(|row| places.get(&row, places.pages_per_zspage)).max();
    let is_open = known.era.is_none() && known.page_shift.is_none() && known.max_pages.is_none();
    let mut best: Option<Guess> = None;
    let [first_era, second_era] = columns.eras();
    let eras = [known.era.unwrap_or(first_era), known.era.unwrap_or(second_era)];
    for era in &eras[..if known.era.is_some() { 1 } else { 2 }] {
        let default = Config::default_for(*era);
        for (page_shift, bits) in words(known) {
            let base = Config {
                page_shift,
                bits,
                phys_bits: if bits == Bits::B32 { 32 } else { default.phys_bits },
                ..default
            };
            let usual = std::iter::once(default.max_pages);
            let others = Config::MAX_PAGES.filter(|pages| *pages != default.max_pages);
            let mut of_word: Vec<(u8, Fit)> = Vec::new();
            for max_pages in
                usual.chain(others).filter(|pages| known.max_pages.is_none_or(|known| known == *pages))
            {
                let config = Config { max_pages, ..base };
                if is_open && !is_near(&config, &places, table) {
                    continue;
                }
                let Ok(geometry) = Geometry::new(&config) else { continue };
                of_word.push((max_pages, places.fit(table, &geometry)));
            }
            let Some(&(max_pages, fit)) = of_word.iter().reduce(|a, b| if b.1 > a.1 { b } else { a }) else {
                continue;
            };
            if best.as_ref().is_some_and(|best| best.matching >= fit.matching) {
                continue;
            }
            let rest = of_word.iter().filter(|one| one.0 != max_pages);
            best = Some(Guess {
                config: Config { max_pages, ..base },
                columns,
                matching: fit.matching,
                rows: table.len(),
                ambiguous: rest.clone().any(|one| one.1 == fit),
                runner_up: rest.reduce(|a, b| if b.1 > a.1 { b } else { a }).copied(),
                largest: last,
                most_pages,
            });
        }
    }
    best.filter(|best| best.matching > 0 || !is_open)
}

fn words(known: &Known) -> impl Iterator<Item = (u8, Bits)> + use<> {
    let known = *known;
    let fits = move |word: &(u8, Bits)| {
        known.page_shift.is_none_or(|shift| shift == word.0) && known.bits.is_none_or(|bits| bits == word.1)
    };
    let listed = WORDS.into_iter().filter(fits);
    let any = WORDS.iter().any(fits);
    let other = (!any).then(|| (known.page_shift.unwrap_or(12), known.bits.unwrap_or_default()));
    listed.chain(other)
}

/// True if some row has the size that its index stands for, and none has more pages than are allowed:
/// otherwise the class table need not be made.
fn is_near(config: &Config, places: &Places, table: &Table) -> bool {
    let Ok(constants) = Constants::new(config) else { return false };
    let is_size = |row: &Row<'_>| {
        let class = places.get(row, places.class).and_then(|class| u16::try_from(class).ok());
        class.is_some_and(|class| {
            class < constants.size_classes
                && Some(u64::from(constants.nominal(class))) == places.get(row, places.size)
        })
    };
    table.rows().any(|row| is_size(&row))
}

/// Where the columns are that a class is known by.
struct Places {
    class: Option<usize>,
    size: Option<usize>,
    pages_per_zspage: Option<usize>,
    allocated: Option<usize>,
    pages: Option<usize>,
}

impl Places {
    fn of(table: &Table) -> Option<Self> {
        let (class, size) = (table.column("class"), table.column("size"));
        (class.is_some() && size.is_some()).then(|| Self {
            class,
            size,
            pages_per_zspage: table.column("pages_per_zspage"),
            allocated: table.column("obj_allocated"),
            pages: table.column("pages_used"),
        })
    }

    fn get(&self, row: &Row<'_>, place: Option<usize>) -> Option<u64> {
        row.int(place?)
    }

    fn fit(&self, table: &Table, geometry: &Geometry) -> Fit {
        let place = |row: &Row<'_>| {
            let class = class_of(geometry, self.get(row, self.class), self.get(row, self.size))?;
            geometry.position_of_index(class.index)
        };
        let (mut fit, mut last) = (Fit { matching: 0, gapless: true }, None);
        for row in table.rows() {
            if !self.is_class(&row, geometry) {
                last = None;
                continue;
            }
            fit.matching += 1;
            let own = (row.line(), place(&row));
            if let (Some((line, Some(before))), Some(place)) = (last, own.1)
                && line + 1 == own.0
                && before + 1 != place
            {
                fit.gapless = false;
            }
            last = Some(own);
        }
        fit
    }

    /// The class that a row is of, if it has the index, the size and the pages.
    fn is_class(&self, row: &Row<'_>, geometry: &Geometry) -> bool {
        let Some(class) = class_of(geometry, self.get(row, self.class), self.get(row, self.size)) else {
            return false;
        };
        match self.get(row, self.pages_per_zspage) {
            Some(pages) => pages == u64::from(class.pages),
            // The ratio of places to pages stands in for it.
            None => match (self.get(row, self.allocated), self.get(row, self.pages)) {
                (Some(allocated), Some(pages)) => {
                    allocated.saturating_mul(class.pages.into()) == pages.saturating_mul(class.objects.into())
                }
                _ => true,
            },
        }
    }
}

/// The class of an index, if it has this size.
pub(crate) fn class_of(geometry: &Geometry, index: Option<u64>, size: Option<u64>) -> Option<SizeClass> {
    let index = u16::try_from(index?).ok()?;
    let class = geometry.classes().get(geometry.position_of_index(index)?)?;
    (class.index == index && Some(u64::from(class.size)) == size).then_some(*class)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zsmalloc::Pool;

    use super::*;
    use crate::zsmalloc_text::write_classes;
    use crate::{Format, read};

    fn written(config: &Config) -> Table {
        let mut text = Vec::new();
        write_classes(&Pool::new(Geometry::new(config).unwrap()), &mut text).unwrap();
        let paste = read(&String::from_utf8(text).unwrap());
        paste.first(Format::ZsmallocClasses).unwrap().clone()
    }

    #[test]
    fn a_written_file_is_taken_for_what_it_is() {
        for (era, page_shift, max_pages) in
            [(Era::V6_12, 12, 8), (Era::V6_12, 14, 5), (Era::V6_1, 12, 4), (Era::V4_5, 16, 3)]
        {
            let config = Config { page_shift, max_pages, ..Config::default_for(era) };
            let table = written(&config);
            let guess = guess(&table).unwrap();
            assert_eq!((guess.config, guess.ambiguous), (config, false));
            assert_eq!(guess.matching, table.len());
            assert!(table.warnings().is_empty(), "{:?}", table.warnings());
            assert_eq!(table.era(), Some(era.name()));
        }
    }

    #[test]
    fn what_is_known_wins() {
        let table = written(&Config::default_for(Era::V6_12));
        let known = Known { max_pages: Some(4), page_shift: Some(14), era: Some(Era::V6_1), bits: None };
        let guess = guess_with(&table, &known).unwrap();
        assert_eq!((guess.config.max_pages, guess.config.page_shift, guess.config.era), (4, 14, Era::V6_1));
        assert!(guess.matching < table.len());
    }

    #[test]
    fn the_evidence_names_rows_page_and_runner_up() {
        let table = written(&Config::default_for(Era::V6_1));
        let told = guess(&table).unwrap().evidence().join(". ");
        for part in ["rows are classes of era 6.1", "4 KiB", "which is a page", "Linux 4.6 to 6.3", "only"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}
