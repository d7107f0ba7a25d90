//! A machine's objects, from a class table or from a list of sizes.

use std::fmt;

use slabscope_core::ranked::rank;
use slabscope_core::tell::{bytes, counted};
use slabscope_core::whatif::{
    Impossible, Ladder, Population, Prediction, Raw, Setting, Sizes, Unfit, predict,
};
use slabscope_core::zsmalloc::{Bits, Config, Geometry, SizeClass};
use slabscope_formats::classes::{ClassUse, Guess, guess, occupancy};
use slabscope_formats::{Format, Paste, Table};

use crate::histogram::{read_sizes, sizes};

/// A class in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassHeld {
    /// Bytes of an object, handle included.
    pub size: u32,
    /// Fewest bytes requested.
    pub from: u32,
    /// Most bytes requested.
    pub to: u32,
    /// Live objects.
    pub objects: u64,
    /// Places for objects.
    pub places: u64,
    /// Pages held.
    pub pages: u64,
    /// Pages that compaction would return.
    pub freeable: u64,
    /// Pages of a zspage.
    pub zspage_pages: u32,
    /// Objects of a zspage.
    pub zspage_objects: u32,
}

impl ClassHeld {
    /// True if an object takes a whole page, and has its handle outside.
    pub const fn is_huge(&self) -> bool {
        self.zspage_pages == 1 && self.zspage_objects == 1
    }

    /// Zspages held.
    pub fn zspages(&self) -> u64 {
        self.pages / u64::from(self.zspage_pages).max(1)
    }
}

/// A machine's objects and the setting that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The setting.
    pub own: Config,
    /// The objects.
    pub population: Population,
    /// What the objects take in that setting, packed without a gap.
    pub packed: Prediction,
    /// Classes in use, smallest first; none in a list of sizes.
    pub classes: Vec<ClassHeld>,
    /// Pages held, if the input says so.
    pub held_pages: Option<u64>,
    /// What the input was taken for, in a sentence without its full stop.
    pub taken_for: String,
    /// What to be careful about.
    pub warnings: Vec<String>,
}

/// What is known of the machine beside the text. What is left open is taken from the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// Generation.
    pub era: Option<slabscope_core::zsmalloc::Era>,
    /// Most pages of a zspage.
    pub max_pages: Option<u8>,
    /// `PAGE_SHIFT`.
    pub page_shift: Option<u8>,
    /// Word size.
    pub bits: Option<Bits>,
    /// Bits of a physical address.
    pub phys_bits: Option<u8>,
}

impl Machine {
    /// A setting with what is known in the place of what was taken for granted.
    fn over(&self, taken: Config) -> Config {
        let era = self.era.unwrap_or(taken.era);
        let default = Config::default_for(era);
        let mut config = Config { era, phys_bits: default.phys_bits, ..taken };
        if self.era.is_some() && self.era != Some(taken.era) {
            config.max_pages = default.max_pages;
        }
        config.bits = self.bits.unwrap_or(taken.bits);
        if config.bits == Bits::B32 {
            config.phys_bits = 32;
        }
        config.max_pages = self.max_pages.unwrap_or(config.max_pages);
        config.page_shift = self.page_shift.unwrap_or(config.page_shift);
        config.phys_bits = self.phys_bits.unwrap_or(config.phys_bits);
        config
    }
}

/// Why a text is no input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotInput {
    /// Neither of the two; what it comes nearest to.
    Unknown(String),
    /// `/proc/slabinfo`, which another question is asked of.
    Slabinfo,
    /// A classes file of no known kernel.
    NoKernel,
    /// The setting that is said to hold it does not exist.
    Impossible(Impossible),
    /// It cannot hold such objects.
    Unfit(Unfit),
}

impl From<Impossible> for NotInput {
    fn from(why: Impossible) -> Self {
        Self::Impossible(why)
    }
}

impl fmt::Display for NotInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(nearest) => {
                write!(f, "neither a zsmalloc classes file nor a list of sizes and counts: {nearest}")
            }
            Self::Slabinfo => f.write_str("this is a slabinfo: slub-whatif answers for those"),
            Self::NoKernel => f.write_str("no known kernel has these classes"),
            Self::Impossible(why) => why.fmt(f),
            Self::Unfit(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NotInput {}

/// Reads a classes file or a list of sizes.
///
/// # Errors
/// The text is neither, or says that of no kernel that could be.
pub fn read_input(text: &str, machine: &Machine) -> Result<Input, NotInput> {
    from_paste(&read_sizes(text), machine)
}

/// The objects of a classes file or a list of sizes in a text that was read.
///
/// # Errors
/// It has neither, or the table is of no kernel that could be.
pub fn from_paste(paste: &Paste, machine: &Machine) -> Result<Input, NotInput> {
    let of_sizes = paste.tables().iter().position(|table| table.format() == Format::SizeHistogram);
    match from_tables(paste.tables(), machine) {
        Some(found) => found.map(|mut input| {
            if let Some(at) = of_sizes.filter(|_| input.classes.is_empty()) {
                let skipped = paste.skipped(at).map(|(line, why)| format!("line {line} skipped: {why}"));
                input.warnings.extend(skipped);
            }
            input
        }),
        None if paste.first(Format::Slabinfo).is_some() => Err(NotInput::Slabinfo),
        None => Err(NotInput::Unknown(paste.nearest().map_or_else(
            || {
                let labels: Vec<&str> = paste.tables().iter().map(|table| table.format().label()).collect();
                format!("{}, of which inspect says more", labels.join(", "))
            },
            ToString::to_string,
        ))),
    }
}

/// The objects of the first classes file among tables, or of the first list of sizes. `None` if there is neither.
pub fn from_tables(tables: &[Table], machine: &Machine) -> Option<Result<Input, NotInput>> {
    let first = |format: Format| tables.iter().find(|table| table.format() == format);
    match first(Format::ZsmallocClasses) {
        Some(table) => Some(from_classes(table, machine)),
        None => first(Format::SizeHistogram).map(|table| from_sizes(table, machine)),
    }
}

/// The objects of a classes file.
///
/// # Errors
/// No known kernel has such classes, or the machine's setting does not exist.
pub fn from_classes(table: &Table, machine: &Machine) -> Result<Input, NotInput> {
    let found = guess(table).ok_or(NotInput::NoKernel)?;
    let own = machine.over(found.config);
    let mut warnings: Vec<String> = table.warnings().iter().map(ToString::to_string).collect();
    let taken_for = if own == found.config {
        if found.ambiguous {
            warnings
                .push(format!("other max pages explain these classes as well as {}", found.config.max_pages));
        }
        found.evidence().join("; ")
    } else {
        format!("said to be {}", Setting::Zsmalloc(own))
    };
    let geometry = Geometry::new(&own).map_err(Impossible::Zsmalloc)?;
    let said = Guess { config: own, ..found };
    let mut classes = occupancy(table, &said).classes;
    rank(&mut classes, |class| i64::try_from(class.size).unwrap_or(i64::MAX));
    let mut held: Vec<ClassHeld> = Vec::with_capacity(classes.len());
    let mut unknown = 0;
    for class in &classes {
        let (class, is_known) = class_held(class, &geometry, held.last());
        unknown += u64::from(!is_known);
        held.push(class);
    }
    if unknown > 0 {
        let rows = counted(unknown, "row is no class", "rows are no classes");
        warnings.push(format!(
            "{rows} of {}; their sizes are taken from the rows before",
            Setting::Zsmalloc(own)
        ));
    }
    let population = population(&own, &held);
    Ok(Input {
        own,
        packed: packed(&own, &population)?,
        population,
        held_pages: pages_held(&held, &mut warnings),
        classes: held,
        taken_for,
        warnings,
    })
}

/// A row as a class, and whether the setting has such a class.
fn class_held(row: &ClassUse, geometry: &Geometry, before: Option<&ClassHeld>) -> (ClassHeld, bool) {
    let config = geometry.config();
    let (page, handle) = (config.page_bytes(), config.bits.handle_bytes());
    let position = u16::try_from(row.class).ok().and_then(|index| geometry.position_of_index(index));
    let class = position.and_then(|position| geometry.classes().get(position));
    let is_it = |class: &&SizeClass| {
        u64::from(class.size) == row.size && row.zspage.is_none_or(|(pages, _)| pages == class.pages.into())
    };
    let known = class.filter(is_it);
    let size = u32::try_from(row.size).unwrap_or(u32::MAX).clamp(1, page);
    let requests = known.and(position).and_then(|position| geometry.requests(position));
    let (from, to) = requests.unwrap_or_else(|| {
        let from = before.map_or(1, |before| before.to.saturating_add(1));
        (from.min(page), if size == page { page } else { size.saturating_sub(handle).max(from).min(page) })
    });
    let (zspage_pages, zspage_objects) = match known {
        Some(class) => (u64::from(class.pages), u64::from(class.objects)),
        None => row.zspage.unwrap_or((1, u64::from(page / size))),
    };
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let (zspage_pages, zspage_objects) = (narrow(zspage_pages), narrow(zspage_objects));
    // A file without pages says how many places there are.
    let pages = match row.pages {
        0 => row.allocated.div_ceil(zspage_objects.into()).saturating_mul(zspage_pages.into()),
        pages => pages,
    };
    let held = ClassHeld {
        size,
        from,
        to,
        objects: row.used,
        places: row.allocated,
        pages,
        freeable: row.freeable,
        zspage_pages,
        zspage_objects,
    };
    (held, known.is_some())
}

fn population(own: &Config, classes: &[ClassHeld]) -> Population {
    // The huge class is the largest; another class of one object in one page is none of zsmalloc's.
    let page = own.page_bytes();
    let (huge, others): (Vec<&ClassHeld>, Vec<&ClassHeld>) =
        classes.iter().partition(|class| class.is_huge() && class.to == page);
    let raw = Raw {
        objects: huge.iter().fold(0, |sum, class| sum.saturating_add(class.objects)),
        from: huge.first().map_or(page, |class| class.from),
    };
    let sizes = others.iter().map(|class| Sizes { from: class.from, to: class.to, objects: class.objects });
    Population::new(own.page_shift, sizes.collect(), raw)
}

/// Pages held, unless the rows contradict themselves.
fn pages_held(classes: &[ClassHeld], warnings: &mut Vec<String>) -> Option<u64> {
    if classes.is_empty() {
        return None;
    }
    let packed = |class: &ClassHeld| {
        let zspages = class.objects.div_ceil(u64::from(class.zspage_objects).max(1));
        zspages.saturating_mul(class.zspage_pages.into())
    };
    if let Some(class) = classes.iter().find(|class| class.pages < packed(class)) {
        let objects = counted(class.objects, "object needs", "objects need");
        let pages = counted(packed(class), "page", "pages");
        warnings.push(format!(
            "class of {}: {objects} {pages}, the file has {}; the fragmentation is left open",
            bytes(class.size.into()),
            class.pages
        ));
        return None;
    }
    Some(classes.iter().fold(0, |sum, class| sum.saturating_add(class.pages)))
}

/// The objects of a list of sizes, held by the setting given or by the default one.
///
/// # Errors
/// The machine's setting does not exist.
pub fn from_sizes(table: &Table, machine: &Machine) -> Result<Input, NotInput> {
    let (sizes, left_out) = sizes(table);
    let (count, largest) = (sizes.len() as u64, sizes.iter().map(|sizes| sizes.to).max().unwrap_or(1));
    let page_shift = Config::PAGE_SHIFTS.step_by(2).find(|shift| largest <= 1 << shift).unwrap_or(16);
    let own = machine.over(Config { page_shift, ..Config::default_for(Default::default()) });
    let population = Population::new(own.page_shift, sizes, Raw { objects: 0, from: 0 });
    Ok(Input {
        own,
        packed: packed(&own, &population)?,
        population,
        classes: Vec::new(),
        held_pages: None,
        taken_for: format!(
            "{} up to {largest} bytes, compared with {}",
            counted(count, "size", "sizes"),
            Setting::Zsmalloc(own)
        ),
        warnings: table.warnings().iter().map(ToString::to_string).chain(left_out).collect(),
    })
}

fn packed(own: &Config, population: &Population) -> Result<Prediction, NotInput> {
    let ladder = Ladder::new(&Setting::Zsmalloc(*own))?;
    predict(population, &ladder).map_err(NotInput::Unfit)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
    use slabscope_core::zsmalloc::{Era, Pool};
    use slabscope_formats::zsmalloc_text::write_classes;

    use super::*;

    fn table(config: &Config, sizes: impl IntoIterator<Item = u32>) -> String {
        let mut pool = Pool::new(Geometry::new(config).unwrap());
        for (number, size) in (0..).zip(sizes) {
            pool.malloc(ObjectId(number), size, &mut Ignore).unwrap();
        }
        let mut text = Vec::new();
        write_classes(&pool, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_table_gives_the_interval_of_each_class() {
        let config = Config { max_pages: 4, ..Config::default_for(Era::V6_1) };
        let input = read_input(&table(&config, [1, 24, 25, 3256, 3257, 4096]), &Machine::default()).unwrap();
        assert_eq!(input.own, config);
        let sizes: Vec<_> =
            input.population.sizes().iter().map(|sizes| (sizes.from, sizes.to, sizes.objects)).collect();
        assert_eq!(sizes, [(1, 24, 2), (25, 40, 1), (3065, 3256, 1)]);
        assert_eq!(input.population.raw(), Raw { objects: 2, from: 3257 });
        assert_eq!(input.held_pages, Some(input.packed.expected));
        assert!(input.warnings.is_empty(), "{:?}", input.warnings);
    }

    #[test]
    fn rows_of_another_setting_keep_their_sizes() {
        let config = Config { max_pages: 4, ..Config::default_for(Era::V6_1) };
        let machine = Machine { max_pages: Some(1), ..Machine::default() };
        let input = read_input(&table(&config, [1, 1568, 4096]), &machine).unwrap();
        assert_eq!(input.own.max_pages, 1);
        // Class 1632 of 2 pages is none of single pages: it may hold whatever is above the class before.
        let sizes: Vec<_> = input.population.sizes().iter().map(|sizes| (sizes.from, sizes.to)).collect();
        assert_eq!(sizes, [(1, 24), (25, 1624)]);
        assert!(input.warnings.iter().any(|line| line.contains("1 row is no class")), "{:?}", input.warnings);
    }

    #[test]
    fn sizes_are_exact_and_choose_the_page() {
        for (text, page_shift) in [
            (
                "44 7
4096 1
",
                12,
            ),
            (
                "44 7
4097 1
",
                14,
            ),
            (
                "65536 1
", 16,
            ),
        ] {
            let input = read_input(text, &Machine::default()).unwrap();
            assert_eq!((input.own.page_shift, input.held_pages), (page_shift, None));
            assert_eq!(input.packed.low, input.packed.high);
        }
        let machine = Machine { page_shift: Some(12), ..Machine::default() };
        assert!(matches!(
            read_input(
                "5000 1
", &machine
            ),
            Err(NotInput::Unfit(_))
        ));
    }

    #[test]
    fn what_is_no_input_says_so() {
        let told = |text: &str| read_input(text, &Machine::default()).err().map(|why| why.to_string());
        assert!(
            told(
                "hello
"
            )
            .is_some_and(|why| why.contains("neither"))
        );
        assert!(
            told("slabinfo - version: 2.1\nx 1 1 64 64 1 : tunables 0 0 0 : slabdata 1 1 0\n")
                .is_some_and(|why| why.contains("slub-whatif"))
        );
        let strange = "class size obj_allocated obj_used pages_used
7 33 4 4 1
";
        assert_eq!(told(strange).as_deref(), Some("no known kernel has these classes"));
        let machine =
            Machine { bits: Some(Bits::B32), phys_bits: Some(40), max_pages: Some(9), ..Machine::default() };
        let impossible = Machine { era: Some(Era::V6_6), ..machine };
        assert!(matches!(
            read_input(
                "44 1
",
                &impossible
            ),
            Err(NotInput::Impossible(_))
        ));
    }

    #[test]
    fn contradictions_leave_the_fragmentation_open() {
        let text = "class size obj_allocated obj_used pages_used pages_per_zspage
0 32 128 129 1 1
254 4096 9 9 9 1
";
        let input = read_input(text, &Machine::default()).unwrap();
        assert_eq!(input.held_pages, None);
        assert!(input.warnings.len() >= 2, "{:?}", input.warnings);
    }
}
