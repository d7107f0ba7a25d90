//! The posting's question about fragmentation: how much memory lies in blocks of more than one page.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::rng::Rng;
use slabscope_core::slub::{Config, Generation, Geometry, Pool, kmalloc_caches};

use crate::figure::say;
use crate::published;
use crate::stream::{Rewrites, of};
use crate::{Case, Histogram, Row, Sample, Step, Unit};

use super::POSTED;

/// Objects of the kmalloc caches, all of which get the same number.
const KMALLOC_OBJECTS: u32 = 24_000;
/// Orders that are told apart: 0, 1, 2, 3 and more.
const ORDERS: usize = 4;

/// When the pool is looked at.
const MOMENTS: [&str; 2] = ["full", "drained"];

/// Pages in blocks of each order, by moment.
type Pages = [[u64; ORDERS]; MOMENTS.len()];

const METRICS: [&str; ORDERS] =
    ["pages", "share_order_1_up_percent", "share_order_2_up_percent", "share_order_3_percent"];

/// Pools of every generation that fill up, are rewritten and drained, seed by seed.
pub(super) struct Blocks {
    cpus: u32,
    seeds: u32,
    /// By generation, moment and metric.
    samples: Vec<[[Sample; ORDERS]; MOMENTS.len()]>,
}

impl Blocks {
    pub(super) fn new(cpus: u32, seeds: u32) -> Self {
        Self { cpus, seeds, samples: vec![Default::default(); Generation::ALL.len()] }
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds * Generation::ALL.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32) {
        let index = slice as usize % Generation::ALL.len();
        let seed = u64::from(slice / Generation::ALL.len() as u32) + 1;
        let pages = run(Generation::ALL[index], self.cpus, seed);
        let Some(moments) = self.samples.get_mut(index) else { return };
        for (samples, pages) in moments.iter_mut().zip(pages) {
            let total = pages.iter().sum::<u64>() as f64;
            samples[0].push(total);
            for (order, sample) in samples.iter_mut().enumerate().skip(1) {
                let above: u64 = pages[order..].iter().sum();
                sample.push(above as f64 * 100.0 / total.max(1.0));
            }
        }
    }

    fn mean(&self, generation: Generation, moment: usize, metric: usize) -> Option<f64> {
        self.samples.get(generation as usize)?.get(moment)?.get(metric)?.mean()
    }

    /// The answer in a few words.
    pub(super) fn told(&self) -> String {
        let share = |generation, order| {
            let mean = self.mean(generation, 0, order);
            mean.map_or_else(|| "?".to_owned(), |mean| say(mean, 0))
        };
        let (before, after) = (Generation::V2_6_26, Generation::RfcOrder);
        format!(
            "the share of these caches' memory that lies in blocks of at least two pages grows from {} to {} %, in blocks of at \
             least four from {} to {} %",
            share(before, 1),
            share(after, 1),
            share(before, 2),
            share(after, 2)
        )
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for (generation, moments) in Generation::ALL.into_iter().zip(&self.samples) {
            for (moment, samples) in MOMENTS.into_iter().zip(moments) {
                for (index, (metric, sample)) in METRICS.into_iter().zip(samples).enumerate() {
                    let unit = if index == 0 { Unit::Pages } else { Unit::Percent };
                    rows.push(
                        Row::new(format!("{}, {moment}", generation.name()), metric, unit).mean_of(sample),
                    );
                }
            }
        }
        let pages = |generation, moment| {
            self.mean(generation, moment, 0).map_or_else(|| "?".to_owned(), |pages| say(pages, 0))
        };
        let text = format!(
            "One CPU fills radix_tree_node and dentry with the objects that the posting counted, and the kmalloc caches with {} \
             objects, as many of each; rewrites as many at random; then frees seven of eight at random. Blocks of several pages \
             fragment memory in two ways: they must be found in one piece, and they come back only when all their objects are \
             gone. With the patch {}. In all, the caches take {} pages before and {} after it; drained, {} and {}. (That 2.6.26 gives \
             a slab back as soon as its last object goes was read in sources of that time; it is not measured.)",
            say(KMALLOC_OBJECTS.into(), 0),
            self.told(),
            pages(Generation::V2_6_26, 0),
            pages(Generation::RfcOrder, 0),
            pages(Generation::V2_6_26, 1),
            pages(Generation::RfcOrder, 1)
        );
        Step { title: "What it does to fragmentation", text, rows, plots: Vec::new() }
    }
}

/// The caches' sizes and their objects; the kmalloc caches share one pool.
fn loads() -> Vec<(u32, Histogram, u32)> {
    let posted = POSTED.iter().map(|cache| {
        let row = format!("{} 2.6.26", cache.name);
        let objects = published::mean(Case::SlubOrder, &row, "objects").unwrap_or(0.0) as u32;
        (cache.size, Histogram::new([(cache.size, 1)]), objects)
    });
    let sizes = kmalloc_caches(Generation::V2_6_26, 12).into_iter().map(|cache| (cache.size, 1));
    posted.chain([(0, Histogram::new(sizes), KMALLOC_OBJECTS)]).collect()
}

fn run(generation: Generation, cpus: u32, seed: u64) -> Pages {
    let mut pages = Pages::default();
    for (object_size, sizes, objects) in loads() {
        let config = Config { object_size, cpus, ..Config::default_for(generation) };
        let Ok(geometry) = Geometry::new(&config) else { continue };
        let mut pool = Pool::new(geometry);
        for op in Rewrites::new(of(&sizes), objects, objects, seed) {
            apply(&mut pool, op, &mut Ignore);
        }
        count(&pool, &mut pages[0]);
        let mut rng = Rng::new(seed);
        // Rewriting has used one number more than there are objects.
        for object in (0..=objects).filter(|_| rng.below(8) > 0) {
            apply(&mut pool, Op::Free { object: ObjectId(object) }, &mut Ignore);
        }
        count(&pool, &mut pages[1]);
    }
    pages
}

/// Adds the pages of a pool's slabs by their order.
fn count(pool: &Pool, pages: &mut [u64; ORDERS]) {
    pool.for_each_span(&mut |slab| {
        let order = (slab.pages.max(1).ilog2() as usize).min(ORDERS - 1);
        pages[order] += u64::from(slab.pages);
    });
}
