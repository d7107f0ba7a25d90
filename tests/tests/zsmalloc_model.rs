//! zsmalloc against a slow obvious model, and what must hold of every pool.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use slabscope_core::oplog::{Outcome, apply};
use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::{Event, Ignore, ObjectId, Place, Pool as _, SlotView, SpanId};
use slabscope_core::rng::Rng;
use slabscope_core::zsmalloc::{Bits, Config, Era, Geometry, Pool};
use slabscope_tests::slow_zsmalloc::SlowPool;

/// Configurations that between them reach every rule: each era as shipped, short and long chains, large
/// pages, a smallest size above 32 bytes.
fn configs() -> Vec<Config> {
    let mut configs: Vec<Config> = Era::ALL.into_iter().map(Config::default_for).collect();
    for era in [Era::V4_2, Era::V4_5, Era::V6_1, Era::V6_6, Era::V6_12] {
        let default = Config::default_for(era);
        configs.push(Config { max_pages: 1, ..default });
        configs.push(Config { max_pages: 16, ..default });
        configs.push(Config { page_shift: 16, class_delta: Some(16), ..default });
        configs.push(Config { bits: Bits::B32, phys_bits: 36, max_pages: 9, ..default });
    }
    configs
}

/// Random operations with few sizes, so that classes fill; waves of frees, so that compaction has work.
fn random(seed: u64, operations: u32, page: u32) -> Vec<Op> {
    let mut rng = Rng::new(seed);
    let sizes: Vec<u32> =
        (0..5).map(|_| 1 + rng.below(page)).chain([page / 12, page / 3 - 8, page]).collect();
    let mut frees = 30;
    (0..operations)
        .map(|step| {
            if step % 200 == 0 {
                frees = 25 + rng.below(50);
            }
            let object = ObjectId(rng.below(300));
            match rng.below(100) {
                0 => Op::Compact,
                1 => Op::Alloc { object, size: rng.below(page + 3) },
                choice if choice < frees => Op::Free { object },
                _ => Op::Alloc { object, size: sizes[rng.below(sizes.len() as u32) as usize] },
            }
        })
        .collect()
}

fn places(pool: &Pool, key: u32) -> Vec<Option<u32>> {
    let object = |slot: &SlotView| match *slot {
        SlotView::Used { object, .. } => Some(object.0),
        SlotView::Free { .. } => None,
    };
    pool.slots(key).iter().map(object).collect()
}

/// Lists and places of both pools are the same.
fn assert_same_state(pool: &Pool, slow: &SlowPool, what: &str) {
    let mut spans = 0;
    for class in pool.classes() {
        for group in 0..pool.group_names().len() as u8 {
            let list = pool.group_list(class.class, group);
            let mut ours: Vec<u32> = list.iter().map(|span| span.id.0).collect();
            let mut theirs = slow.list(class.class.into(), group.into());
            if !pool.keeps_list(group) {
                ours.sort_unstable();
                theirs.sort_unstable();
            }
            assert_eq!(ours, theirs, "{what}: class {}, group {group}", class.class);
            for span in &list {
                assert_eq!(places(pool, span.key), slow.zspages[&span.id.0].places, "{what}: {:?}", span.id);
            }
            spans += list.len();
        }
    }
    assert_eq!(spans, slow.zspages.len(), "{what}");
}

fn assert_same_outcome(outcome: Outcome, op: Op, slow: &mut SlowPool, what: &str) {
    let plain = |at: Place| (usize::from(at.class), at.span.0, usize::from(at.index));
    match (op, outcome) {
        (Op::Alloc { object, size }, outcome) => {
            let ours = if let Outcome::Placed(at) = outcome { Some(plain(at)) } else { None };
            assert_eq!(ours, slow.malloc(object.0, size as usize), "{what}");
        }
        (Op::Free { object }, Outcome::Freed(freed)) => {
            let (_, span, index) = plain(freed.from);
            assert_eq!(Some((span, index, freed.span_freed)), slow.free(object.0), "{what}");
        }
        (Op::Free { object }, _) => assert_eq!(None, slow.free(object.0), "{what}"),
        (Op::Compact, Outcome::Compacted(done)) => {
            let ours = (done.objects_moved as usize, done.pages_freed as usize);
            assert_eq!(ours, slow.compact(), "{what}");
        }
        (op, outcome) => panic!("{what}: {op:?} gave {outcome:?}"),
    }
}

#[test]
fn the_slow_model_agrees_in_every_operation() {
    let mut compactions_with_work = 0;
    for config in configs() {
        for seed in 0..3 {
            let mut pool = Pool::new(Geometry::new(&config).unwrap());
            let mut slow = SlowPool::new(&config);
            for (step, op) in random(seed, 1500, config.page_bytes()).into_iter().enumerate() {
                let what = format!("{config:?}, seed {seed}, step {step}");
                let outcome = apply(&mut pool, op, &mut Ignore);
                assert_same_outcome(outcome, op, &mut slow, &what);
                if let Outcome::Compacted(done) = outcome {
                    compactions_with_work += u32::from(done.objects_moved > 0);
                    assert_same_state(&pool, &slow, &what);
                } else if step % 100 == 0 {
                    assert_same_state(&pool, &slow, &what);
                }
            }
            if pool.rules().counts_pages_compacted {
                assert_eq!(pool.pages_compacted(), slow.compacted as u64);
            }
        }
    }
    assert!(compactions_with_work > 300, "{compactions_with_work} compactions moved something");
}

#[test]
fn the_slow_model_has_the_same_classes() {
    for config in configs() {
        let geometry = Geometry::new(&config).unwrap();
        let slow = SlowPool::new(&config);
        assert_eq!(usize::from(geometry.constants().size_classes), slow.table.len(), "{config:?}");
        for (index, theirs) in (0..).zip(&slow.table) {
            let ours = geometry.classes()[geometry.position_of_index(index).unwrap()];
            let ours = (ours.index.into(), ours.size as usize, ours.pages.into(), ours.objects.into());
            assert_eq!(ours, (theirs.index, theirs.size, theirs.pages, theirs.objects), "{config:?}");
        }
    }
}

/// A pool as its events tell it: what a picture knows.
#[derive(Default)]
struct Mirror {
    objects: BTreeMap<u32, Place>,
    spans: BTreeMap<SpanId, (u16, Option<u8>)>,
}

impl Mirror {
    fn take(&mut self, event: Event) {
        match event {
            Event::SpanCreated { class, span, .. } => {
                assert_eq!(self.spans.insert(span, (class, None)), None, "numbers are not used again");
            }
            Event::SpanFreed { span, .. } => assert!(self.spans.remove(&span).is_some()),
            Event::Placed { object, at } => assert_eq!(self.objects.insert(object.0, at), None),
            Event::Removed { object, from } => assert_eq!(self.objects.remove(&object.0), Some(from)),
            Event::Moved { object, from, to } => {
                assert_eq!(self.objects.insert(object.0, to), Some(from));
                assert_ne!(from.span, to.span);
                assert_eq!(from.class, to.class);
            }
            Event::Grouped { span, from, to, .. } => {
                let known = self.spans.get_mut(&span).unwrap();
                assert_eq!(known.1, from);
                known.1 = Some(to);
            }
            Event::SourceTaken { span, .. } | Event::DestinationTaken { span, .. } => {
                assert!(self.spans.contains_key(&span));
            }
            Event::ClassDone { .. } => {}
        }
    }

    /// The pool is what its events said, its sums add up, and no two objects share a place.
    fn assert_is(&self, pool: &Pool, sizes: &BTreeMap<u32, u32>) {
        let mut taken = BTreeSet::new();
        let (mut spans, mut pages, mut capacity) = (0, 0, 0);
        pool.for_each_span(&mut |span| {
            spans += 1;
            pages += u64::from(span.pages);
            capacity += u64::from(span.capacity);
            assert_eq!(self.spans.get(&span.id), Some(&(span.class, Some(span.group))));
            let slots = pool.slots(span.key);
            assert_eq!(slots.len(), usize::from(span.capacity));
            let mut used = Vec::new();
            let mut order = BTreeSet::new();
            for (index, slot) in (0..).zip(&slots) {
                match *slot {
                    SlotView::Used { object, size, .. } => {
                        let at = Place { class: span.class, span: span.id, index };
                        assert_eq!(self.objects.get(&object.0), Some(&at));
                        assert_eq!(pool.place(object), Some(at));
                        assert_eq!(sizes.get(&object.0), Some(&size));
                        assert!(taken.insert(object), "an object lies in two places");
                        used.push(index);
                    }
                    SlotView::Free { next } => assert!(order.insert(next.unwrap())),
                }
            }
            assert_eq!(order, (0..span.capacity - span.used).collect(), "order of the free places");
            assert_eq!(used.len(), usize::from(span.used));
            let mut visited = Vec::new();
            pool.for_each_used(span.key, &mut |index| visited.push(index));
            assert_eq!(visited, used);
        });
        let totals = pool.totals();
        assert_eq!((spans, pages, capacity), (totals.spans, totals.pages, totals.capacity));
        assert_eq!(taken.len() as u64, totals.objects);
        assert_eq!(self.spans.len() as u64, totals.spans);
        assert_eq!(sizes.len(), taken.len());
        assert_eq!(sizes.values().map(|&size| u64::from(size)).sum::<u64>(), totals.bytes);
        let rows = pool.class_stats();
        assert_eq!(rows.iter().map(|row| row.pages_used).sum::<u64>(), totals.pages);
        assert_eq!(rows.iter().map(|row| row.obj_used).sum::<u64>(), totals.objects);
        assert_eq!(rows.iter().map(|row| row.obj_allocated).sum::<u64>(), totals.capacity);
        let grouped: u64 = rows.iter().flat_map(|row| &row.groups).map(|&count| u64::from(count)).sum();
        assert_eq!(grouped, totals.spans);
    }
}

fn operations() -> impl Strategy<Value = Vec<(u8, u32, u32)>> {
    prop::collection::vec((0..100u8, 0..40u32, 0..8u32), 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pool_is_what_its_events_say(choice in 0..31usize, steps in operations(), seed in any::<u32>()) {
        let config = configs()[choice];
        let page = config.page_bytes();
        let mut rng = Rng::new(seed.into());
        let pick: Vec<u32> = (0..8).map(|_| rng.below(page + 2)).collect();
        let mut pool = Pool::new(Geometry::new(&config).unwrap());
        let mut mirror = Mirror::default();
        let mut sizes = BTreeMap::new();
        for (kind, object, size) in steps {
            let object = ObjectId(object);
            let op = match kind {
                0..=2 => Op::Compact,
                3..=45 => Op::Free { object },
                _ => Op::Alloc { object, size: pick[size as usize] },
            };
            let before = pool.clone();
            let mut events = Vec::new();
            match (op, apply(&mut pool, op, &mut events)) {
                (Op::Alloc { object, size }, Outcome::Placed(_)) => {
                    prop_assert_eq!(sizes.insert(object.0, size), None);
                }
                (Op::Free { object }, Outcome::Freed(_)) => {
                    prop_assert!(sizes.remove(&object.0).is_some());
                }
                (Op::Compact, Outcome::Compacted(done)) => {
                    let totals = pool.totals();
                    prop_assert_eq!(before.totals().pages - totals.pages, done.pages_freed);
                    let moves = events.iter().filter(|event| matches!(event, Event::Moved { .. })).count();
                    prop_assert_eq!(moves as u64, done.objects_moved);
                    if !config.era.name().starts_with("4.2") {
                        prop_assert_eq!(pool.freeable_pages(), 0);
                    }
                }
                _ => {
                    prop_assert!(events.is_empty());
                    prop_assert_eq!(before.totals().objects, pool.totals().objects);
                }
            }
            events.into_iter().for_each(|event| mirror.take(event));
            mirror.assert_is(&pool, &sizes);
        }
    }

    #[test]
    fn a_clone_goes_on_alike(steps in operations()) {
        let mut ops = Ops::new();
        for &(kind, object, size) in &steps {
            let object = ObjectId(object);
            ops.push(if kind < 45 { Op::Free { object } } else { Op::Alloc { object, size: 500 * size } });
        }
        let mut pool = Pool::new(Geometry::new(&Config::default_for(Era::V6_12)).unwrap());
        let half = ops.len() / 2;
        ops.iter().take(half).for_each(|op| { apply(&mut pool, op, &mut Ignore); });
        let mut other = pool.clone();
        for op in ops.iter().skip(half) {
            prop_assert_eq!(apply(&mut pool, op, &mut Ignore), apply(&mut other, op, &mut Ignore));
        }
    }

    #[test]
    fn any_configuration_builds_or_says_why(
        era in 0..11usize, long in any::<bool>(), phys_bits in any::<u8>(), page_shift in any::<u8>(),
        max_pages in any::<u8>(), class_delta in prop::option::of(any::<u32>()), size in any::<u32>(),
    ) {
        let bits = if long { Bits::B64 } else { Bits::B32 };
        let config = Config { era: Era::ALL[era], bits, phys_bits, page_shift, max_pages, class_delta };
        match Geometry::new(&config) {
            Ok(geometry) => {
                let mut pool = Pool::new(geometry);
                let placed = pool.malloc(ObjectId(0), size, &mut Ignore).is_ok();
                prop_assert_eq!(placed, (1..=config.page_bytes()).contains(&size));
            }
            Err(error) => prop_assert!(error.to_string().len() > 20),
        }
    }
}
