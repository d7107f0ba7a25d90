//! The same test on a running kernel: its class tables beside its own sizes, and what a table alone can promise.

use slabscope_core::packing::Places as _;
use slabscope_core::zsmalloc::{Era, Geometry};

use crate::figure::say;
use crate::published;
use crate::{Case, Data, DataError, Histogram, Row, Step, Unit};

use super::{PAGE, Tables, bytes, posted, setting};

/// Sizes that the kernel stored, with at most 4 and 8 pages.
pub(super) const SIZES: [&str; 2] = ["linux61_max4", "linux61_max8"];
/// Its class tables.
pub(super) const TABLES: [&str; 2] = ["linux61_max4_classes.tsv", "linux61_max8_classes.tsv"];
const MAX_PAGES: [u8; 2] = [4, 8];

/// One run of the test on Linux 6.1.
struct Machine {
    max_pages: u8,
    sizes: Histogram,
    /// Class size, objects and pages, as the kernel printed them.
    table: Vec<(u32, [u64; 2])>,
}

impl Machine {
    fn pages(&self) -> u64 {
        self.table.iter().map(|(_, [_, pages])| pages).sum()
    }
}

/// Both runs.
pub(super) struct Kernel {
    machines: Vec<Machine>,
    rule: Tables,
}

impl Kernel {
    pub(super) fn new(data: &Data) -> Result<Self, DataError> {
        let machine = |((sizes, table), max_pages): ((&str, &str), u8)| {
            let rows = data
                .table::<2>(table)?
                .into_iter()
                .map(|(size, numbers)| Some((size.parse().ok()?, numbers)));
            let malformed = || DataError::Malformed(table.to_owned());
            Ok(Machine {
                max_pages,
                sizes: data.sizes(sizes)?,
                table: rows.collect::<Option<_>>().ok_or_else(malformed)?,
            })
        };
        let machines = SIZES.into_iter().zip(TABLES).zip(MAX_PAGES).map(machine);
        Ok(Self { machines: machines.collect::<Result<_, _>>()?, rule: Tables::new(Era::V6_1) })
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for machine in &self.machines {
            let max_pages = machine.max_pages;
            let Some(packing) = self.rule.packing(max_pages, &machine.sizes) else { continue };
            let counts = |size| {
                packing.classes.iter().find(|share| share.unit.size == size).map(|share| share.objects)
            };
            let differing =
                machine.table.iter().filter(|&&(size, [objects, _])| counts(size) != Some(objects)).count();
            let name = format!("Linux 6.1, {}", setting(max_pages));
            let used = posted(max_pages, "used_bytes_linux_6.1");
            let row = |metric, unit| Row::new(&name, metric, unit);
            rows.push(
                row("classes_with_other_object_counts", Unit::Count)
                    .predicted(differing as f64)
                    .note(format!("of {} classes in the kernel's table", machine.table.len())),
            );
            rows.push(
                row("objects", Unit::Objects)
                    .published(
                        Some(machine.table.iter().map(|(_, [objects, _])| objects).sum::<u64>() as f64),
                    )
                    .predicted(packing.objects() as f64)
                    .note("the kernel's table beside the sizes that it stored"),
            );
            rows.push(
                row("used_bytes", Unit::Bytes)
                    .published(used)
                    .predicted(bytes(&packing))
                    .note("perfect packing of the sizes that this very run stored"),
            );
            let more = (machine.pages() as f64 / packing.pages() as f64 - 1.0) * 100.0;
            rows.push(row("kernel_above_packing_percent", Unit::Percent).predicted(more).digits(3));
            told.push(format!(
                "with {max_pages} pages it used {} bytes, {} % above perfect packing",
                say(machine.pages() as f64 * f64::from(PAGE), 0),
                say(more, 3)
            ));
        }
        for max_pages in super::POSTED {
            let name = format!("{}, Linux 6.1 in a virtual machine", setting(max_pages));
            rows.push(
                Row::new(name, "used_bytes", Unit::Bytes)
                    .published(posted(max_pages, "used_bytes"))
                    .predicted(published::mean(Case::MorePages, &setting(max_pages), "used_bytes_linux_6.1"))
                    .note("measured, not computed: the same test run again beside the posting"),
            );
        }
        let text = format!(
            "The test was run again on Linux 6.1, which prints the size of every stored page and its class table: {}. In every \
             class the kernel counts just the objects that the sizes say. What is above perfect packing is room in zspages that \
             objects left and no later one took.",
            told.join("; ")
        );
        Step { title: "A running kernel agrees", text, rows, plots: Vec::new() }
    }

    /// What each table alone promises about the other setting.
    pub(super) fn bounds(&self) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (machine, other) in self.machines.iter().zip(self.machines.iter().rev()) {
            let (Some(from), Some(to)) = (self.rule.at(machine.max_pages), self.rule.at(other.max_pages))
            else {
                continue;
            };
            let Some(bounds) = Bounds::new(machine, from, to) else { continue };
            let packed = self.rule.packing(other.max_pages, &other.sizes).map(|packing| packing.pages());
            let name = format!("table with {} pages, predicting {}", machine.max_pages, other.max_pages);
            let row = |metric, pages: Option<u64>| {
                Row::new(&name, metric, Unit::Pages).predicted(pages.map(|pages| pages as f64))
            };
            rows.push(
                row("pages_low", Some(bounds.low)).note("no distribution within the classes needs fewer"),
            );
            rows.push(row("pages_packed", packed).note("perfect packing of what the other run stored"));
            rows.push(
                row("pages_high", Some(bounds.high)).note("no distribution within the classes needs more"),
            );
            if let Some(packed) = packed {
                told.push(format!(
                    "from {} pages to {}: {} to {} pages, and it is {}",
                    machine.max_pages,
                    other.max_pages,
                    say(bounds.low as f64, 0),
                    say(bounds.high as f64, 0),
                    say(packed as f64, 0)
                ));
            }
        }
        let text = format!(
            "A class table says only between which sizes its objects lie. That bounds what another setting can need: {}.",
            told.join("; ")
        );
        Step { title: "What the table alone can promise", text, rows, plots: Vec::new() }
    }
}

/// The least and the most pages that objects of a class table can need in another table, however their sizes lie
/// within their classes.
struct Bounds {
    low: u64,
    high: u64,
}

impl Bounds {
    fn new(machine: &Machine, from: &Geometry, to: &Geometry) -> Option<Self> {
        let units = to.units();
        let per_object =
            |position: usize| units.get(position).map(|unit| f64::from(unit.pages) / f64::from(unit.objects));
        let mut reached = vec![false; units.len()];
        let (mut low, mut high) = (0.0, 0.0);
        for &(size, [objects, _]) in machine.table.iter().filter(|(_, [objects, _])| *objects > 0) {
            let position = from.classes().iter().position(|class| class.size == size)?;
            let (smallest, largest) = from.requests(position)?;
            let classes = to.place(smallest).ok()?..=to.place(largest).ok()?;
            let costs: Vec<f64> = classes.clone().filter_map(per_object).collect();
            low += objects as f64 * costs.iter().copied().fold(f64::INFINITY, f64::min);
            high += objects as f64 * costs.iter().copied().fold(0.0, f64::max);
            for position in classes {
                *reached.get_mut(position)? = true;
            }
        }
        // The last zspage of each class that may be in use can be all but empty.
        let partial = units.iter().zip(&reached).filter(|&(_, &reached)| reached);
        let tails: f64 = partial
            .map(|(unit, _)| f64::from(unit.pages) * f64::from(unit.objects - 1) / f64::from(unit.objects))
            .sum();
        // Rounded away from each other, so that the last digit of a sum cannot break the promise.
        Some(Self { low: (low - 0.001).floor().max(0.0) as u64, high: (high + tails + 0.001).ceil() as u64 })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zsmalloc::Config;

    use super::*;

    #[test]
    fn bounds_hold_every_distribution_within_a_class() {
        let table =
            |max_pages| Geometry::new(&Config { max_pages, ..Config::default_for(Era::V6_1) }).unwrap();
        let (four, eight) = (table(4), table(8));
        for class in four.classes() {
            let position = four.classes().iter().position(|other| other == class).unwrap();
            let (from, to) = four.requests(position).unwrap();
            let machine =
                Machine { max_pages: 4, sizes: Histogram::default(), table: vec![(class.size, [30, 0])] };
            let bounds = Bounds::new(&machine, &four, &eight).unwrap();
            for at in 0..=30 {
                let mixed = Histogram::new([(from, at), (to, 30 - at)]);
                let pages = slabscope_core::packing::Packing::new(&eight, mixed.counts()).pages();
                assert!((bounds.low..=bounds.high).contains(&pages), "class {}, {at}: {pages}", class.size);
            }
        }
    }
}
