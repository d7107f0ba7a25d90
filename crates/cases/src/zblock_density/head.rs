//! v2 looks at the head of its list only, and what that costs on random operations.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::rng::Rng;
use slabscope_core::zblock::{Config, Geometry, Pool, Version};

use crate::figure::say;
use crate::published;
use crate::{Case, Row, Sample, Step, Unit};

const OPERATIONS: u32 = 1_000_000;
/// Objects of which each operation frees or allocates one.
const OBJECTS: u32 = 20_000;
/// Largest size: every version takes it.
const LARGEST: u32 = 3_996;

const VERSIONS: [Version; 4] = [Version::V2, Version::V3, Version::Mm0507, Version::Mm0508];

/// Peaks of pages, seed by seed.
pub(super) struct Head {
    seeds: u32,
    samples: Vec<Sample>,
}

impl Head {
    pub(super) fn new(seeds: u32) -> Self {
        Self { seeds, samples: vec![Sample::default(); VERSIONS.len()] }
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds
    }

    pub(super) fn work(&mut self) {
        let seed = self.samples.first().map_or(0, |sample| sample.values().len()) as u64 + 1;
        for (version, sample) in VERSIONS.into_iter().zip(&mut self.samples) {
            if let Ok(geometry) = Geometry::new(&Config::default_for(version)) {
                sample.push(peak(geometry, seed));
            }
        }
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        for (version, sample) in VERSIONS.into_iter().zip(&self.samples) {
            let name = format!("random operations, zblock {}", version.name());
            rows.push(Row::new(name, "pages_at_peak", Unit::Pages).mean_of(sample));
        }
        let name = "v2 against v3, random stream";
        let claimed = published::runs(Case::Zblock, name, "peak_pages_more_percent");
        let more = match self.samples.as_slice() {
            [v2, v3, ..] => v2.mean().zip(v3.mean()).map(|(v2, v3)| (v2 / v3 - 1.0) * 100.0),
            _ => None,
        };
        let ends: Vec<String> = claimed.values().iter().map(|&value| say(value, 0)).collect();
        rows.push(
            Row::new(name, "peak_pages_more_percent", Unit::Percent)
                .published(claimed.mean())
                .predicted(more)
                .note(format!("published: middle of {} %, found with two other models", ends.join(" to "))),
        );
        let text = format!(
            "v2 says that the block at the head of its list always has room. With more than one full block that does not hold: \
             blocks with room behind a full head are not seen, and a new one is made. {} random operations on sizes up to {} \
             bytes: v2 peaks {} % above v3, which has the same table and a list of its own for full blocks.",
            say(OPERATIONS.into(), 0),
            say(LARGEST.into(), 0),
            more.map_or_else(|| "?".to_owned(), |more| say(more, 1))
        );
        Step { title: "Only the head is looked at", text, rows, plots: Vec::new() }
    }
}

/// Most pages while each operation frees a live object, or allocates one that is not.
fn peak(geometry: Geometry, seed: u64) -> f64 {
    let mut pool = Pool::new(geometry);
    let mut rng = Rng::new(seed);
    let mut live = vec![false; OBJECTS as usize];
    for _ in 0..OPERATIONS {
        let number = rng.below(OBJECTS);
        let Some(is_live) = live.get_mut(number as usize) else { continue };
        let object = ObjectId(number);
        let op =
            if *is_live { Op::Free { object } } else { Op::Alloc { object, size: 1 + rng.below(LARGEST) } };
        *is_live = !*is_live;
        apply(&mut pool, op, &mut Ignore);
    }
    pool.totals().pages_peak as f64
}
