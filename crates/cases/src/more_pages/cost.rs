//! What more pages cost: pages asked for at once, and zspages that are partly filled.

use slabscope_core::oplog::apply;
use slabscope_core::pool::Pool as _;
use slabscope_core::zsmalloc::{Geometry, Pool};

use crate::figure::say;
use crate::stream::{Demand, Rewrites, of, partly_filled};
use crate::{Assumption, Histogram, Options, Row, Sample, Step, Unit};

use super::{LOOKED_AT, SEEDS, Tables, setting};

/// Pages stored.
pub(super) const STORED: Assumption =
    Assumption::number("stored", "Pages stored where cost is measured", [100, 500_000, 50_000]);
/// Rewrites after they are.
pub(super) const REWRITES: Assumption =
    Assumption::number("rewrites", "Rewrites of those", [1, 1_000_000, 100_000]);

/// What is measured of a run.
#[derive(Clone, Copy)]
enum Metric {
    PagesAtEnd,
    PagesAtPeak,
    PartlyFilled,
    FillingPagesPerDemand,
    FillingDemands,
    RewritingPagesPerDemand,
    RewritingDemands,
}

const METRICS: [(Metric, &str, Unit); 7] = [
    (Metric::PagesAtEnd, "pages_after_rewrites", Unit::Pages),
    (Metric::PagesAtPeak, "pages_at_peak", Unit::Pages),
    (Metric::PartlyFilled, "partly_filled_after_rewrites", Unit::Spans),
    (Metric::FillingPagesPerDemand, "pages_per_new_zspage_filling", Unit::Ratio),
    (Metric::FillingDemands, "new_zspages_per_1000_stores_filling", Unit::Ratio),
    (Metric::RewritingPagesPerDemand, "pages_per_new_zspage_rewriting", Unit::Ratio),
    (Metric::RewritingDemands, "new_zspages_per_1000_stores_rewriting", Unit::Ratio),
];

/// A pool of each setting that is filled and rewritten, seed by seed.
pub(super) struct Churn {
    seeds: u32,
    stored: u32,
    rewrites: u32,
    /// By setting and metric.
    samples: Vec<[Sample; METRICS.len()]>,
    /// Most pages that one allocation asked for, by setting.
    largest: Vec<u16>,
}

impl Churn {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            seeds: options.get(&SEEDS),
            stored: options.get(&STORED),
            rewrites: options.get(&REWRITES),
            samples: vec![Default::default(); LOOKED_AT.len()],
            largest: vec![0; LOOKED_AT.len()],
        }
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds * LOOKED_AT.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32, old: &Tables, all: &Histogram) {
        let index = slice as usize % LOOKED_AT.len();
        let seed = u64::from(slice / LOOKED_AT.len() as u32) + 1;
        let (Some(geometry), Some(samples), Some(largest)) =
            (old.at(LOOKED_AT[index]), self.samples.get_mut(index), self.largest.get_mut(index))
        else {
            return;
        };
        let (values, demand) = run(geometry, all, (self.stored, self.rewrites), seed);
        *largest = demand.largest.max(*largest);
        for (sample, value) in samples.iter_mut().zip(values) {
            sample.push(value);
        }
    }

    pub(super) fn step(&self, old: &Tables, all: &Histogram) -> Step {
        let mut rows = Vec::new();
        for ((max_pages, samples), &largest) in LOOKED_AT.into_iter().zip(&self.samples).zip(&self.largest) {
            let Some(packing) = old.packing(max_pages, all) else { continue };
            let row = |metric, unit| Row::new(setting(max_pages), metric, unit);
            let whole = "the whole test, packed without a gap";
            let demand = packing.largest_demand();
            rows.push(
                row("pages_at_once_at_most", Unit::Pages)
                    .predicted(f64::from(demand.max(u32::from(largest))))
                    .note("asked for by one allocation that finds no room"),
            );
            rows.push(
                row("classes_in_use", Unit::Count)
                    .predicted(packing.classes.iter().filter(|share| share.objects > 0).count() as f64)
                    .note(whole),
            );
            rows.push(row("partly_filled", Unit::Spans).predicted(packing.partial() as f64).note(whole));
            for (sample, (_, metric, unit)) in samples.iter().zip(METRICS) {
                rows.push(row(metric, unit).mean_of(sample).note(format!(
                    "{} pages stored and {} times rewritten",
                    say(self.stored.into(), 0),
                    say(self.rewrites.into(), 0)
                )));
            }
        }
        Step { title: "What it costs: pages at once", text: self.text(), rows, plots: Vec::new() }
    }

    fn text(&self) -> String {
        let mean = |max_pages: u8, metric: Metric| {
            let index = LOOKED_AT.iter().position(|&other| other == max_pages)?;
            self.samples.get(index)?.get(metric as usize)?.mean()
        };
        let told = |max_pages| {
            Some(format!(
                "with {max_pages} pages {} new zspages for 1,000 stores, of {} pages each on average",
                say(mean(max_pages, Metric::FillingDemands)?, 0),
                say(mean(max_pages, Metric::FillingPagesPerDemand)?, 2)
            ))
        };
        let told: Vec<String> = [4, 6, 8, 16].into_iter().filter_map(told).collect();
        let left = |max_pages| {
            let mean = mean(max_pages, Metric::PartlyFilled);
            mean.map_or_else(String::new, |mean| say(mean, 0))
        };
        format!(
            "The pages of a zspage are single pages, asked for one after the other when an object finds no room; not once per \
             object. While a pool fills with {} pages: {}. When they are rewritten at random, new zspages become rare. The \
             price that stays are zspages with room, which wait for an object of just their class: {} with 4 pages, {} with 6, \
             {} with 8 and {} with 16.",
            say(self.stored.into(), 0),
            told.join("; "),
            left(4),
            left(6),
            left(8),
            left(16)
        )
    }
}

/// Runs one pool; the values are in the order of [`METRICS`].
fn run(
    geometry: &Geometry,
    sizes: &Histogram,
    (stored, rewrites): (u32, u32),
    seed: u64,
) -> ([f64; METRICS.len()], Demand) {
    let mut pool = Pool::new(geometry.clone());
    let mut filling = Demand::default();
    let mut ops = Rewrites::new(of(sizes), stored, rewrites, seed);
    for op in ops.by_ref().take(stored as usize) {
        apply(&mut pool, op, &mut filling);
    }
    let mut demand = Demand::default();
    for op in ops {
        apply(&mut pool, op, &mut demand);
    }
    let totals = pool.totals();
    let values = METRICS.map(|(metric, _, _)| match metric {
        Metric::PagesAtEnd => totals.pages as f64,
        Metric::PagesAtPeak => totals.pages_peak as f64,
        Metric::PartlyFilled => partly_filled(&pool) as f64,
        Metric::FillingPagesPerDemand => filling.pages_each(),
        Metric::FillingDemands => filling.spans as f64 * 1000.0 / f64::from(stored),
        Metric::RewritingPagesPerDemand => demand.pages_each(),
        Metric::RewritingDemands => demand.spans as f64 * 1000.0 / f64::from(rewrites),
    });
    demand.largest = demand.largest.max(filling.largest);
    (values, demand)
}
