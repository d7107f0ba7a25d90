//! The posting's table: a file system's metadata, rewritten many times.

use slabscope_core::pool::Pool as _;
use slabscope_core::zsmalloc::Pool;

use crate::figure::say;
use crate::published;
use crate::stream::Rewrites;
use crate::{Assumption, Case, Data, DataError, Histogram, Line, Options, Plot, Row, Sample, Step, Unit};

use super::lockstep::lockstep;
use super::{BASE, BEHIND, ERAS, FOLLOW_UP, MERGED, NEWER, POSTED, SEEDS};

/// Whose sizes small objects have: ext4's pages in the test of 2016, compressed with LZO like these.
pub(super) const SIZES: &str = "test2016_metadata";
/// Of those, sizes below this.
const SMALL: u32 = 513;
/// One block in so many holds what does not shrink, and takes a page.
pub(super) const WHOLE_PAGE_EVERY: Assumption =
    Assumption::number("wholepage", "One block in so many takes a page", [1, 10_000, 10]);
/// Blocks stored.
pub(super) const BLOCKS: Assumption = Assumption::number("blocks", "Blocks stored", [10, 100_000, 1695]);
/// Rewrites.
pub(super) const REWRITES: Assumption =
    Assumption::number("rewrites", "Rewrites of the blocks", [0, 200_000, 20_000]);

/// Orders in the table; the what-if variants of 4.5 repeat it.
const LISTED: [usize; 6] = [BASE, POSTED, FOLLOW_UP, MERGED, BEHIND, NEWER];

/// The columns of the table.
const COLUMNS: [(&str, &str, Unit); 6] = [
    ("almost_full", "almost_full_half_width_95", Unit::Spans),
    ("full", "full_half_width_95", Unit::Spans),
    ("almost_empty", "almost_empty_half_width_95", Unit::Spans),
    ("obj_allocated", "obj_allocated_half_width_95", Unit::Objects),
    ("obj_used", "obj_used_half_width_95", Unit::Objects),
    ("pages_used", "pages_used_half_width_95", Unit::Pages),
];
/// Place of `pages_used` and of `almost_empty`.
const PAGES: usize = 5;
const ALMOST_EMPTY: usize = 2;

/// The sums over all classes that a classes file ends with.
fn sums(pool: &Pool) -> [f64; COLUMNS.len()] {
    let totals = pool.totals();
    let mut groups = [0u64; 4];
    for class in pool.classes() {
        for (sum, count) in groups.iter_mut().zip(pool.group_counts(class.class)) {
            *sum += u64::from(count);
        }
    }
    let [_, almost_empty, almost_full, full] = groups;
    [almost_full, full, almost_empty, totals.capacity, totals.objects, totals.pages].map(|sum| sum as f64)
}

/// What the posting calls an order, if it measured it.
fn posted(index: usize) -> Option<&'static str> {
    match index {
        BASE => Some("base"),
        POSTED => Some("patched"),
        _ => None,
    }
}

/// What the posting measured, run by run.
fn posted_runs(index: usize, metric: &str) -> Sample {
    posted(index).map_or_else(Sample::default, |row| published::runs(Case::PartialOrdering, row, metric))
}

/// What the posting measured of an order less what it measured of the base, and half the width of the 95 % interval.
fn posted_difference(index: usize, column: usize) -> Option<(f64, f64)> {
    let (metric, _, _) = COLUMNS[column];
    let (theirs, base) = (posted_runs(index, metric), posted_runs(BASE, metric));
    let (one, other) = (theirs.half_width()?, base.half_width()?);
    Some((theirs.mean()? - base.mean()?, (one * one + other * other).sqrt()))
}

/// The stream on every list order, seed by seed.
pub(super) struct Metadata {
    seeds: u32,
    blocks: u32,
    whole_page_every: u32,
    rewrites: u32,
    small: Histogram,
    /// By order and column.
    samples: Vec<[Sample; COLUMNS.len()]>,
    /// Operations with another outcome than the base's, and than the first posting's, all seeds together.
    different: [[u64; 2]; ERAS.len()],
    operations: u64,
}

impl Metadata {
    pub(super) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        Ok(Self {
            seeds: options.get(&SEEDS),
            blocks: options.get(&BLOCKS),
            whole_page_every: options.get(&WHOLE_PAGE_EVERY),
            rewrites: options.get(&REWRITES),
            small: data.sizes(SIZES)?.below(SMALL),
            samples: vec![Default::default(); ERAS.len()],
            different: Default::default(),
            operations: 0,
        })
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds
    }

    pub(super) fn work(&mut self, slice: u32) {
        let small = &self.small;
        let ops = || {
            let size = |block: u32, rng: &mut slabscope_core::rng::Rng| {
                if block.is_multiple_of(self.whole_page_every) { 4096 } else { small.sample(rng) }
            };
            Rewrites::new(size, self.blocks, self.rewrites, u64::from(slice) + 1)
        };
        let base = lockstep(ops(), [BASE; ERAS.len()]);
        let posting = lockstep(ops(), [POSTED; ERAS.len()]);
        for ((samples, ran), different) in self.samples.iter_mut().zip(&base).zip(&mut self.different) {
            for (sample, value) in samples.iter_mut().zip(sums(&ran.pool)) {
                sample.push(value);
            }
            different[0] += ran.different;
        }
        for (ran, different) in posting.iter().zip(&mut self.different) {
            different[1] += ran.different;
        }
        self.operations += ops().count() as u64;
    }

    fn sample(&self, era: usize, column: usize) -> Option<&Sample> {
        self.samples.get(era)?.get(column)
    }

    /// How many of the orders place every object just as another one does.
    fn all_as(&self, eras: &[usize], other: usize) -> bool {
        eras.iter().all(|&era| self.different.get(era).is_some_and(|different| different[other] == 0))
    }

    /// The finding, as far as it is about the posting's table.
    pub(super) fn told(&self) -> String {
        let difference = |column: usize| {
            let (base, posted) = (self.sample(BASE, column)?, self.sample(POSTED, column)?);
            let difference = posted.less(base);
            Some((difference.mean()?, difference.half_width()?))
        };
        let (Some((pages, width)), Some((published, noise))) =
            (difference(PAGES), posted_difference(POSTED, PAGES))
        else {
            return "At least two seeds are needed to say how sure a difference is.".to_owned();
        };
        let more =
            |pages: f64| format!("{} {}", say(pages.abs(), 1), if pages < 0.0 { "fewer" } else { "more" });
        let verdict = |within: bool| if within { "within the noise" } else { "beyond the noise" };
        format!(
            "On the same stream the posted order uses {} pages than the base on average, give or take {} ({}); the posting's \
             five runs of each showed {}, give or take {} ({}).",
            more(pages),
            say(width, 1),
            verdict(pages.abs() <= width),
            more(published),
            say(noise, 1),
            verdict(published.abs() <= noise),
        )
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for index in LISTED {
            let (Some(era), Some(samples)) = (ERAS.get(index), self.samples.get(index)) else { continue };
            for ((metric, half_width, unit), sample) in COLUMNS.into_iter().zip(samples) {
                let theirs = posted_runs(index, metric);
                rows.push(
                    Row::new(era.name(), metric, unit)
                        .published(theirs.mean())
                        .mean_of(sample)
                        .digits(1)
                        .note(posted(index).map_or_else(String::new, |name| {
                            format!("published: {name}, mean of five runs")
                        })),
                );
                rows.push(
                    Row::new(era.name(), half_width, unit)
                        .published(theirs.half_width())
                        .predicted(sample.half_width())
                        .digits(2),
                );
            }
        }
        // All orders take some 300 pages; what is of interest is by how much they differ on each stream.
        let line = |index: usize| Line {
            name: ERAS.get(index).map_or("", |era| era.label()).to_owned(),
            points: self
                .sample(index, PAGES)
                .zip(self.sample(BASE, PAGES))
                .map(|(sample, base)| {
                    (1..).map(f64::from).zip(sample.less(base).values().iter().copied()).collect()
                })
                .unwrap_or_default(),
            published: false,
        };
        let plot = Plot {
            title: "Pages used more than by the base, seed by seed",
            x: "seed",
            x_by_factors: false,
            y: "pages",
            lines: vec![line(POSTED), line(MERGED)],
        };
        let text = format!(
            "{} blocks hold a file system's metadata: one in {} does not shrink and takes a page, the others have \
             sizes that ext4's pages had in the test of 2016, up to {} bytes. They are rewritten {} times at random, the new object \
             stored before the old one goes. Sizes and shares were chosen once, so that the base uses about as many pages as the \
             posting's (it had fewer almost full zspages, so its writes were less random); the table then has the posting's columns for every list order, always on the same stream.",
            say(self.blocks.into(), 0),
            self.whole_page_every,
            SMALL - 1,
            say(self.rewrites.into(), 0)
        );
        Step { title: "The posting's table", text, rows, plots: vec![plot] }
    }

    /// Is a difference larger than the noise, and which orders are the same.
    pub(super) fn differences(&self) -> Step {
        let mut rows = Vec::new();
        for index in [POSTED, FOLLOW_UP, MERGED, BEHIND] {
            let Some(era) = ERAS.get(index) else { continue };
            let name = format!("{} less 4.2", era.name());
            for column in [PAGES, ALMOST_EMPTY] {
                let (metric, half_width, unit) = COLUMNS[column];
                let (Some(base), Some(other)) = (self.sample(BASE, column), self.sample(index, column))
                else {
                    continue;
                };
                let difference = other.less(base);
                let (published, width) = posted_difference(index, column).unzip();
                rows.push(
                    Row::new(&name, metric, unit).published(published).mean_of(&difference).digits(2).note(
                        "ours: seed by seed on the same stream; published: means of five runs each on streams of their own",
                    ),
                );
                rows.push(
                    Row::new(&name, half_width, unit)
                        .published(width)
                        .predicted(difference.half_width())
                        .digits(2)
                        .note("the difference is larger than the noise if it is above this"),
                );
            }
        }
        for (index, era) in ERAS.into_iter().enumerate().skip(1) {
            let different = self.different.get(index).copied().unwrap_or_default();
            for (different, metric) in
                different.into_iter().zip(["operations_unlike_4.2", "operations_unlike_4.2-rfc3"])
            {
                rows.push(
                    Row::new(era.name(), metric, Unit::Count)
                        .predicted(different as f64)
                        .note(format!("of {} operations of all seeds", self.operations)),
                );
            }
        }
        let same = if self.all_as(&[MERGED, BEHIND, NEWER], 0) {
            "the base, what was merged, the variant behind the head and 6.1 place every object alike, operation for operation"
        } else {
            "base and merged order differ here, which contradicts what compiled kernels showed"
        };
        let twins = if self.all_as(&[FOLLOW_UP], 1) {
            "the two postings do not differ from each other either"
        } else {
            "the two postings differ from each other here"
        };
        let text = format!(
            "Without compaction {same}, and {twins}. A zspage enters a list with fewer objects than the head only when compaction \
             puts it back, or when two CPUs each make one: from full it comes with as many as a zspage of that list can have, and \
             a new one is only made when the list is empty. So the merged comparison never decides anything. The posted code does \
             something else: it keeps the new zspage first and moves the OLD head to the tail. That is a rotation, which \
             spreads later allocations over zspages instead of filling one.{}",
            posted_difference(POSTED, ALMOST_EMPTY).filter(|(fewer, width)| fewer.abs() > *width).map_or_else(
                String::new,
                |(fewer, width)| format!(
                    " The posting's own runs differ by more than their noise in one column only, almost empty zspages: {} \
                     fewer, give or take {}.",
                    say(-fewer, 1),
                    say(width, 1)
                )
            )
        );
        Step { title: "Larger than the noise?", text, rows, plots: Vec::new() }
    }
}
