//! What the tables that were read mean: where the memory is, and what other settings would do.

use slabscope_answers::histogram::Histogram;
use slabscope_answers::input::{Machine, from_classes, from_sizes};
use slabscope_answers::slub::SlabRows;
use slabscope_core::tell::{bytes, counted, grouped, hundredths, tenths};
use slabscope_core::zsmalloc::Era;
use slabscope_formats::classes::{Occupancy, guess, occupancy};
use slabscope_formats::sizes::sizes;
use slabscope_formats::{Format, Table};
use slabscope_worker::protocol::decode;

use crate::desk::{Job, Step};
use crate::document::{Block, Document, Sheet};
use crate::play::sizes_of;
use crate::slabinfo;
use crate::task::{AnswerTask, Override};
use crate::whatif::{answers, sentence_case, where_it_is};

/// Tables to answer for.
pub(crate) struct Answering {
    tables: Vec<Table>,
    machine: Machine,
}

impl Answering {
    /// For tables that the reader sent, under what is known better than the tables tell.
    ///
    /// # Errors
    /// The tables are of a reader of another build.
    pub(crate) fn new(task: &AnswerTask) -> Result<Self, String> {
        let tables = decode(&task.tables).ok_or("reader and answers are of different builds")?;
        Ok(Self { tables, machine: machine(task.machine) })
    }
}

/// What the reader of the page set, over what is inferred.
fn machine(known: Override) -> Machine {
    let era = known.era.and_then(|place| Era::ALL.get(usize::from(place)).copied());
    Machine { era, max_pages: known.max_pages, page_shift: known.page_shift, ..Machine::default() }
}

impl Job for Answering {
    fn step(&mut self) -> Step {
        let mut document = Vec::new();
        for table in &self.tables {
            document.extend(match table.format() {
                Format::ZsmallocClasses => pool(table, &self.machine),
                Format::Slabinfo => caches(table),
                Format::SizeHistogram => histogram(table, &self.machine),
                _ => Vec::new(),
            });
            document.extend(sizes_of(table));
        }
        Step::Done(document)
    }
}

fn caches(table: &Table) -> Document {
    let rows = SlabRows::of(table);
    if rows.rows.is_empty() { Vec::new() } else { slabinfo::document(&rows) }
}

/// What another setting would do with a list of sizes.
fn histogram(table: &Table, machine: &Machine) -> Document {
    let Ok(found) = sizes(table) else { return Vec::new() };
    let pairs = found.measured.ranges().map(|(from, to, count)| (from.midpoint(to), count)).collect();
    let Ok(input) = from_sizes(&Histogram { sizes: pairs, skipped: Vec::new() }, machine) else {
        return Vec::new();
    };
    let mut document = vec![Block::Text(format!("{}.", sentence_case(&input.taken_for)))];
    document.extend(input.warnings.iter().cloned().map(Block::Warning));
    document.extend(answers(&input));
    document
}

/// Where the memory of a zsmalloc pool goes, and what other settings would do.
fn pool(table: &Table, machine: &Machine) -> Document {
    let sums = guess(table).as_ref().map(|found| occupancy(table, found)).unwrap_or_default();
    let mut document = vec![sentence(&sums)];
    match from_classes(table, machine) {
        Ok(input) => {
            document.push(Block::Text(format!("{}.", sentence_case(&input.taken_for))));
            document.extend(where_it_is(&input));
            document.push(Block::Text(advice(&sums)));
            document.extend(answers(&input));
        }
        Err(why) => document.push(Block::Warning(format!("Other settings cannot be worked out: {why}"))),
    }
    document.push(Block::Sheet(classes(&sums)));
    document
}

/// How much is held, and the largest part of what is lost.
fn sentence(sums: &Occupancy) -> Block {
    let more = format!(
        "Compacting now would return {} of {}.",
        counted(sums.freeable_pages, "page", "pages"),
        grouped(sums.pages)
    );
    if sums.total == 0 {
        return Block::Say("This pool is ".to_owned(), "empty".to_owned(), ".".to_owned(), more);
    }
    let lost = [("empty places", sums.empty), ("tails of zspages", sums.tails), ("handles", sums.handles)];
    let (name, amount) = lost.into_iter().max_by_key(|part| part.1).unwrap_or(("tails", 0));
    Block::Say(
        format!("{} hold {}. ", mebi(sums.total), counted(sums.used, "object", "objects")),
        format!("Of what is lost, {name} take most: {}.", mebi(amount)),
        String::new(),
        more,
    )
}

fn mebi(amount: u64) -> String {
    format!("{} MiB", hundredths(amount as f64 / f64::from(1 << 20)))
}

fn advice(sums: &Occupancy) -> String {
    if sums.freeable_pages == 0 {
        return "Compaction would return nothing: no class has a whole zspage of empty places.".to_owned();
    }
    let page = sums.total.checked_div(sums.pages).unwrap_or(0);
    format!(
        "echo 1 > /sys/block/zram0/compact would return {}, {}.",
        counted(sums.freeable_pages, "page", "pages"),
        bytes(sums.freeable_pages.saturating_mul(page))
    )
}

/// Classes by the pages they hold.
fn classes(sums: &Occupancy) -> Sheet {
    let columns = ["Class", "In a zspage", "Objects", "Places", "In use, %", "Pages", "Freeable"];
    let mut sheet = Sheet::new("Classes by pages held", &columns);
    for class in &sums.classes {
        let inside = class.zspage.map(|(pages, objects)| format!("{objects} in {pages}")).unwrap_or_default();
        sheet.push(vec![
            grouped(class.size),
            inside,
            grouped(class.used),
            grouped(class.allocated),
            tenths(100.0 * class.used as f64 / class.allocated.max(1) as f64),
            grouped(class.pages),
            grouped(class.freeable),
        ]);
    }
    sheet
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use slabscope_formats::read;
    use slabscope_worker::protocol::encode;

    use super::*;

    const CLASSES: &str =
        " class  size almost_full almost_empty obj_allocated   obj_used pages_used pages_per_zspage freeable
   100  1632           0            3            15          8          6                2        2
   254  4096           0            0             7          7          7                1        0
";

    fn document(text: &str, machine: Override) -> Document {
        let task = AnswerTask { tables: encode(&read(text).tables()), machine };
        let Step::Done(document) = Answering::new(&task).unwrap().step() else { panic!("a document") };
        document
    }

    #[test]
    fn the_parts_of_a_pool_add_up() {
        let bytes: Vec<u64> = document(CLASSES, Override::default())
            .iter()
            .filter_map(|block| match block {
                Block::Parts(parts) => Some(parts.iter().map(|part| part.bytes).sum()),
                _ => None,
            })
            .collect();
        assert_eq!(bytes.first(), Some(&(13 * 4096)));
    }

    #[test]
    fn what_is_known_better_is_taken_and_told() {
        let text = |machine| {
            let all = document(CLASSES, machine);
            let found = all.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.clone()),
                _ => None,
            });
            found.collect::<Vec<_>>().join(" ")
        };
        let place = Era::ALL.iter().position(|era| *era == Era::V4_5).unwrap() as u8;
        let own = text(Override::default());
        let other = text(Override { era: Some(place), ..Override::default() });
        assert!(own.contains("6.1") && other.contains("4.5") && own != other, "{own}\n{other}");
    }

    #[test]
    fn sizes_and_slabinfo_are_answered_too() {
        let sizes = document("1000 50\n2000 30\n2500 9\n3000 5\n", Override::default());
        assert!(sizes.iter().any(|block| matches!(block, Block::Plot(_))));
        let slabinfo = "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\ntalk_cache   100 128 256 16 1 : tunables 0 0 0 : slabdata 8 8 0\n";
        let found = document(slabinfo, Override::default());
        assert!(matches!(&found[0], Block::Say(_, pages, ..) if pages == "8 pages"), "{:?}", found[0]);
    }

    #[test]
    fn other_bytes_are_refused() {
        let task = AnswerTask { tables: vec![255; 9], machine: Override::default() };
        assert!(Answering::new(&task).is_err());
    }
}
