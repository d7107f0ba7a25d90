//! Pools side by side: the same step of each, what differs, and all of them over time.

use slabscope_core::model::Model;
use slabscope_core::pool::{Pool as _, Totals};
use slabscope_core::tell::{grouped, tenths};
use slabscope_worker::protocol::Setup;
use slabscope_worker::run::Run;

use crate::desk::{Job, Step};
use crate::document::{Block, Document, LinePlot, Part, PartKind, PlotLine, Sheet};

/// Operations recorded in a step.
const SLICE: u32 = 50_000;

/// Pools and their streams.
pub(crate) struct Comparison {
    sides: Vec<(String, Setup)>,
    runs: Vec<Run>,
    at: u32,
}

/// Where the bytes of a pool go; they add up to its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parts {
    data: u64,
    handles: u64,
    rounding: u64,
    empty: u64,
    tails: u64,
}

impl Parts {
    /// For a bar to scale of each.
    fn told(self) -> Vec<Part> {
        let part = |(name, kind, bytes): (&str, PartKind, u64)| Part {
            name: name.to_owned(),
            kind,
            bytes,
            exact: true,
        };
        [
            ("Data", PartKind::Data, self.data),
            ("Handles", PartKind::Handle, self.handles),
            ("Rounding", PartKind::Rounding, self.rounding),
            ("Empty places", PartKind::Empty, self.empty),
            ("Tails and headers", PartKind::Tail, self.tails),
        ]
        .into_iter()
        .map(part)
        .collect()
    }
}

impl Comparison {
    /// Pools by their names.
    ///
    /// # Errors
    /// One of them is impossible.
    pub(crate) fn new(sides: &[(String, Setup)]) -> Result<Self, String> {
        let run = |(name, setup): &(String, Setup)| Run::new(setup).map_err(|why| format!("{name}: {why}"));
        let runs = sides.iter().map(run).collect::<Result<_, _>>()?;
        Ok(Self { sides: sides.to_vec(), runs, at: 0 })
    }

    /// True if it compares these.
    pub(crate) fn is_of(&self, sides: &[(String, Setup)]) -> bool {
        self.sides == sides
    }

    /// The step that is compared.
    pub(crate) const fn go_to(&mut self, at: u32) {
        self.at = at;
    }

    fn document(&mut self) -> Document {
        for run in &mut self.runs {
            run.timeline.seek(self.at);
        }
        let mut document = vec![self.sentence(), self.pages_over_time(), Block::Sheet(self.figures())];
        document.push(Block::Sheet(self.groups()));
        for (index, run) in self.runs.iter().enumerate() {
            document.push(Block::Title(format!("Where the memory of {} goes", self.name(index))));
            document.push(Block::Parts(parts(run).told()));
        }
        document
    }

    fn name(&self, index: usize) -> &str {
        self.sides.get(index).map_or("", |(name, _)| name)
    }

    fn sentence(&self) -> Block {
        let totals: Vec<Totals> = self.runs.iter().map(|run| run.timeline.pool().totals()).collect();
        let [first, others @ ..] = &totals[..] else { return Block::Text(String::new()) };
        let bytes = |index: usize| {
            let pages = totals.get(index).map_or(0, |totals| totals.pages);
            pages.saturating_mul(self.runs.get(index).map_or(0, |run| run.page_bytes.into()))
        };
        let step = self.runs.iter().map(|run| run.timeline.step()).max().unwrap_or(0);
        let best = (1..=others.len()).min_by_key(|&index| bytes(index)).unwrap_or(0);
        let (one, other) = (bytes(0), bytes(best));
        let pages = |index: usize, of: fn(&Totals) -> u64| grouped(totals.get(index).map_or(0, of));
        let more = format!(
            "At operation {}: {} pages against {}. At the peak so far: {} against {}.",
            grouped(step.into()),
            pages(best, |totals| totals.pages),
            grouped(first.pages),
            pages(best, |totals| totals.pages_peak),
            grouped(first.pages_peak)
        );
        let refused = |totals: &Totals| totals.failed;
        let more = match (totals.get(best).map_or(0, refused), refused(first)) {
            (0, 0) => more,
            (theirs, ours) => format!(
                "{more} Requests refused, which then hold no memory: {} against {}.",
                grouped(theirs),
                grouped(ours)
            ),
        };
        let lead = format!("{} ", self.name(best));
        let (strong, rest) = if one == other {
            ("needs exactly as much memory".to_owned(), format!(" as {}.", self.name(0)))
        } else {
            let word = if other < one { "less" } else { "more" };
            let by = share(one.abs_diff(other), one);
            (format!("needs {by} % {word} memory"), format!(" than {}.", self.name(0)))
        };
        Block::Say(lead, strong, rest, more)
    }

    fn pages_over_time(&self) -> Block {
        let lines = self.runs.iter().enumerate().map(|(index, run)| {
            let mebi = |pages: u64| pages as f32 * run.page_bytes as f32 / f32::from(1u16 << 10) / 1024.0;
            let samples = run.timeline.series().iter();
            let points = samples.map(|sample| (sample.step as f32, mebi(sample.totals.pages)));
            PlotLine {
                name: self.name(index).to_owned(),
                points: std::iter::once((0.0, 0.0)).chain(points).collect(),
            }
        });
        let lines = lines.chain(self.older_stores());
        Block::Plot(LinePlot {
            caption: "Memory held over time".to_owned(),
            along: "operation".to_owned(),
            up: "MiB".to_owned(),
            lines: lines.collect(),
            cursor: Some(self.at as f32),
        })
    }

    /// What zbud and z3fold would hold of the first stream at least, where zsmalloc and zblock meet.
    fn older_stores(&self) -> Vec<PlotLine> {
        let is = |model| self.runs.iter().any(|run| run.timeline.pool().model() == model);
        let Some(run) = self.runs.first().filter(|_| is(Model::Zsmalloc) && is(Model::Zblock)) else {
            return Vec::new();
        };
        let store = |(per_page, name): (u32, &str)| {
            let mebi = |totals: &Totals| {
                bound(per_page, run, totals) as f32 * run.page_bytes as f32 / f32::from(1u16 << 10) / 1024.0
            };
            let samples = run.timeline.series().iter();
            let points = samples.map(|sample| (sample.step as f32, mebi(&sample.totals)));
            PlotLine { name: name.to_owned(), points: points.collect() }
        };
        [(2, "zbud at least"), (3, "z3fold at least")].map(store).to_vec()
    }

    /// A row per figure, a column per side, and the difference of each to the first.
    fn figures(&self) -> Sheet {
        let mut columns = vec!["Figure".to_owned()];
        for index in 0..self.runs.len() {
            columns.push(self.name(index).to_owned());
            if index > 0 {
                let short = |index| self.name(index).split(' ').next().unwrap_or_default();
                columns.push(format!("{} less {}", short(index), short(0)));
            }
        }
        let mut sheet = Sheet { caption: "Side by side".to_owned(), columns, rows: Vec::new() };
        let mut row = |name: &str, value: &dyn Fn(&Run) -> u64| {
            let first = self.runs.first().map_or(0, value);
            let mut cells = vec![name.to_owned()];
            for (index, run) in self.runs.iter().enumerate() {
                let value = value(run);
                cells.push(grouped(value));
                if index > 0 {
                    cells.push(difference(first, value));
                }
            }
            sheet.push(cells);
        };
        let totals = |run: &Run| run.timeline.pool().totals();
        row("Pages", &|run| totals(run).pages);
        row("Pages at the peak", &|run| totals(run).pages_peak);
        row("Bytes held", &|run| totals(run).pages * u64::from(run.page_bytes));
        row("Objects", &|run| totals(run).objects);
        row("Places", &|run| totals(run).capacity);
        row("Bytes of data", &|run| parts(run).data);
        row("Bytes of handles", &|run| parts(run).handles);
        row("Bytes of rounding", &|run| parts(run).rounding);
        row("Bytes of empty places", &|run| parts(run).empty);
        row("Bytes of tails and headers", &|run| parts(run).tails);
        row("Zspages, blocks or slabs", &|run| totals(run).spans);
        row("Pages that compaction would return", &|run| {
            run.timeline.pool().classes().iter().map(|class| class.freeable_pages).sum()
        });
        let until = |run: &Run, value: fn(&slabscope_core::timeline::Sample) -> u32| {
            let samples =
                run.timeline.series().iter().take_while(|sample| sample.step <= run.timeline.step());
            samples.map(|sample| u64::from(value(sample))).sum()
        };
        row("Objects moved so far", &|run| until(run, |sample| sample.moves));
        row("Requests refused", &|run| totals(run).failed);
        let objects = totals;
        row("zbud, at least, pages", &|run| bound(2, run, &objects(run)));
        row("z3fold, at least, pages", &|run| bound(3, run, &objects(run)));
        sheet.push(self.utilisation());
        sheet
    }

    /// The row that says how much of the memory that is held is data.
    fn utilisation(&self) -> Vec<String> {
        let mut cells = vec!["Utilisation, %".to_owned()];
        let used = |run: &Run| {
            let held = run.timeline.pool().totals().pages * u64::from(run.page_bytes);
            parts(run).data as f64 * 100.0 / held.max(1) as f64
        };
        let first = self.runs.first().map_or(0.0, used);
        for (index, run) in self.runs.iter().enumerate() {
            cells.push(tenths(used(run)));
            if index > 0 {
                let by = used(run) - first;
                let sign = if by < 0.0 { "\u{2212}" } else { "+" };
                cells.push(format!("{sign}{} points", tenths(by.abs())));
            }
        }
        cells
    }

    /// Spans of each group, a column per side; a side without the group has an empty cell.
    fn groups(&self) -> Sheet {
        let mut columns = vec!["Group".to_owned()];
        let mut names: Vec<&str> = Vec::new();
        let mut counts: Vec<Vec<(&str, u64)>> = Vec::new();
        for (index, run) in self.runs.iter().enumerate() {
            columns.push(self.name(index).to_owned());
            let pool = run.timeline.pool();
            let mut sums: Vec<(&str, u64)> = run.groups().iter().map(|name| (*name, 0)).collect();
            for class in pool.classes() {
                for ((_, sum), count) in sums.iter_mut().zip(pool.group_counts(class.class)) {
                    *sum += u64::from(count);
                }
            }
            names.extend(run.groups().iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
            counts.push(sums);
        }
        let caption = "Zspages, blocks or slabs by group".to_owned();
        let mut sheet = Sheet { caption, columns, rows: Vec::new() };
        for name in names {
            let count = |sums: &Vec<(&str, u64)>| {
                let found = sums.iter().find(|(other, _)| *other == name);
                found.map_or_else(String::new, |(_, count)| grouped(*count))
            };
            sheet.push(std::iter::once(name.replace('_', " ")).chain(counts.iter().map(count)).collect());
        }
        sheet
    }
}

impl Job for Comparison {
    fn step(&mut self) -> Step {
        let (mut done, mut total) = (0u64, 0u64);
        let behind = self.runs.iter_mut().find(|run| run.timeline.recorded() < run.timeline.len());
        let Some(run) = behind else { return Step::Done(self.document()) };
        run.timeline.record(SLICE);
        for run in &self.runs {
            done += u64::from(run.timeline.recorded());
            total += u64::from(run.timeline.len());
        }
        Step::Going((done * 1000 / total.max(1)) as u16)
    }
}

fn bound(per_page: u32, run: &Run, totals: &Totals) -> u64 {
    slabscope_core::packing::whole_objects_bound(per_page, run.page_bytes, totals.objects, totals.bytes)
}

fn parts(run: &Run) -> Parts {
    let pool = run.timeline.pool();
    let mut parts = Parts { data: pool.totals().bytes, ..Parts::default() };
    let mut in_objects = 0;
    for class in pool.classes() {
        let size = u64::from(class.size);
        let held = u64::from(class.spans) * u64::from(class.pages_per_span) * u64::from(run.page_bytes);
        in_objects += class.objects * size;
        parts.empty += (class.capacity - class.objects) * size;
        parts.tails += held.saturating_sub(class.capacity * size);
        if class.objects_per_span > 1 {
            parts.handles += class.objects * u64::from(run.handle_bytes);
        }
    }
    parts.rounding = in_objects.saturating_sub(parts.data + parts.handles);
    parts
}

/// A share in percent.
fn share(part: u64, whole: u64) -> String {
    tenths(100.0 * part as f64 / whole.max(1) as f64)
}

/// How a value differs from the first, with its sign and share.
fn difference(first: u64, value: u64) -> String {
    if first == value {
        return "same".to_owned();
    }
    let sign = if value > first { "+" } else { "\u{2212}" };
    let by = first.abs_diff(value);
    if first == 0 {
        format!("{sign}{}", grouped(by))
    } else {
        format!("{sign}{} ({sign}{} %)", grouped(by), share(by, first))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use slabscope_core::model::AnyConfig;
    use slabscope_core::workload::{Kind, SizeDist, Spec};
    use slabscope_core::{zblock, zsmalloc};

    use super::*;

    fn comparison() -> Comparison {
        let stream = Spec {
            kind: Kind::Churn,
            dist: SizeDist::ProcLzo,
            fixed_size: None,
            seed: 3,
            operations: 8000,
            live: 2000,
            compact_every: 0,
        };
        let max_pages = |max_pages| {
            let config = zsmalloc::Config::default_for(zsmalloc::Era::default());
            AnyConfig::Zsmalloc(zsmalloc::Config { max_pages, ..config })
        };
        let zblock = AnyConfig::Zblock(zblock::Config::default_for(zblock::Version::default()));
        let sides = [("four", max_pages(4)), ("eight", max_pages(8)), ("zblock", zblock)];
        let sides: Vec<_> = sides
            .iter()
            .map(|(name, config)| ((*name).to_owned(), Setup::new(config, &stream, None)))
            .collect();
        Comparison::new(&sides).unwrap()
    }

    fn finished(comparison: &mut Comparison) -> Document {
        loop {
            match comparison.step() {
                Step::Going(done) | Step::Partly(_, Some(done)) => assert!(done <= 1000),
                Step::Done(document) => return document,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_parts_add_up_to_the_pages_of_each_side() {
        let mut comparison = comparison();
        comparison.go_to(6000);
        finished(&mut comparison);
        for run in &comparison.runs {
            let Parts { data, handles, rounding, empty, tails } = parts(run);
            let pages = run.timeline.pool().totals().pages;
            assert_eq!(data + handles + rounding + empty + tails, pages * 4096);
        }
    }

    #[test]
    fn older_stores_are_drawn_where_zsmalloc_and_zblock_meet() {
        let mut all = comparison();
        finished(&mut all);
        let names: Vec<String> = all.older_stores().into_iter().map(|line| line.name).collect();
        assert_eq!(names, ["zbud at least", "z3fold at least"]);
        let mut same = Comparison::new(&all.sides[..2]).unwrap();
        finished(&mut same);
        assert!(same.older_stores().is_empty());
        let sheet = all.groups();
        assert_eq!(sheet.columns.len(), 4);
        let sum = |column: usize| -> u64 {
            sheet.rows.iter().filter_map(|row| row[column].replace(',', "").parse::<u64>().ok()).sum()
        };
        for (index, run) in all.runs.iter().enumerate() {
            assert_eq!(sum(index + 1), run.timeline.pool().totals().spans);
        }
    }

    #[test]
    fn another_step_needs_no_new_run() {
        let mut comparison = comparison();
        comparison.go_to(8000);
        let end = finished(&mut comparison);
        comparison.go_to(100);
        let Step::Done(early) = comparison.step() else { panic!("recorded already") };
        assert_ne!(early, end);
        comparison.go_to(8000);
        assert_eq!(comparison.step(), Step::Done(end));
    }

    #[test]
    fn differences_have_sign_and_share() {
        assert_eq!(difference(200, 150), "\u{2212}50 (\u{2212}25.0 %)");
        assert_eq!(difference(3, 4), "+1 (+33.3 %)");
        assert_eq!((difference(7, 7).as_str(), difference(0, 5).as_str()), ("same", "+5"));
    }

    #[test]
    fn a_side_that_cannot_be_is_named() {
        let mut sides = comparison().sides;
        let slabscope_worker::protocol::Allocator::Zsmalloc { bits, .. } = &mut sides[1].1.allocator else {
            panic!("zsmalloc")
        };
        *bits = 32;
        let why = Comparison::new(&sides).err().unwrap();
        assert!(why.starts_with("eight: "), "{why}");
    }
}
