//! The other side: a small pool grows with the chain. Where the two regimes cross.

use slabscope_core::rng::Rng;
use slabscope_core::zsmalloc::Geometry;

use crate::figure::say;
use crate::filling::Filling;
use crate::mib::mib;
use crate::published;
use crate::{Case, Data, DataError, Histogram, Line, Plot, Row, Sample, Step, Unit};

use super::{PAGE, Tables, setting};

/// Sizes that zram stored on a running 6.12 until it was filled.
pub(super) const MEASURED: &str = "zram_6.12_fill";
/// Settings that are compared.
const SETTINGS: [u8; 3] = [4, 8, 16];
/// Numbers of objects looked at: quarter steps between powers of two from 2^8 up.
const POINTS: u32 = 4 * 12 + 1;

fn objects_at(point: u32) -> u64 {
    (u64::from(4 + point % 4) << (8 + point / 4)) / 4
}

/// Whose sizes are drawn.
const STREAMS: [&str; 2] = ["sizes of the running 6.12", "sizes of the test of 2016"];

/// Pools that fill up with sizes drawn at random.
pub(super) struct SmallPools {
    seeds: u32,
    measured: Histogram,
    /// By stream, setting and point.
    pages: Vec<Vec<Vec<Sample>>>,
}

impl SmallPools {
    pub(super) fn new(seeds: u32, data: &Data) -> Result<Self, DataError> {
        let points = vec![Sample::default(); POINTS as usize];
        Ok(Self {
            seeds,
            measured: data.sizes(MEASURED)?,
            pages: vec![vec![points; SETTINGS.len()]; STREAMS.len()],
        })
    }

    pub(super) fn slices(&self) -> u32 {
        self.seeds * STREAMS.len() as u32
    }

    pub(super) fn work(&mut self, slice: u32, new: &Tables, all: &Histogram) {
        let index = slice as usize % STREAMS.len();
        let seed = u64::from(slice / STREAMS.len() as u32) + 1;
        let sizes = if index == 0 { &self.measured } else { all };
        let mut fillings: Vec<Filling<'_, Geometry>> =
            SETTINGS.into_iter().filter_map(|max_pages| new.at(max_pages)).map(Filling::new).collect();
        let mut rng = Rng::new(seed);
        let mut objects = 0;
        for point in 0..POINTS {
            while objects < objects_at(point) {
                let size = sizes.sample(&mut rng).min(PAGE);
                for filling in &mut fillings {
                    filling.add(size);
                }
                objects += 1;
            }
            let Some(stream) = self.pages.get_mut(index) else { continue };
            for (samples, filling) in stream.iter_mut().zip(&fillings) {
                if let Some(sample) = samples.get_mut(point as usize) {
                    sample.push(filling.pages() as f64);
                }
            }
        }
    }

    /// The fewest objects from which on a setting needs no more pages than 4 do, on average.
    fn crossing(&self, stream: usize, max_pages: u8) -> Option<u64> {
        let index = SETTINGS.iter().position(|&other| other == max_pages)?;
        let settings = self.pages.get(stream)?;
        let (four, other) = (settings.first()?, settings.get(index)?);
        let mut from = None;
        for point in (0..POINTS).rev() {
            let (four, other) = (four.get(point as usize)?.mean()?, other.get(point as usize)?.mean()?);
            if other > four {
                break;
            }
            from = Some(objects_at(point));
        }
        from
    }

    pub(super) fn step(&self, new: &Tables) -> Step {
        let mut rows = Vec::new();
        for max_pages in [4, 5, 6, 7, 8, 10, 12, 14, 16] {
            let name = format!("small pool, {}", setting(max_pages));
            let note = if max_pages > 8 {
                "recorded with 8 pages: sizes that only a longer chain would not make huge are not known, so a page"
            } else {
                "sizes recorded on the running kernel, packed without a gap"
            };
            rows.push(
                Row::new(&name, "used_bytes", Unit::Bytes)
                    .published(published::mean(Case::MorePages, &name, "used_bytes"))
                    .predicted(new.bytes(max_pages, &self.measured))
                    .note(note),
            );
        }
        for (stream, (name, settings)) in STREAMS.iter().zip(&self.pages).enumerate() {
            for max_pages in [8, 16] {
                rows.push(
                    Row::new(format!("{name}, 4 to {max_pages}"), "saves_from_objects", Unit::Objects)
                        .predicted(self.crossing(stream, max_pages).map(|objects| objects as f64))
                        .note("from so many objects on, on average, the longer chain takes no more pages"),
                );
            }
            for point in (0..POINTS).step_by(4) {
                for (max_pages, samples) in SETTINGS.into_iter().zip(settings) {
                    let Some(sample) = samples.get(point as usize) else { continue };
                    let row = format!("{name}, {} objects, {}", objects_at(point), setting(max_pages));
                    rows.push(Row::new(row, "pages", Unit::Pages).mean_of(sample).digits(1));
                }
            }
        }
        Step { title: "A small pool grows with the chain", text: self.text(new), rows, plots: self.plots() }
    }

    fn plots(&self) -> Vec<Plot> {
        let line = |stream: usize, index: usize, max_pages: u8| {
            let points = (0..POINTS).filter_map(|point| {
                let settings = self.pages.get(stream)?;
                let mean = |index: usize| settings.get(index)?.get(point as usize)?.mean();
                let more = (mean(index)? / mean(0)? - 1.0) * 100.0;
                Some((objects_at(point) as f64, more))
            });
            Line {
                name: format!("{}, {max_pages} pages", STREAMS.get(stream).unwrap_or(&"")),
                points: points.collect(),
                published: false,
            }
        };
        vec![Plot {
            title: "Pages against at most 4 per zspage, as a pool grows",
            x: "objects",
            x_by_factors: true,
            y: "% more",
            lines: vec![line(0, 1, 8), line(0, 2, 16), line(1, 1, 8), line(1, 2, 16)],
        }]
    }

    fn text(&self, new: &Tables) -> String {
        let used = |max_pages| new.bytes(max_pages, &self.measured).map(|bytes| say(mib(bytes), 1));
        let from = |stream, max_pages| {
            self.crossing(stream, max_pages).map_or_else(
                || "more objects than were tried".to_owned(),
                |objects| format!("{} objects", say(objects as f64, 0)),
            )
        };
        format!(
            "Every class in use has on average half a zspage of empty places, and a longer chain has more classes with longer \
             zspages. On a running 6.12 the same {} objects took more with each setting; packed without a gap they take {} MiB \
             with 4 pages, {} with 8 and {} with 16. With these sizes 8 pages save from {} on and 16 from {}; with the sizes of the \
             test of 2016, which lie closer together, from {} and {}.",
            say(self.measured.objects() as f64, 0),
            used(4).unwrap_or_default(),
            used(8).unwrap_or_default(),
            used(16).unwrap_or_default(),
            from(0, 8),
            from(0, 16),
            from(1, 8),
            from(1, 16)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_grow_by_quarters() {
        let points: Vec<u64> = (0..6).map(objects_at).collect();
        assert_eq!(points, [256, 320, 384, 448, 512, 640]);
        assert_eq!(objects_at(POINTS - 1), 1 << 20);
    }
}
