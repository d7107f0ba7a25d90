//! 2015: order of partly full zspages inside a fullness list. The posting's table for every list order on the same
//! streams, and when an order can matter at all.

mod lockstep;
mod metadata;
mod scenes;
mod streams;
mod traces;

use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool};

use crate::data::{CHURN, sizes_file};
use crate::run::Job;
use crate::{Assumption, Case, Data, DataError, Options, Outcome};

pub(crate) use scenes::insertion_scenes;

const SEEDS: Assumption = Assumption::seeds(30);

/// What may be changed.
pub(crate) const ASSUMPTIONS: &[Assumption] =
    &[SEEDS, metadata::BLOCKS, metadata::WHOLE_PAGE_EVERY, metadata::REWRITES];

/// The list orders: base, both postings, what was merged, what-if variants of that, and what came after.
const ERAS: [Era; 9] = [
    Era::V4_2,
    Era::V4_2Rfc3,
    Era::V4_2Rfc3Af,
    Era::V4_5,
    Era::V4_5Head,
    Era::V4_5Behind,
    Era::V4_5AfHead,
    Era::V4_5AfHeadBehind,
    Era::V6_1,
];

/// Places of the base, the posting and what was merged in [`ERAS`].
const BASE: usize = 0;
const POSTED: usize = 1;
const FOLLOW_UP: usize = 2;
const MERGED: usize = 3;
const BEHIND: usize = 5;
const NEWER: usize = 8;

/// An empty pool of every list order. All have the same size classes.
fn pools() -> Vec<Pool> {
    ERAS.into_iter()
        .filter_map(|era| Some(Pool::new(Geometry::new(&Config::default_for(era)).ok()?)))
        .collect()
}

/// The case, as far as it has run.
pub(crate) struct PartialOrdering {
    metadata: metadata::Metadata,
    streams: streams::Streams,
    traces: traces::Traces,
}

impl PartialOrdering {
    pub(crate) fn needs() -> Vec<String> {
        vec![sizes_file(metadata::SIZES), CHURN.to_owned()]
    }

    pub(crate) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        Ok(Self {
            metadata: metadata::Metadata::new(options, data)?,
            streams: streams::Streams::new(options.get(&SEEDS)),
            traces: traces::Traces::new(data)?,
        })
    }
}

impl Job for PartialOrdering {
    fn total(&self) -> u32 {
        self.metadata.slices() + self.traces.slices() + self.streams.slices()
    }

    fn work(&mut self, slice: u32) {
        let (first, second) = (self.metadata.slices(), self.metadata.slices() + self.traces.slices());
        if slice < first {
            self.metadata.work(slice);
        } else if slice < second {
            self.traces.work(slice - first);
        } else {
            self.streams.work(slice - second);
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            case: Case::PartialOrdering,
            finding: format!("{} {}", self.metadata.told(), self.streams.told()),
            steps: vec![
                self.metadata.step(),
                self.metadata.differences(),
                self.traces.step(),
                self.streams.step(),
                scenes::step(),
            ],
            lanes: Vec::new(),
        }
    }
}
