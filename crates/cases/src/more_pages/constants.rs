//! The reviewer's other worry: index bits, and with them the smallest allocation, on 32 bit.

use slabscope_core::zsmalloc::{Bits, Config, Constants, Era};

use crate::figure::say;
use crate::{Row, Step, Unit};

/// Physical address bits: x86 with PAE, ARM with LPAE.
const ADDRESS_BITS: [u8; 2] = [36, 40];
/// Max pages, doubling.
const DOUBLING: [u8; 5] = [1, 2, 4, 8, 16];

fn config(era: Era, phys_bits: u8, max_pages: u8) -> Config {
    Config { bits: Bits::B32, phys_bits, max_pages, ..Config::default_for(era) }
}

pub(super) fn step() -> Step {
    let mut rows = Vec::new();
    for (era, rule) in [(Era::V4_5, "up to 6.10"), (Era::V6_12, "from 6.11")] {
        for phys_bits in ADDRESS_BITS {
            for max_pages in DOUBLING {
                let config = config(era, phys_bits, max_pages);
                let name = format!("32 bit, {phys_bits} address bits, max_pages {max_pages}, {rule}");
                let (_, index_bits) = Constants::location_bits(&config);
                rows.push(Row::new(&name, "obj_index_bits", Unit::Count).predicted(f64::from(index_bits)));
                let row = Row::new(&name, "min_alloc_bytes", Unit::Bytes);
                rows.push(match Constants::new(&config) {
                    Ok(constants) => row.predicted(f64::from(constants.min_alloc)),
                    Err(why) => row.note(why.to_string()),
                });
            }
        }
    }
    let wide: Vec<f64> = Config::MAX_PAGES
        .filter_map(|max_pages| {
            let config = Config { max_pages, ..Config::default_for(Era::V6_12) };
            Constants::new(&config).ok().map(|constants| f64::from(constants.min_alloc))
        })
        .collect();
    let largest = wide.iter().copied().fold(0.0, f64::max);
    rows.push(
        Row::new("64 bit, max_pages 1 to 16", "min_alloc_bytes", Unit::Bytes)
            .predicted(largest)
            .note("the largest of all settings"),
    );
    let least = |phys_bits, max_pages| {
        let constants = Constants::new(&config(Era::V4_5, phys_bits, max_pages));
        constants.map_or_else(
            |_| "a kernel that does not build".to_owned(),
            |found| format!("{} bytes", say(found.min_alloc.into(), 0)),
        )
    };
    let text = format!(
        "The location of an object is a page frame number and an index in one word. More pages need more index values; \
         where the word has no bit left, the smallest allocation grows instead, and all smaller objects share its class. With \
         32 bit and 36 address bits it was {} with 4 pages, {} with 8 and {} with 16; with 40 address bits {}, {} and {}. \
         Since 6.11 the index has one bit more, which halves these. On 64 bit it stays {} bytes.",
        least(36, 4),
        least(36, 8),
        least(36, 16),
        least(40, 4),
        least(40, 8),
        least(40, 16),
        say(largest, 0)
    );
    Step { title: "The smallest allocation on 32 bit", text, rows, plots: Vec::new() }
}
