//! 2025: zblock against zsmalloc, on the same stream.

mod backends;
mod density;
mod head;
mod limit;
mod lookup;
mod threads;
mod waste;

use crate::data::sizes_file;
use crate::lock_schemes;
use crate::run::Job;
use crate::{Assumption, Case, Data, DataError, Histogram, Options, Outcome};

use backends::Backend;

const SEEDS: Assumption = Assumption::seeds(3);

/// What may be changed.
pub(crate) const ASSUMPTIONS: &[Assumption] = &[density::OBJECTS, density::REWRITES, limit::LIMIT, SEEDS];

/// Page shifts, with what sets of that page size are called.
const PAGE_SIZES: [(u8, &str); 2] = [(12, "4k"), (14, "16k")];
const KINDS: [&str; 3] = ["procmem", "libs", "source"];
const COMPRESSORS: [&str; 3] = ["lzo", "lz4", "zstd3"];

/// Compressed pages of one kind.
struct Set {
    name: String,
    page_shift: u8,
    /// What zswap asks a backend for: pages that did not shrink are refused before.
    stored: Histogram,
    /// Of those, what every backend takes.
    common: Histogram,
    backends: Vec<Backend>,
}

impl Set {
    fn page_bytes(&self) -> u32 {
        1 << self.page_shift
    }
}

fn names() -> impl Iterator<Item = (u8, String)> {
    PAGE_SIZES.into_iter().flat_map(|(page_shift, pages)| {
        KINDS.into_iter().flat_map(move |kind| {
            COMPRESSORS.map(|compressor| (page_shift, format!("{kind}_{pages}_{compressor}")))
        })
    })
}

/// The case, as far as it has run.
pub(crate) struct ZblockDensity {
    sets: Vec<Set>,
    density: density::Density,
    limit: limit::Limit,
    head: head::Head,
    threads: threads::Threads,
}

impl ZblockDensity {
    pub(crate) fn needs() -> Vec<String> {
        names().map(|(_, name)| sizes_file(&name)).collect()
    }

    pub(crate) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        let seeds = options.get(&SEEDS);
        let set = |(page_shift, name): (u8, String)| {
            let stored = data.sizes(&name)?.below(1 << page_shift);
            let backends = Backend::all(page_shift);
            let most = backends.iter().map(Backend::max_size).min().unwrap_or(0);
            Ok(Set { common: stored.below(most + 1), name, page_shift, stored, backends })
        };
        let sets = names().map(set).collect::<Result<Vec<_>, DataError>>()?;
        let sizes = data.sizes(lock_schemes::USUAL_SIZES)?;
        Ok(Self {
            density: density::Density::new(options, &sets),
            limit: limit::Limit::new(options, &sets),
            head: head::Head::new(seeds.min(3)),
            threads: threads::Threads::new(&sizes),
            sets,
        })
    }
}

impl Job for ZblockDensity {
    fn total(&self) -> u32 {
        self.density.slices(&self.sets)
            + self.limit.slices(&self.sets)
            + self.head.slices()
            + self.threads.slices()
    }

    fn work(&mut self, slice: u32) {
        let mut slice = slice;
        if slice < self.density.slices(&self.sets) {
            return self.density.work(slice, &self.sets);
        }
        slice -= self.density.slices(&self.sets);
        if slice < self.limit.slices(&self.sets) {
            return self.limit.work(slice, &self.sets);
        }
        slice -= self.limit.slices(&self.sets);
        if slice < self.head.slices() {
            return self.head.work();
        }
        self.threads.work(slice - self.head.slices());
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            case: Case::Zblock,
            finding: self.density.told(),
            steps: vec![
                self.density.summary(&self.sets),
                self.density.posting(&self.sets),
                self.density.each(&self.sets),
                self.limit.step(&self.sets, &self.density),
                self.threads.step(),
                lookup::step(&self.sets),
                self.head.step(),
                backends::refusals(&self.sets),
            ],
            lanes: self.threads.lanes(),
        }
    }
}
