//! The what-if of a class table for every setting, as a slider in the page asks for it.

use std::hint::black_box;

use slabscope_core::whatif::{Ladder, Population, Raw, Setting, Sizes, predict};
use slabscope_core::zsmalloc::{Config, Era};

/// Sweeps of one measurement: a page's clock is coarser than one of them.
const ROUNDS: u32 = 20;

/// How long a sweep over all settings takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Milliseconds of one sweep, warm, median.
    pub warm_ms: f64,
    /// Settings that exist.
    pub settings: usize,
    /// Sum of the pages expected: the same on every platform.
    pub pages: u64,
}

/// A table with 250 classes in use: more than any kernel prints.
fn table() -> Population {
    let sizes = (0..249u32).map(|class| Sizes {
        from: 16 * class + 9,
        to: 16 * class + 24,
        objects: 1_000 + u64::from(class * 7919 % 9_973),
    });
    Population::new(12, sizes.collect(), Raw { objects: 5_000, from: 4_010 })
}

/// All max pages and all page shifts, with their class tables built anew. Pages expected and settings.
fn sweep(population: &Population, era: Era) -> (u64, usize) {
    let (mut pages, mut settings) = (0, 0);
    for page_shift in Config::PAGE_SHIFTS {
        for max_pages in Config::MAX_PAGES {
            let config = Config { page_shift, max_pages, ..Config::default_for(era) };
            let Ok(ladder) = Ladder::new(&Setting::Zsmalloc(config)) else { continue };
            let Ok(prediction) = predict(population, &ladder) else { continue };
            pages += prediction.expected;
            settings += 1;
        }
    }
    (pages, settings)
}

/// Measures it. `now` gives milliseconds. Budget: 1 ms in a page that has run a while.
pub fn sweep_ms(era: Era, now: impl Fn() -> f64) -> Sweep {
    let population = table();
    let mut times = Vec::new();
    let mut seen = (0, 0);
    for _ in 0..11 {
        let start = now();
        for _ in 0..ROUNDS {
            seen = sweep(black_box(&population), era);
        }
        times.push((now() - start) / f64::from(ROUNDS));
    }
    times.sort_by(f64::total_cmp);
    Sweep { warm_ms: times[times.len() / 2], settings: seen.1, pages: seen.0 }
}
