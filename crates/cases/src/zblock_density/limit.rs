//! The reviewer's worry as a number: with a fixed pool limit, how many more pages go to the disk.

use slabscope_core::rng::Rng;

use crate::figure::say;
use crate::filling::Filling;
use crate::{Assumption, Options, Row, Sample, Step, Unit};

use super::backends::{DEFAULT, NAMES, NEWEST, V2};
use super::density::Density;
use super::{SEEDS, Set};

/// What a pool may take.
pub(super) const LIMIT: Assumption = Assumption::number("limit", "Pool limit, MiB", [1, 1024, 64]);

/// Pages that each backend holds of the same stream.
pub(super) struct Limit {
    seeds: u32,
    /// Bytes that a pool may take.
    bytes: u64,
    /// By set and backend: pages held, and percent fewer than zsmalloc's default.
    samples: Vec<Vec<[Sample; 2]>>,
}

impl Limit {
    pub(super) fn new(options: &Options, sets: &[Set]) -> Self {
        let (seeds, bytes) = (options.get(&SEEDS), u64::from(options.get(&LIMIT)) << 20);
        Self {
            seeds,
            bytes,
            samples: sets.iter().map(|set| vec![Default::default(); set.backends.len()]).collect(),
        }
    }

    pub(super) fn slices(&self, sets: &[Set]) -> u32 {
        self.seeds * sets.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32, sets: &[Set]) {
        let index = slice as usize % sets.len().max(1);
        let seed = u64::from(slice / sets.len().max(1) as u32) + 1;
        let (Some(set), Some(samples)) = (sets.get(index), self.samples.get_mut(index)) else { return };
        let limit = self.bytes >> set.page_shift;
        let mut stores: Vec<(Filling<'_, _>, u64, bool)> =
            set.backends.iter().map(|backend| (Filling::new(backend), 0, true)).collect();
        let mut rng = Rng::new(seed);
        // Until all are full. What a full store or a refusal leaves goes to the disk.
        while stores.iter().any(|(_, _, has_room)| *has_room) && set.stored.objects() > 0 {
            let size = set.stored.sample(&mut rng);
            for (store, held, has_room) in stores.iter_mut().filter(|(_, _, has_room)| *has_room) {
                let accepted = store.add(size);
                *has_room = store.pages() <= limit;
                *held += u64::from(accepted && *has_room);
            }
        }
        let whole = stores.get(DEFAULT).map_or(0, |&(_, held, _)| held) as f64;
        for (samples, (_, held, _)) in samples.iter_mut().zip(&stores) {
            samples[0].push(*held as f64);
            samples[1].push((1.0 - *held as f64 / whole.max(1.0)) * 100.0);
        }
    }

    fn mean(&self, set: usize, backend: usize) -> Option<f64> {
        self.samples.get(set)?.get(backend)?.get(1)?.mean()
    }

    pub(super) fn step(&self, sets: &[Set], density: &Density) -> Step {
        let mut rows = Vec::new();
        let rewritten = |set, backend| {
            let (own, default) = (density.rewritten(set, backend)?, density.rewritten(set, DEFAULT)?);
            Some((self.bytes as f64 / own, (1.0 - default / own) * 100.0))
        };
        for (index, (set, samples)) in sets.iter().zip(&self.samples).enumerate() {
            for (backend, (name, samples)) in NAMES.iter().zip(samples).enumerate() {
                let row = |metric, unit| Row::new(format!("{}, {name}", set.name), metric, unit);
                rows.push(
                    row("held_within_limit", Unit::Objects)
                        .mean_of(&samples[0])
                        .note("pages of the stream, while the pool fills"),
                );
                rows.push(
                    row("more_to_the_disk_percent", Unit::Percent)
                        .mean_of(&samples[1])
                        .note("than with zsmalloc, 8 pages; refusals included"),
                );
                let (held, more) = rewritten(index, backend).unzip();
                rows.push(
                    row("held_within_limit_rewritten", Unit::Objects)
                        .predicted(held)
                        .note("at the bytes of an object after random rewriting"),
                );
                rows.push(row("more_to_the_disk_percent_rewritten", Unit::Percent).predicted(more));
            }
        }
        let told: Vec<String> = ["procmem_4k_lzo", "libs_4k_lzo", "procmem_16k_lzo"]
            .into_iter()
            .filter_map(|name| {
                let set = sets.iter().position(|set| set.name == name)?;
                Some(format!(
                    "{name} {} % with v2 and {} % with the last version, after random rewriting {} and {} %",
                    say(self.mean(set, V2)?, 1),
                    say(self.mean(set, NEWEST)?, 1),
                    say(rewritten(set, V2)?.1, 1),
                    say(rewritten(set, NEWEST)?.1, 1)
                ))
            })
            .collect();
        let text = format!(
            "A pool of {} MiB fills up, and what comes then goes to the disk, as does what a backend refuses. Of as many pages as \
             zsmalloc with 8 pages a zspage holds, so many more go to the disk with zblock while the pool fills (fewer where \
             negative): {}.",
            self.bytes >> 20,
            told.join("; ")
        );
        Step { title: "With a fixed pool limit", text, rows, plots: Vec::new() }
    }
}
