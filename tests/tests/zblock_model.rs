//! zblock against a slow obvious model, and what must hold of every pool.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use slabscope_core::oplog::{Dialect, Line, Outcome, apply};
use slabscope_core::ops::Op;
use slabscope_core::pool::{Event, Ignore, ObjectId, Pool as _, SlotView, SpanId};
use slabscope_core::rng::Rng;
use slabscope_core::zblock::{Config, Geometry, Pool};
use slabscope_tests::onlooker::Onlooker;
use slabscope_tests::slow_zblock::SlowPool;
use slabscope_tests::zblock::all_configs;

fn pool(config: &Config) -> Pool {
    Pool::new(Geometry::new(config).unwrap())
}

/// Random operations with few sizes, so that blocks fill and caches of 32 overflow; waves of frees, so that blocks
/// empty.
fn random(seed: u64, operations: u32, page: u32) -> Vec<Op> {
    let mut rng = Rng::new(seed);
    let sizes = [page - 17, page - 17, page - 17, page / 2, 1 + rng.below(page), 1 + rng.below(page / 8)];
    let mut frees = 30;
    (0..operations)
        .map(|step| {
            if step % 1000 == 0 {
                frees = [15, 30, 48, 65][rng.below(4) as usize];
            }
            let object = ObjectId(rng.below(2000));
            match rng.below(100) {
                0 => Op::Alloc { object, size: rng.below(page + page / 4) },
                choice if choice < frees => Op::Free { object },
                _ => Op::Alloc { object, size: sizes[rng.below(sizes.len() as u32) as usize] },
            }
        })
        .collect()
}

/// What the slow model does, as a line of the log.
fn slow_line(slow: &mut SlowPool, op: Op) -> String {
    match op {
        Op::Alloc { object, size } => match slow.malloc(object.0, size as usize) {
            Ok((kind, block, slot)) => format!("a\t{}\t{size}\tok\t{kind}\t{block}\t{slot}", object.0),
            Err(error) => format!("a\t{}\t{size}\t{error}", object.0),
        },
        Op::Free { object } => match slow.free(object.0) {
            Some((kind, block, slot, freed)) => {
                let word = if freed { "block_freed" } else { "-" };
                format!("f\t{}\tok\t{kind}\t{block}\t{slot}\t{word}", object.0)
            }
            None => format!("f\t{}\tskip", object.0),
        },
        other => panic!("{other:?}"),
    }
}

fn places(pool: &Pool, key: u32) -> Vec<Option<u32>> {
    let object = |slot: &SlotView| match *slot {
        SlotView::Used { object, .. } => Some(object.0),
        SlotView::Free { .. } => None,
    };
    pool.slots(key).iter().map(object).collect()
}

/// Lists, caches and slots of both pools are the same.
fn assert_same_state(pool: &Pool, slow: &SlowPool, what: &str) {
    let ids = |list: Vec<SpanId>| list.into_iter().map(|id| id.0).collect::<Vec<_>>();
    for row in pool.classes() {
        let (kind, position) = (row.class, usize::from(row.class));
        let cache: Vec<(usize, u32)> =
            pool.cache(kind).into_iter().map(|(cell, id)| (usize::from(cell), id.0)).collect();
        assert_eq!(cache, slow.cache(position), "{what}: cache of type {kind}");
        let group = |group| ids(pool.group_list(kind, group).iter().map(|block| block.id).collect());
        if pool.keeps_list(0) {
            assert_eq!(group(0), slow.list(position), "{what}: list of type {kind}");
        } else {
            assert_eq!(ids(pool.creation_list(kind)), slow.list(position), "{what}: list of type {kind}");
            let cached: BTreeSet<u32> = cache.iter().map(|&(_, id)| id).collect();
            assert!(group(1).into_iter().eq(cached), "{what}: cached blocks of type {kind}");
        }
        if pool.keeps_list(1) && pool.group_names().len() > 1 {
            assert_eq!(group(1), slow.full(position), "{what}: full blocks of type {kind}");
        }
    }
    let mut blocks = BTreeMap::new();
    pool.for_each_span(&mut |block| {
        blocks.insert(block.id.0, places(pool, block.key));
    });
    assert!(
        blocks.into_iter().eq(slow.blocks.iter().map(|(&id, block)| (id, block.places.clone()))),
        "{what}"
    );
}

#[test]
fn the_slow_model_agrees_in_every_operation() {
    let mut operations = 0;
    for config in all_configs() {
        for seed in 0..3 {
            let (mut pool, mut slow) = (pool(&config), SlowPool::new(&config));
            for (step, op) in random(seed, 8000, config.page_bytes()).into_iter().enumerate() {
                let what = format!("{config:?}, seed {seed}, step {step}");
                let (Op::Alloc { object, .. } | Op::Free { object }) = op else { continue };
                let outcome = apply(&mut pool, op, &mut Ignore);
                let ours = Line::new(Dialect::Zblock, op, object.0, outcome);
                assert_eq!(ours.as_str(), slow_line(&mut slow, op), "{what}");
                if step % 500 == 0 {
                    assert_same_state(&pool, &slow, &what);
                }
                operations += 1;
            }
            assert_same_state(&pool, &slow, &format!("{config:?}, seed {seed}, end"));
        }
    }
    assert_eq!(operations, 25 * 3 * 8000);
}

fn operation() -> impl Strategy<Value = Op> {
    let object = (0u32..120).prop_map(ObjectId);
    prop_oneof![
        4 => (object.clone(), prop_oneof![0u32..5000, 0u32..70_000, 3000u32..4200])
            .prop_map(|(object, size)| Op::Alloc { object, size }),
        3 => object.prop_map(|object| Op::Free { object }),
        1 => Just(Op::Compact),
        1 => Just(Op::Report),
    ]
}

/// Counts of a pool add up, and events alone tell the same story.
fn check_sums(pool: &Pool, onlooker: &Onlooker, live: &BTreeMap<ObjectId, u32>) {
    let totals = pool.totals();
    assert_eq!(totals.objects, live.len() as u64);
    assert_eq!(totals.bytes, live.values().map(|&size| u64::from(size)).sum::<u64>());
    assert_eq!(totals.spans, onlooker.spans.len() as u64);
    assert_eq!(totals.pages, onlooker.spans.values().map(|block| u64::from(block.1)).sum::<u64>());
    let (mut capacity, mut blocks) = (0, 0);
    for row in pool.classes() {
        let counts = pool.group_counts(row.class);
        assert_eq!(counts.iter().sum::<u32>(), row.spans);
        for (group, &count) in counts.iter().enumerate() {
            let list: Vec<SpanId> =
                pool.group_list(row.class, group as u8).iter().map(|block| block.id).collect();
            assert_eq!(list.len(), count as usize);
            if pool.keeps_list(group as u8) {
                assert_eq!(list, onlooker.list(row.class, group as u8));
            }
        }
        capacity += row.capacity;
        blocks += u64::from(row.spans);
    }
    assert_eq!((totals.capacity, totals.spans), (capacity, blocks));
    pool.for_each_span(&mut |block| {
        let (kind, pages, slots) = &onlooker.spans[&block.id];
        assert_eq!((block.class, block.pages, block.group), (*kind, *pages, onlooker.groups[&block.id]));
        assert_eq!((usize::from(block.used), pool.span(block.id)), (slots.len(), Some(block)));
        let mut used = Vec::new();
        pool.for_each_used(block.key, &mut |index| used.push(index));
        assert!(used.iter().eq(slots.keys()));
        let shown = places(pool, block.key);
        assert!(slots.iter().all(|(&index, object)| shown[usize::from(index)] == Some(object.0)));
        assert_eq!(shown.iter().flatten().count(), slots.len());
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn objects_never_share_a_slot_and_counts_add_up(
        which in 0usize..25,
        operations in proptest::collection::vec(operation(), 1..400),
    ) {
        let config = all_configs()[which];
        let (mut pool, mut onlooker) = (pool(&config), Onlooker::new(|group| group, None));
        let (mut live, mut failed) = (BTreeMap::new(), 0);
        for &op in &operations {
            let mut events: Vec<Event> = Vec::new();
            let outcome = apply(&mut pool, op, &mut events);
            match (op, outcome) {
                (Op::Alloc { object, size }, Outcome::Placed(at)) => {
                    prop_assert_eq!(pool.place(object), Some(at));
                    prop_assert!(size <= pool.geometry().types()[usize::from(at.class)].slot_size);
                    live.insert(object, size);
                }
                (Op::Alloc { .. }, Outcome::Failed(_)) => failed += 1,
                (Op::Free { object }, Outcome::Freed(_)) => prop_assert!(live.remove(&object).is_some()),
                (Op::Free { object }, Outcome::NotLive) => prop_assert!(!live.contains_key(&object)),
                (Op::Compact, Outcome::CannotCompact) | (Op::Report, Outcome::Reported) => {}
                other => prop_assert!(false, "{:?}", other),
            }
            // The places of live objects differ because the onlooker refuses to see one taken twice.
            events.into_iter().for_each(|event| onlooker.see(event));
        }
        check_sums(&pool, &onlooker, &live);
        prop_assert_eq!(pool.totals().failed, failed);
        prop_assert_eq!(pool.operations() as usize, operations.len());
        // Everything freed: nothing is kept.
        for object in live.into_keys() {
            pool.free(object, &mut Ignore).unwrap();
        }
        prop_assert_eq!((pool.totals().pages, pool.totals().spans, pool.totals().capacity), (0, 0, 0));
    }
}

#[test]
fn the_second_version_looks_at_the_head_only() {
    // Two blocks of two slots each of which one is half empty behind a full head: v2 makes a third block.
    let blocks_after = |name: &str| {
        let config = slabscope_tests::zblock::config_of_tag(name).unwrap();
        let mut pool = pool(&config);
        let slots = u32::from(pool.geometry().types().last().unwrap().slots);
        for object in 0..2 * slots {
            pool.malloc(ObjectId(object), 4000, &mut Ignore).unwrap();
        }
        pool.free(ObjectId(2 * slots - 1), &mut Ignore).unwrap();
        pool.malloc(ObjectId(2 * slots), 4000, &mut Ignore).unwrap();
        pool.totals().spans
    };
    assert_eq!([blocks_after("v2_s12"), blocks_after("v3_s12")], [3, 2]);
}
