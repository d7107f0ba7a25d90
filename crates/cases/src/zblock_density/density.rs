//! How dense: packed without a gap, and after the store was rewritten.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::packing::Packing;
use slabscope_core::pool::{Ignore, Pool as _};

use crate::figure::say;
use crate::published;
use crate::stream::{Rewrites, of};
use crate::{Assumption, Case, Line, Options, Plot, Row, Sample, Step, Unit};

use super::backends::{DEFAULT, NAMES, NEWEST, V2};
use super::waste::Waste;
use super::{PAGE_SIZES, SEEDS, Set};

/// Objects stored; of 16K pages a quarter.
pub(super) const OBJECTS: Assumption =
    Assumption::number("objects", "Objects stored, a quarter with 16K pages", [100, 400_000, 100_000]);
/// How often they are rewritten.
pub(super) const REWRITES: Assumption =
    Assumption::number("rewrites", "Times they are rewritten", [0, 10, 2]);

/// Figures of a run.
const METRICS: [(&str, Unit); 8] = [
    ("bytes_per_object_rewritten", Unit::Ratio),
    ("bytes_per_object_at_peak", Unit::Ratio),
    ("handle_bytes_per_object_rewritten", Unit::Ratio),
    ("rounding_bytes_per_object_rewritten", Unit::Ratio),
    ("tail_bytes_per_object_rewritten", Unit::Ratio),
    ("empty_bytes_per_object_rewritten", Unit::Ratio),
    ("pages_rewritten", Unit::Pages),
    ("pages_compacted", Unit::Pages),
];
const REWRITTEN: usize = 0;
const PEAK: usize = 1;
const COMPACTED: usize = 7;

type Figures = [f64; METRICS.len()];

/// The sets on every backend.
pub(super) struct Density {
    seeds: u32,
    objects: u32,
    rewrites: u32,
    /// By set and backend.
    packed: Vec<Vec<Waste>>,
    /// By set, backend and metric.
    samples: Vec<Vec<[Sample; METRICS.len()]>>,
    page_shifts: Vec<u8>,
}

impl Density {
    pub(super) fn new(options: &Options, sets: &[Set]) -> Self {
        let packed = |set: &Set| {
            let backends = set.backends.iter();
            let pack = backends.map(|backend| {
                let packing = Packing::new(backend, set.common.counts());
                Waste::packed(backend, set.page_bytes(), &packing)
            });
            pack.collect()
        };
        Self {
            seeds: options.get(&SEEDS),
            objects: options.get(&OBJECTS),
            rewrites: options.get(&REWRITES),
            packed: sets.iter().map(packed).collect(),
            samples: sets.iter().map(|set| vec![Default::default(); set.backends.len()]).collect(),
            page_shifts: sets.iter().map(|set| set.page_shift).collect(),
        }
    }

    pub(super) fn slices(&self, sets: &[Set]) -> u32 {
        self.seeds * (sets.len() * NAMES.len()) as u32
    }

    pub(super) fn work(&mut self, slice: u32, sets: &[Set]) {
        let (slice, each) = (slice as usize, sets.len().max(1) * NAMES.len());
        let (seed, index, backend) = (slice / each + 1, slice % each / NAMES.len(), slice % NAMES.len());
        let Some(set) = sets.get(index) else { return };
        let Some(tried) = set.backends.get(backend) else { return };
        let values = self.run(set, tried, seed as u64);
        let samples = self.samples.get_mut(index).and_then(|samples| samples.get_mut(backend));
        for (sample, value) in samples.into_iter().flatten().zip(values) {
            sample.push(value);
        }
    }

    fn run(&self, set: &Set, backend: &super::Backend, seed: u64) -> Figures {
        let live = if set.page_shift > 12 { self.objects / 4 } else { self.objects };
        let page = set.page_bytes();
        let mut pool = backend.pool();
        for op in Rewrites::new(of(&set.common), live, live * self.rewrites, seed) {
            apply(&mut pool, op, &mut Ignore);
        }
        let totals = pool.totals();
        let waste = Waste::of_pool(backend, page, &pool.classes(), &totals);
        let [handle, rounding, tail, empty] = waste.parts();
        let peak = totals.pages_peak as f64 * f64::from(page) / f64::from(live);
        apply(&mut pool, Op::Compact, &mut Ignore);
        let compacted = pool.totals().pages as f64;
        [waste.total, peak, handle, rounding, tail, empty, totals.pages as f64, compacted]
    }

    fn mean(&self, set: usize, backend: usize, metric: usize) -> Option<f64> {
        self.samples.get(set)?.get(backend)?.get(metric)?.mean()
    }

    /// Bytes of an object with its share of everything, after rewriting.
    pub(super) fn rewritten(&self, set: usize, backend: usize) -> Option<f64> {
        self.mean(set, backend, REWRITTEN)
    }

    /// By how many percent a backend takes more than zsmalloc's default, in one set.
    fn more(&self, set: usize, backend: usize, measure: Measure) -> Option<f64> {
        let of = |backend: usize| match measure {
            Measure::Packed => Some(self.packed.get(set)?.get(backend)?.total),
            Measure::Run(metric) => self.mean(set, backend, metric),
        };
        Some((of(backend)? / of(DEFAULT)? - 1.0) * 100.0)
    }

    /// Mean, least and most of that over the sets of a page size.
    fn over_sets(&self, page_shift: u8, backend: usize, measure: Measure) -> Option<[f64; 3]> {
        let sets = self.page_shifts.iter().enumerate().filter(|&(_, &shift)| shift == page_shift);
        let found: Vec<f64> = sets.filter_map(|(set, _)| self.more(set, backend, measure)).collect();
        let mean = found.iter().sum::<f64>() / found.len() as f64;
        let least = found.iter().copied().reduce(f64::min)?;
        Some([mean, least, found.iter().copied().reduce(f64::max)?])
    }

    /// The claim in a sentence, for 4K and 16K.
    pub(super) fn told(&self) -> String {
        let mean = |page_shift, backend, measure| Some(self.over_sets(page_shift, backend, measure)?[0]);
        let one = |page_shift, backend| {
            let rewritten = mean(page_shift, backend, Measure::Run(REWRITTEN))?;
            let packed = mean(page_shift, backend, Measure::Packed)?;
            Some((
                format!("{} packed and {} rewritten", signed(packed), signed(rewritten)),
                packed,
                rewritten,
            ))
        };
        let found =
            [(12, V2), (12, NEWEST), (14, V2), (14, NEWEST)].map(|(shift, backend)| one(shift, backend));
        let [Some(small), Some(small_newest), Some(large), Some(large_newest)] = found else {
            return String::new();
        };
        format!(
            "Pages for the same stream, against zsmalloc with its default of 8: with 4K pages zblock v2 needs {}, its last version \
             {}; with 16K pages v2 {}, the last version {}. The claim, for the version that was posted: with 4K pages {} packed \
             and {} in use, with 16K pages {} packed and {} in use.",
            small.0,
            small_newest.0,
            large.0,
            large_newest.0,
            density(small.1),
            density(small.2),
            density(large.1),
            density(large.2)
        )
    }

    pub(super) fn summary(&self, sets: &[Set]) -> Step {
        let mut rows = Vec::new();
        let mut plots = Vec::new();
        for (page_shift, pages) in PAGE_SIZES {
            for (backend, name) in NAMES.iter().enumerate().filter(|&(backend, _)| backend != DEFAULT) {
                for (measure, what) in [
                    (Measure::Packed, "packed"),
                    (Measure::Run(REWRITTEN), "rewritten"),
                    (Measure::Run(PEAK), "at peak"),
                ] {
                    let Some([mean, least, most]) = self.over_sets(page_shift, backend, measure) else {
                        continue;
                    };
                    let row =
                        |metric| Row::new(format!("{pages} pages, {name}, {what}"), metric, Unit::Percent);
                    rows.push(row("more_than_zsmalloc_8_percent").predicted(mean).note(format!(
                        "mean over nine sets, {} to {}",
                        signed(least),
                        signed(most)
                    )));
                }
            }
            let mut lines = Vec::new();
            for (backend, name) in NAMES.iter().enumerate().filter(|&(backend, _)| backend != DEFAULT) {
                let of_size = sets.iter().enumerate().filter(|(_, set)| set.page_shift == page_shift);
                let points = of_size.filter_map(|(set, _)| self.more(set, backend, Measure::Run(REWRITTEN)));
                lines.push(Line {
                    name: (*name).to_owned(),
                    points: (1..).map(f64::from).zip(points).collect(),
                    published: false,
                });
            }
            plots.push(Plot {
                title: if page_shift == 12 {
                    "More than zsmalloc with 8 pages, rewritten, 4K pages"
                } else {
                    "More than zsmalloc with 8 pages, rewritten, 16K pages"
                },
                x: "set: process memory, libraries, source, each with LZO, LZ4, zstd",
                x_by_factors: false,
                y: "%",
                lines,
            });
        }
        let text = format!(
            "Nine sets of pages of each size: memory of processes, libraries, and source text, each compressed with LZO, LZ4 and \
             zstd. Every backend gets the same stream, of sizes that all of them take: packed without a gap, and after {} objects \
             (with 16K pages {}) were rewritten {} times over at random. Pages that do not shrink are left out: zswap \
             refuses them whatever the backend.",
            say(self.objects.into(), 0),
            say((self.objects / 4).into(), 0),
            self.rewrites
        );
        Step { title: "The same stream through both", text, rows, plots }
    }

    /// The posting's runs, and what the same stream says about the same data.
    pub(super) fn posting(&self, sets: &[Set]) -> Step {
        let mut rows = Vec::new();
        let set = sets.iter().position(|set| set.name == "procmem_4k_lzo").unwrap_or(0);
        let ours = self.more(set, V2, Measure::Run(REWRITTEN));
        let packed = self.more(set, V2, Measure::Packed);
        let mut range: Option<(f64, f64)> = None;
        for jobs in ["4 jobs", "8 jobs", "16 jobs", "other machine"] {
            let figure =
                |backend: &str, metric| published::mean(Case::Zblock, &format!("{jobs}, {backend}"), metric);
            let each = |backend| Some(figure(backend, "zswap_kb")? / figure(backend, "zswapped_kb")?);
            let theirs = each("zblock")
                .zip(each("zsmalloc"))
                .map(|(zblock, zsmalloc)| (zblock / zsmalloc - 1.0) * 100.0);
            if let Some(theirs) = theirs {
                let (low, high) = range.unwrap_or((theirs, theirs));
                range = Some((low.min(theirs), high.max(theirs)));
            }
            rows.push(
                Row::new(jobs, "zblock_bytes_more_percent", Unit::Percent)
                    .published(theirs)
                    .predicted(ours)
                    .note("published: each backend on what it happened to swap; ours: v2 on one stream, process memory, LZO"),
            );
            rows.push(
                Row::new(jobs, "zblock_bytes_more_percent_packed", Unit::Percent)
                    .published(theirs)
                    .predicted(packed)
                    .note("ours: the same, packed without a gap"),
            );
            for (backend, name) in [(V2, "zblock"), (DEFAULT, "zsmalloc")] {
                let bytes = self.mean(set, backend, REWRITTEN);
                rows.push(
                    Row::new(format!("{jobs}, {name}"), "ratio", Unit::Ratio)
                        .published(figure(name, "ratio"))
                        .predicted(bytes.map(|bytes| 4096.0 / bytes))
                        .digits(2)
                        .note(
                            "ours: process memory, LZO, rewritten; another build's memory shrinks otherwise",
                        ),
                );
            }
        }
        let text = range.map_or_else(String::new, |(low, high)| {
            format!(
                "In the posting's runs zblock took from {} to {} bytes for a stored page, against zsmalloc. The runs swapped \
                 different amounts of different pages, so that says little. On one stream v2 takes {} packed without a gap and {} \
                 after random rewriting, which is the worst case for a rule that looks at one block only: a build that frees \
                 pages in the order in which it stored them lies between.",
                signed(low),
                signed(high),
                packed.map_or_else(|| "?".to_owned(), signed),
                ours.map_or_else(|| "?".to_owned(), signed)
            )
        });
        Step { title: "The posting's runs", text, rows, plots: Vec::new() }
    }

    /// Every set and backend.
    pub(super) fn each(&self, sets: &[Set]) -> Step {
        let mut rows = Vec::new();
        for ((set, packed), samples) in sets.iter().zip(&self.packed).zip(&self.samples) {
            let left_out = set.stored.objects() - set.common.objects();
            let percent = left_out as f64 * 100.0 / set.stored.objects().max(1) as f64;
            rows.push(
                Row::new(&set.name, "left_out_percent", Unit::Percent)
                    .predicted(percent)
                    .note("sizes that not every backend takes"),
            );
            let mean = set.common.bytes() as f64 / set.common.objects().max(1) as f64;
            rows.push(Row::new(&set.name, "mean_size_bytes", Unit::Ratio).predicted(mean).digits(1));
            for (index, ((name, packed), samples)) in NAMES.iter().zip(packed).zip(samples).enumerate() {
                let row = |metric, unit| Row::new(format!("{}, {name}", set.name), metric, unit);
                rows.push(
                    row("bytes_per_object", Unit::Ratio).predicted(packed.total).digits(1).note("packed"),
                );
                let causes = [
                    "handle_bytes_per_object",
                    "rounding_bytes_per_object",
                    "tail_bytes_per_object",
                    "empty_bytes_per_object",
                ];
                for (metric, part) in causes.into_iter().zip(packed.parts()) {
                    rows.push(row(metric, Unit::Ratio).predicted(part).digits(1).note("packed"));
                }
                for (metric, ((label, unit), sample)) in METRICS.into_iter().zip(samples).enumerate() {
                    if metric == COMPACTED && index < 3 {
                        continue;
                    }
                    rows.push(row(label, unit).mean_of(sample).digits(1));
                }
            }
        }
        let parts = |backend: usize| {
            let set = sets.iter().position(|set| set.name == "procmem_4k_lzo")?;
            let of = |metric| self.mean(set, backend, metric).map(|mean| say(mean, 0));
            Some(format!("{} rounding, {} tails and headers, {} empty slots", of(3)?, of(4)?, of(5)?))
        };
        let text = format!(
            "Where the bytes of an object go, beside its own. Process memory with LZO, rewritten: zblock v2 {}; its last version \
             {}; zsmalloc with 8 pages {} and a handle of 8.",
            parts(V2).unwrap_or_default(),
            parts(NEWEST).unwrap_or_default(),
            parts(DEFAULT).unwrap_or_default()
        );
        Step { title: "Waste by cause, set by set", text, rows, plots: Vec::new() }
    }
}

/// What is compared.
#[derive(Clone, Copy)]
enum Measure {
    Packed,
    Run(usize),
}

/// A percentage with its direction: 2.1 % more.
fn signed(percent: f64) -> String {
    format!("{} % {}", say(percent.abs(), 1), if percent < 0.0 { "fewer" } else { "more" })
}

/// What a difference comes to; below three percent it is none that matters.
const fn density(percent: f64) -> &'static str {
    if percent > 3.0 {
        "less dense"
    } else if percent < -3.0 {
        "denser"
    } else {
        "no substantial difference"
    }
}
