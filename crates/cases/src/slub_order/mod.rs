//! 2008: one more order for some SLUB caches, where at least half an object is lost at the end of a slab.

mod blocks;
mod others;
mod posting;

use slabscope_core::slub::{Generation, OrderAnswer, OrderParams, calculate_order};

use crate::figure::say;
use crate::run::Job;
use crate::{Assumption, Case, Data, DataError, Options, Outcome};

/// CPUs of the machine of the posting: with more than three these caches would have had other orders.
pub(crate) const CPUS: Assumption = Assumption::number("cpus", "CPUs", [1, 4096, 2]);
/// CPUs as on the maintainer's machine, which asked for 20 objects a slab.
const MAINTAINERS_CPUS: u32 = 8;
const SEEDS: Assumption = Assumption::seeds(5);

/// What may be changed.
pub(crate) const ASSUMPTIONS: &[Assumption] = &[CPUS, SEEDS];

/// Names and sizes with metadata of the caches of a running kernel.
const CACHES: &str = "caches_6.1.tsv";

/// A cache that the posting measured.
pub(crate) struct Posted {
    pub(crate) name: &'static str,
    /// Bytes of an object with its metadata.
    pub(crate) size: u32,
}

/// The struct of 552 bytes has a constructor, which puts the free pointer behind it; a dentry has none.
pub(crate) const POSTED: [Posted; 2] =
    [Posted { name: "radix_tree_node", size: 560 }, Posted { name: "dentry", size: 208 }];

/// What the posting calls the kernel, and the generation of it.
pub(crate) const KERNELS: [(&str, Generation); 2] =
    [("2.6.26", Generation::V2_6_26), ("patched", Generation::RfcOrder)];

fn order(generation: Generation, cpus: u32, size: u32) -> Option<OrderAnswer> {
    calculate_order(&OrderParams { generation, cpus, size, ..OrderParams::default() }).ok()
}

/// Pages of a slab.
fn pages(answer: &OrderAnswer) -> f64 {
    f64::from(1u32 << answer.order.min(31))
}

/// Pages for each object, without the last slab's rounding.
fn pages_per_object(answer: &OrderAnswer) -> f64 {
    pages(answer) / f64::from(answer.objects)
}

/// The case, as far as it has run.
pub(crate) struct SlubOrder {
    cpus: u32,
    others: others::Others,
    blocks: blocks::Blocks,
}

impl SlubOrder {
    pub(crate) fn needs() -> Vec<String> {
        vec![CACHES.to_owned()]
    }

    pub(crate) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        let cpus = options.get(&CPUS);
        Ok(Self {
            cpus,
            others: others::Others::new(cpus, data)?,
            blocks: blocks::Blocks::new(cpus, options.get(&SEEDS)),
        })
    }

    fn finding(&self) -> String {
        let change = |cache: &Posted| {
            let [before, after] = KERNELS.map(|(_, generation)| order(generation, self.cpus, cache.size));
            Some((1.0 - pages_per_object(&after?) / pages_per_object(&before?)) * 100.0)
        };
        let told: Vec<String> = POSTED
            .iter()
            .filter_map(|cache| Some(format!("{} % of the pages of {}", say(change(cache)?, 1), cache.name)))
            .collect();
        let (same, more) = posting::slabs_against_the_rule(self.cpus);
        format!(
            "For the same number of objects the next order saves {}. {same} of the posting's {} rows have just the slabs that \
             the rule needs; beyond that there are {} more in all, with room. The price: {}.",
            told.join(" and "),
            POSTED.len() * KERNELS.len(),
            say(more, 0),
            self.blocks.told()
        )
    }
}

impl Job for SlubOrder {
    fn total(&self) -> u32 {
        self.blocks.slices()
    }

    fn work(&mut self, slice: u32) {
        self.blocks.work(slice);
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            case: Case::SlubOrder,
            finding: self.finding(),
            steps: vec![
                posting::step(self.cpus),
                posting::same_objects(self.cpus),
                self.others.step(),
                others::map(self.cpus),
                self.others.today(),
                self.blocks.step(),
            ],
            lanes: Vec::new(),
        }
    }
}
