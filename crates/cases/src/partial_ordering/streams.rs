//! Other streams: random, fragmenting, and fragmenting with compaction.

use slabscope_core::workload::{Kind, SizeDist, Spec};

use crate::figure::say;
use crate::{Case, Row, Sample, Step, Unit, published};

use super::lockstep::{Ran, lockstep};
use super::{BASE, BEHIND, ERAS, FOLLOW_UP, MERGED, NEWER, POSTED};

struct Stream {
    name: &'static str,
    kind: Kind,
    operations: u32,
    compact_every: u32,
}

/// The fragmenting stream ends when it has drained for the fourth time; with compaction all end some operations after
/// the last one, because right after it there is nothing left to compare.
const STREAMS: [Stream; 4] = [
    Stream { name: "random", kind: Kind::Churn, operations: 40_000, compact_every: 0 },
    Stream { name: "fragmenting", kind: Kind::Fragment, operations: 35_250, compact_every: 0 },
    Stream { name: "random, compacted", kind: Kind::Churn, operations: 40_000, compact_every: 3_000 },
    Stream { name: "fragmenting, compacted", kind: Kind::Fragment, operations: 38_000, compact_every: 3_000 },
];
const RANDOM: usize = 0;
const FRAGMENTING: usize = 1;

impl Stream {
    /// What an order is compared with: the base, or with compaction what was merged, because 4.2 compacts by other
    /// rules.
    const fn against(&self, order: usize) -> usize {
        if self.compact_every > 0 && order >= MERGED { MERGED } else { BASE }
    }

    /// Orders worth a row: without compaction the what-if variants repeat the others.
    const fn lists(&self, order: usize) -> bool {
        order != self.against(order)
            && (self.compact_every > 0 || matches!(order, POSTED | FOLLOW_UP | MERGED | BEHIND | NEWER))
    }
}

/// What is compared.
const METRICS: [&str; 3] =
    ["pages_end_change_percent", "pages_peak_change_percent", "pages_mean_change_percent"];
const UNLIKE: &str = "operations_unlike_percent";
/// Live objects that a stream aims at.
const LIVE: u32 = 2_000;

/// The streams on every list order, seed by seed.
pub(super) struct Streams {
    seeds: u32,
    /// By stream, order and metric; the last is the share of operations with another outcome.
    samples: Vec<Vec<[Sample; METRICS.len() + 1]>>,
}

impl Streams {
    pub(super) fn new(seeds: u32) -> Self {
        Self { seeds, samples: vec![vec![Default::default(); ERAS.len()]; STREAMS.len()] }
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds * STREAMS.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        let index = slice as usize % STREAMS.len();
        let (Some(stream), Some(orders)) = (STREAMS.get(index), self.samples.get_mut(index)) else { return };
        let spec = Spec {
            kind: stream.kind,
            dist: SizeDist::Uniform,
            fixed_size: None,
            seed: u64::from(slice / STREAMS.len() as u32) + 1,
            operations: stream.operations,
            live: LIVE,
            compact_every: stream.compact_every,
        };
        let ran = lockstep(spec.ops(), std::array::from_fn(|order| stream.against(order)));
        for (order, (samples, this)) in orders.iter_mut().zip(&ran).enumerate() {
            let Some(base) = ran.get(stream.against(order)) else { continue };
            let change = |of: fn(&Ran) -> f64| (of(this) / of(base) - 1.0) * 100.0;
            let unlike = this.different as f64 * 100.0 / f64::from(stream.operations);
            let values = [change(Ran::pages), change(Ran::peak), change(Ran::mean_pages), unlike];
            for (sample, value) in samples.iter_mut().zip(values) {
                sample.push(value);
            }
        }
    }

    fn mean(&self, stream: usize, order: usize, metric: usize) -> Option<f64> {
        self.samples.get(stream)?.get(order)?.get(metric)?.mean()
    }

    /// A change as words: 0.40 % more pages (give or take 0.10).
    fn change(&self, stream: usize, order: usize, metric: usize) -> String {
        let sample = self.samples.get(stream).and_then(|orders| orders.get(order)?.get(metric));
        let Some((sample, mean)) = sample.and_then(|sample| Some((sample, sample.mean()?))) else {
            return "? % more pages".to_owned();
        };
        let width = sample
            .half_width()
            .map_or_else(String::new, |width| format!(" (give or take {})", say(width, 2)));
        format!("{} % {} pages{width}", say(mean.abs(), 2), if mean < 0.0 { "fewer" } else { "more" })
    }

    /// The largest change of the end with compaction, among orders that differ in nothing else.
    fn largest_compacted(&self) -> Option<f64> {
        let compacted = (0..STREAMS.len()).filter(|&stream| STREAMS[stream].compact_every > 0);
        let means =
            compacted.flat_map(|stream| (0..ERAS.len()).filter_map(move |order| self.mean(stream, order, 0)));
        means.map(f64::abs).reduce(f64::max)
    }

    /// How far single fragmenting runs are from each other.
    fn single(&self) -> String {
        let ends = self.samples.get(FRAGMENTING).and_then(|orders| orders.get(POSTED)?.first());
        let ends = ends.map_or(&[] as &[f64], Sample::values);
        let fewer = ends.iter().filter(|&&change| change < 0.0).count();
        let (least, most) = (ends.iter().copied().reduce(f64::min), ends.iter().copied().reduce(f64::max));
        let (Some(least), Some(most)) = (least, most) else { return String::new() };
        format!(
            "Single runs end between {} and {} %, {fewer} of {} with fewer pages: another model's one stream, 0.5 % lower, is \
             a draw among these and no sign of a gain. ",
            say(least, 1),
            say(most, 1),
            ends.len()
        )
    }

    pub(super) fn told(&self) -> String {
        format!(
            "The posted order is a rotation: {} at the end of random operations, {} after fragmenting ones. What was merged \
             places every object as the base does, without compaction; with it all orders end within {} % of each other.",
            self.change(RANDOM, POSTED, 0),
            self.change(FRAGMENTING, POSTED, 0),
            say(self.largest_compacted().unwrap_or(0.0), 2)
        )
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for (stream, orders) in STREAMS.iter().zip(&self.samples) {
            for (index, (era, samples)) in ERAS.into_iter().zip(orders).enumerate() {
                let other = ERAS.get(stream.against(index)).filter(|_| stream.lists(index));
                let Some(other) = other else { continue };
                for (metric, sample) in METRICS.into_iter().chain([UNLIKE]).zip(samples) {
                    let name = format!("{}, {} against {}", stream.name, era.name(), other.name());
                    let theirs = published::mean(Case::PartialOrdering, &name, metric);
                    rows.push(
                        Row::new(name, metric, Unit::Percent).published(theirs).mean_of(sample).digits(3),
                    );
                }
            }
        }
        let text = format!(
            "Sizes from 1 to 4,096 bytes, up to some {} live objects. Random allocations and frees: the posted order ends with {}. \
             Filling up and freeing seven of eight, again and again: {} when it has drained, {} on average. {}The follow-up \
             does the same ({} on random operations). With compaction, orders that differ in nothing else end within {} % of each \
             other, on average over the seeds: moving objects does what an order can only hope for.",
            say(LIVE.into(), 0),
            self.change(RANDOM, POSTED, 0),
            self.change(FRAGMENTING, POSTED, 0),
            self.change(FRAGMENTING, POSTED, 2),
            self.single(),
            self.change(RANDOM, FOLLOW_UP, 0),
            say(self.largest_compacted().unwrap_or(0.0), 2)
        );
        Step { title: "Other streams, and compaction", text, rows, plots: Vec::new() }
    }
}
