//! Which other caches the patch would have changed, a map of sizes, and what today's rule does.

use slabscope_core::slub::{Generation, kmalloc_caches};

use crate::figure::say;
use crate::{Data, DataError, Line, Plot, Row, Step, Unit};

use super::{CACHES, MAINTAINERS_CPUS, POSTED, order, pages_per_object};

/// Sizes of the map: multiples of eight up to two pages.
const MAPPED: std::ops::RangeInclusive<u32> = 1..=1024;

/// Sizes that the maintainer listed.
const LISTED: [u32; 5] = [24, 72, 96, 320, 448];

const PATCHES: [(Generation, &str); 2] =
    [(Generation::RfcOrder, "one order more"), (Generation::RfcSkip, "wasteful orders skipped")];

/// Names and sizes of caches.
pub(super) struct Others {
    cpus: u32,
    caches: Vec<(String, u32)>,
}

/// Numbers of CPUs without repetition.
fn distinct<const N: usize>(cpus: [u32; N]) -> impl Iterator<Item = u32> {
    (0..N).filter(move |&at| !cpus[..at].contains(&cpus[at])).map(move |at| cpus[at])
}

/// The machine of the posting, as assumed, and the maintainer's.
fn machines(cpus: u32) -> impl Iterator<Item = u32> {
    distinct([cpus, MAINTAINERS_CPUS])
}

/// Order before and after, and the change of pages per object in percent.
fn change(patch: Generation, cpus: u32, size: u32) -> Option<(u8, u8, f64)> {
    let (before, after) = (order(Generation::V2_6_26, cpus, size)?, order(patch, cpus, size)?);
    let percent = (pages_per_object(&after) / pages_per_object(&before) - 1.0) * 100.0;
    Some((before.order, after.order, percent))
}

impl Others {
    pub(super) fn new(cpus: u32, data: &Data) -> Result<Self, DataError> {
        let table = data.table::<1>(CACHES)?;
        let cache = |(name, [size]): (String, [u64; 1])| Some((name, u32::try_from(size).ok()?));
        let caches = table.into_iter().map(cache).collect::<Option<Vec<_>>>();
        let mut caches = caches.ok_or_else(|| DataError::Malformed(CACHES.to_owned()))?;
        let kmalloc = kmalloc_caches(Generation::V2_6_26, 12).into_iter();
        caches.extend(kmalloc.map(|cache| (cache.name(Generation::V2_6_26), cache.size)));
        Ok(Self { cpus, caches })
    }

    pub(super) fn step(&self) -> Step {
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for (patch, words) in PATCHES {
            for cpus in machines(self.cpus) {
                let changed: Vec<(&str, u32, (u8, u8, f64))> = self
                    .caches
                    .iter()
                    .filter_map(|(name, size)| Some((name.as_str(), *size, change(patch, cpus, *size)?)))
                    .filter(|(_, _, (before, after, _))| before != after)
                    .collect();
                let name = format!("{words}, {cpus} CPUs");
                rows.push(
                    Row::new(&name, "caches_changed", Unit::Count).predicted(changed.len() as f64).note(
                        format!(
                            "of {} caches of a running 6.1 and the kmalloc caches of 2.6.26",
                            self.caches.len()
                        ),
                    ),
                );
                told.push(format!("{} with {words} and {cpus} CPUs", changed.len()));
                for (cache, size, (before, after, percent)) in changed {
                    rows.push(
                        Row::new(
                            format!("{name}, {cache}"),
                            "pages_per_object_change_percent",
                            Unit::Percent,
                        )
                        .predicted(percent)
                        .note(format!("{size} bytes, order {before} to {after}")),
                    );
                }
            }
        }
        for size in LISTED {
            for (patch, words) in PATCHES {
                let Some((before, after, _)) = change(patch, MAINTAINERS_CPUS, size) else { continue };
                let name = format!("size {size}, {words}, {MAINTAINERS_CPUS} CPUs");
                let row = Row::new(name, "order", Unit::Count).predicted(f64::from(after));
                rows.push(row.note(format!("2.6.26: {before}; one of the sizes that the maintainer listed")));
            }
        }
        let text = format!(
            "The rule meets more than two caches. Of {} caches, which a 6.1 with many modules has, and the kmalloc caches, these \
             get another order: {}. The counter-proposal skips an order that leaves more than half an object, inside the search; \
             it can run past the highest order allowed.",
            self.caches.len(),
            told.join(", ")
        );
        Step { title: "Which other caches change", text, rows, plots: Vec::new() }
    }

    /// The same caches, then and now.
    pub(super) fn today(&self) -> Step {
        let mut rows = Vec::new();
        let now = |name: &str| self.caches.iter().find(|(other, _)| other == name).map(|&(_, size)| size);
        for cache in &POSTED {
            let sizes = [(Some(cache.size), "as in 2008"), (now(cache.name), "as in 6.1")];
            for (size, when) in sizes.into_iter().filter_map(|(size, when)| Some((size?, when))) {
                for cpus in distinct([self.cpus, 4, MAINTAINERS_CPUS, 64]) {
                    for generation in Generation::ALL {
                        let Some(answer) = order(generation, cpus, size) else { continue };
                        let name = format!("{} {when}, {}, {cpus} CPUs", cache.name, generation.name());
                        rows.push(
                            Row::new(&name, "order", Unit::Count).predicted(f64::from(answer.order)).note(
                                format!(
                                    "{size} bytes, {} objects, {} bytes left over",
                                    answer.objects, answer.waste
                                ),
                            ),
                        );
                    }
                }
            }
        }
        let told = |cache: &super::Posted, cpus| {
            order(Generation::Modern, cpus, now(cache.name)?).map(|answer| {
                format!(
                    "{} has order {} with {} objects and {} bytes left over on {cpus} CPUs",
                    cache.name, answer.order, answer.objects, answer.waste
                )
            })
        };
        let told: Vec<String> =
            POSTED.iter().flat_map(|cache| [told(cache, self.cpus), told(cache, 64)]).flatten().collect();
        let text = format!(
            "Today's rule starts at the order that holds the objects asked for, four times the bits of the number of CPUs and one, \
             and never asks for fewer; it does not look at half an object either. In 6.1 {} has {} bytes and {} {}: {}.",
            POSTED[0].name,
            now(POSTED[0].name).unwrap_or_default(),
            POSTED[1].name,
            now(POSTED[1].name).unwrap_or_default(),
            told.join("; ")
        );
        Step { title: "What a kernel does today", text, rows, plots: Vec::new() }
    }
}

/// Orders by size.
pub(super) fn map(machine: u32) -> Step {
    let mut rows = Vec::new();
    let sizes = || MAPPED.map(|step| step * 8);
    let mut told = Vec::new();
    for (patch, words) in PATCHES {
        for cpus in machines(machine) {
            let changed: Vec<(u32, (u8, u8, f64))> = sizes()
                .filter_map(|size| Some((size, change(patch, cpus, size)?)))
                .filter(|(_, (before, after, _))| before != after)
                .collect();
            let name = format!("{words}, {cpus} CPUs");
            let mean =
                changed.iter().map(|(_, (_, _, percent))| percent).sum::<f64>() / changed.len().max(1) as f64;
            let best = changed.iter().map(|(_, (_, _, percent))| *percent).fold(0.0, f64::min);
            rows.push(
                Row::new(&name, "sizes_changed", Unit::Count)
                    .predicted(changed.len() as f64)
                    .note("of the 1,024 multiples of 8 up to 8,192 bytes"),
            );
            rows.push(Row::new(&name, "mean_change_percent", Unit::Percent).predicted(mean));
            rows.push(Row::new(&name, "largest_change_percent", Unit::Percent).predicted(best));
            if patch == Generation::RfcOrder {
                told.push(format!(
                    "with {cpus} CPUs {} of 1,024 sizes, which then take {} % fewer pages on average",
                    changed.len(),
                    say(-mean, 1)
                ));
            }
        }
    }
    let line = |generation: Generation| Line {
        name: generation.label().to_owned(),
        points: sizes()
            .filter_map(|size| Some((f64::from(size), f64::from(order(generation, machine, size)?.order))))
            .collect(),
        published: false,
    };
    let plot = Plot {
        title: "Order by size of an object, on the machine assumed",
        x: "bytes",
        x_by_factors: false,
        y: "order",
        lines: [Generation::V2_6_26, Generation::RfcOrder, Generation::RfcSkip, Generation::Modern]
            .map(line)
            .to_vec(),
    };
    let text = format!(
        "Over all sizes the patch changes {}. The more CPUs, the more objects are asked for anyway, and the less is left over.",
        told.join("; ")
    );
    Step { title: "A map of sizes and orders", text, rows, plots: vec![plot] }
}
