//! The setting that made a slabinfo: page size, CPUs and maximum order from the orders of its caches.

use slabscope_core::slub::{Config, Generation, calculate_order};

use super::SlabRow;

/// The setting that explains most caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// The setting. CPUs are the fewest that give these orders: the rule looks at powers of two only.
    pub config: Config,
    /// Caches whose objects and pages of a slab it explains.
    pub matching: usize,
    /// Caches in all.
    pub rows: usize,
}

/// The generations that run today, newest first.
const GENERATIONS: [Generation; 3] = [Generation::Modern, Generation::Classic, Generation::V2_6_26];

/// Finds the setting. `generation`, `cpus` and `page_shift` are taken as given where they are.
pub fn present(
    rows: &[SlabRow],
    generation: Option<Generation>,
    cpus: Option<u32>,
    page_shift: Option<u8>,
) -> Present {
    let page_shift = page_shift.unwrap_or_else(|| shift_of(rows));
    let generations = generation.map_or(GENERATIONS.to_vec(), |generation| vec![generation]);
    let counts = cpus.map_or_else(|| (0..13).map(|power| 1 << power).collect(), |cpus| vec![cpus]);
    let mut best: Option<Present> = None;
    for &generation in &generations {
        // The usual maximum first: of equals the first wins.
        for max_order in [3, 2, 1, 0, 4, 5] {
            for &cpus in &counts {
                let config = Config { page_shift, cpus, max_order, ..Config::default_for(generation) };
                let matching = rows.iter().filter(|row| explains(&config, row)).count();
                if matching == rows.len() {
                    return Present { config, matching, rows: rows.len() };
                }
                if best.is_none_or(|best| matching > best.matching) {
                    best = Some(Present { config, matching, rows: rows.len() });
                }
            }
        }
    }
    best.unwrap_or(Present {
        config: Config { page_shift, ..Config::default() },
        matching: 0,
        rows: rows.len(),
    })
}

/// True if the rule gives a cache the slabs that it has.
pub(super) fn explains(config: &Config, row: &SlabRow) -> bool {
    calculate_order(&config.order_params(row.objsize)).is_ok_and(|answer| {
        answer.objects == row.per_slab && 1u32.checked_shl(answer.order.into()) == Some(row.slab_pages)
    })
}

/// The page shift with which most slabs hold as many objects as they say.
fn shift_of(rows: &[SlabRow]) -> u8 {
    let fits = |shift: u8| {
        let holds = |row: &&SlabRow| {
            (u64::from(row.slab_pages) << shift) / u64::from(row.objsize).max(1) == row.per_slab.into()
        };
        rows.iter().filter(holds).count()
    };
    // Of equals the smallest.
    (12..=16).rev().max_by_key(|&shift| fits(shift)).unwrap_or(12)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(config: &Config) -> Vec<SlabRow> {
        let row = |size: u32| {
            let answer = calculate_order(&config.order_params(size)).ok()?;
            Some(SlabRow {
                name: format!("objects-{size}"),
                objsize: size,
                active: 1,
                num: answer.objects.into(),
                per_slab: answer.objects,
                slab_pages: 1 << answer.order,
            })
        };
        (1..120).filter_map(|step| row(step * 72)).collect()
    }

    #[test]
    fn a_setting_is_found_by_the_orders_it_makes() {
        for (generation, page_shift, cpus, max_order) in [
            (Generation::Modern, 12, 2, 3),
            (Generation::Classic, 12, 64, 3),
            (Generation::Modern, 14, 8, 1),
            (Generation::Modern, 16, 128, 2),
        ] {
            let config = Config { page_shift, cpus, max_order, ..Config::default_for(generation) };
            let made = rows(&config);
            let found = present(&made, Some(generation), None, None);
            assert_eq!(found.matching, made.len(), "{config:?}");
            // More CPUs that ask for more than fits give the same slabs.
            assert_eq!(rows(&found.config), made, "{config:?}");
            assert_eq!(found.config.page_shift, page_shift);
        }
        assert_eq!(present(&[], None, None, None).matching, 0);
    }
}
