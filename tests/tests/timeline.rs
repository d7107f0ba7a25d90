//! The timeline: every step it goes to is what a fresh replay gives.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::Arc;

use proptest::prelude::*;
use slabscope_core::model::{AnyConfig, AnyPool};
use slabscope_core::oplog::{LogDigest, Outcome, apply};
use slabscope_core::ops::Ops;
use slabscope_core::pool::{
    Event, Ignore, ObjectId, Place, Pool as PoolTrait, SlotView, SpanId, SpanView, Totals,
};
use slabscope_core::timeline::{Direction, Filter, Interest, MOST_GROUPS, MarkKind, Timeline};
use slabscope_core::workload::{Kind, SizeDist, Spec};
use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool};

fn empty_pool() -> Pool {
    Pool::new(Geometry::new(&Config::default_for(Era::V6_12)).unwrap())
}

fn ops(kind: Kind, seed: u64, operations: u32) -> Arc<Ops> {
    let live = operations / 8;
    let compact_every = operations / 5;
    Arc::new(
        Spec { kind, dist: SizeDist::LibsZstd, fixed_size: None, seed, operations, live, compact_every }
            .generate(),
    )
}

/// As the page has it: a pool chosen at run time.
fn any_pool() -> AnyPool {
    AnyConfig::Zsmalloc(Config::default_for(Era::V6_12)).pool().unwrap()
}

fn recorded(ops: &Arc<Ops>, budget_bytes: usize) -> Timeline<AnyPool> {
    let mut timeline = Timeline::new(any_pool(), Arc::clone(ops), budget_bytes);
    while !timeline.record(777).done() {}
    timeline
}

/// Everything that can be seen of a pool.
fn state<P: PoolTrait>(pool: &P) -> (Totals, u32, Vec<(SpanView, Vec<SlotView>)>) {
    let mut spans = Vec::new();
    for class in pool.classes() {
        for group in 0..pool.group_names().len() as u8 {
            spans.extend(pool.group_list(class.class, group));
        }
    }
    let spans = spans.into_iter().map(|span| (SpanView { key: 0, ..span }, pool.slots(span.key))).collect();
    (pool.totals(), pool.operations(), spans)
}

/// The pool, the last operation's outcome and events, and the digest after `step` operations, the plain way.
fn replay(ops: &Ops, step: u32) -> (Pool, Option<Outcome>, Vec<Event>, u64) {
    let (mut pool, mut digest) = (empty_pool(), LogDigest::new());
    let (mut last, mut events) = (None, Vec::new());
    for index in 0..step as usize {
        events.clear();
        let op = ops.get(index).unwrap();
        let outcome = apply(&mut pool, op, &mut events);
        digest.add(op, ops.name(index).unwrap_or(0), outcome);
        last = Some(outcome);
    }
    (pool, last, events, digest.value())
}

fn check_step(timeline: &mut Timeline<AnyPool>, step: u32) {
    let (pool, last, events, digest) = replay(&Arc::clone(timeline.ops()), step);
    assert_eq!(timeline.seek(step), step);
    assert_eq!(state(timeline.pool()), state(&pool), "step {step}");
    assert_eq!(timeline.digest_at(step), Some(digest), "step {step}");
    let applied = timeline.events_of(step).cloned();
    assert_eq!(applied.as_ref().map(|applied| applied.outcome), last);
    assert_eq!(applied.map_or_else(Vec::new, |applied| applied.events), events);
    assert_eq!(timeline.step(), step, "looking at events leaves the cursor where it is");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_step_is_what_a_fresh_replay_gives(
        kind in 0..Kind::ALL.len(),
        seed: u64,
        budget_bytes in prop_oneof![Just(0), Just(300_000), Just(usize::MAX)],
        steps in prop::collection::vec(0u32..=6000, 1..8),
    ) {
        let mut timeline = recorded(&ops(Kind::ALL[kind], seed, 6000), budget_bytes);
        for step in steps {
            check_step(&mut timeline, step);
        }
    }
}

#[test]
fn neighbours_of_every_kind_of_step_are_right() {
    let mut timeline = recorded(&ops(Kind::Fragment, 3, 6000), 1 << 20);
    assert!(timeline.snapshots() > 1);
    for step in [0, 1, 2, 1199, 1200, 1201, 1200, 1199, 3000, 2999, 2998, 5999, 6000, 5999, 0] {
        check_step(&mut timeline, step);
    }
}

#[test]
fn only_recorded_steps_can_be_visited() {
    let mut timeline = Timeline::new(empty_pool(), ops(Kind::Churn, 1, 1000), 1 << 20);
    assert_eq!((timeline.seek(5), timeline.digest_at(5)), (0, None));
    assert_eq!(timeline.events_of(5), None);
    let progress = timeline.record(10);
    assert_eq!((progress.recorded, progress.total, progress.done()), (10, 1000, false));
    assert_eq!((timeline.seek(5), timeline.seek(999)), (5, 10));
    assert!(timeline.record(u32::MAX).done());
    assert_eq!(timeline.seek(u32::MAX), 1000);
}

#[test]
fn the_class_of_a_size_is_where_it_is_placed() {
    use slabscope_core::{slub, zblock};
    let configs = [
        AnyConfig::Zsmalloc(Config::default_for(Era::V6_12)),
        AnyConfig::Zblock(zblock::Config::default_for(zblock::Version::default())),
        AnyConfig::Slub(slub::Config::default_for(slub::Generation::default())),
    ];
    for config in configs {
        let mut pool = config.pool().unwrap();
        let mut placed = 0;
        for size in 0..5000 {
            let place = pool.malloc(ObjectId(size), size, &mut Ignore).ok();
            assert_eq!(pool.class_of(size), place.map(|place| place.class), "{config:?}: {size} bytes");
            placed += u32::from(place.is_some());
        }
        assert!(placed > 2000, "{config:?}: {placed}");
    }
}

#[test]
fn an_empty_stream_has_one_step() {
    let mut timeline = recorded(&Arc::new(Ops::new()), 0);
    assert!(timeline.is_empty() && timeline.series().is_empty() && timeline.marks().is_empty());
    assert_eq!((timeline.seek(1), timeline.digest_at(0)), (0, Some(LogDigest::new().value())));
    assert_eq!(timeline.events_of(0), None);
    assert_eq!(timeline.next_interesting(0, Filter::of(&Interest::ALL), Direction::Forward), None);
}

#[test]
fn copies_stay_within_the_budget_and_use_most_of_it() {
    let ops = ops(Kind::Churn, 1, 200_000);
    for budget_bytes in [8 << 20, 32 << 20] {
        let timeline = recorded(&ops, budget_bytes);
        let used = timeline.snapshot_bytes();
        assert!((budget_bytes / 2..=budget_bytes).contains(&used), "{used} of {budget_bytes}");
    }
}

#[test]
fn the_series_adds_up() {
    let ops = ops(Kind::Waves, 5, 50_000);
    let timeline = recorded(&ops, 1 << 20);
    let series = timeline.series();
    assert!((1024..=2048).contains(&series.len()));
    let (mut pool, mut events, mut step) = (empty_pool(), Vec::new(), 0);
    for sample in series {
        events.clear();
        let (mut pages, mut failures, mut compactions) = (Vec::new(), 0, 0);
        while step < sample.step {
            match apply(&mut pool, ops.get(step as usize).unwrap(), &mut events) {
                Outcome::Failed(_) => failures += 1,
                Outcome::Compacted(_) => compactions += 1,
                _ => {}
            }
            pages.push(pool.totals().pages);
            step += 1;
        }
        let count = |wanted: fn(&Event) -> bool| events.iter().filter(|event| wanted(event)).count() as u32;
        assert_eq!(sample.totals, pool.totals());
        let mut groups = [0; MOST_GROUPS];
        pool.for_each_span(&mut |span| groups[usize::from(span.group)] += 1);
        assert_eq!(sample.groups, groups);
        assert_eq!(
            [Some(sample.pages.min), Some(sample.pages.max)],
            [pages.iter().min(), pages.iter().max()].map(Option::<&u64>::copied)
        );
        assert_eq!((sample.failures, sample.compactions), (failures, compactions));
        assert_eq!(sample.spans_created, count(|event| matches!(event, Event::SpanCreated { .. })));
        assert_eq!(sample.spans_freed, count(|event| matches!(event, Event::SpanFreed { .. })));
        assert_eq!(sample.moves, count(|event| matches!(event, Event::Moved { .. })));
    }
    assert_eq!(step, 50_000);
}

/// What a plain replay says happens at each step.
struct Facts {
    kinds: Vec<Vec<Interest>>,
    spans: Vec<Vec<SpanId>>,
}

fn facts(ops: &Ops) -> Facts {
    let mut pool = empty_pool();
    let huge: Vec<u16> =
        pool.classes().iter().filter(|class| class.objects_per_span == 1).map(|class| class.class).collect();
    let mut seen = Vec::new();
    let (mut kinds, mut spans) = (Vec::new(), Vec::new());
    for op in ops.iter() {
        let mut events = Vec::new();
        let outcome = apply(&mut pool, op, &mut events);
        let mut here = Vec::new();
        match outcome {
            Outcome::Compacted(_) => here.push(Interest::Compacted),
            Outcome::Failed(_) => here.push(Interest::Failed),
            Outcome::Placed(Place { class, .. }) if !seen.contains(&class) => {
                seen.push(class);
                here.push(Interest::FirstInClass);
                if huge.contains(&class) {
                    here.push(Interest::FirstHuge);
                }
            }
            _ => {}
        }
        let mut touched = Vec::new();
        for event in events {
            match event {
                Event::SpanCreated { span, .. } => {
                    here.push(Interest::SpanCreated);
                    touched.push(span);
                }
                Event::SpanFreed { span, .. } => {
                    here.push(Interest::SpanFreed);
                    touched.push(span);
                }
                Event::Grouped { span, .. }
                | Event::SourceTaken { span, .. }
                | Event::DestinationTaken { span, .. } => touched.push(span),
                Event::Placed { at, .. } => touched.push(at.span),
                Event::Removed { from, .. } => touched.push(from.span),
                Event::Moved { from, to, .. } => touched.extend([from.span, to.span]),
                Event::ClassDone { .. } => {}
            }
        }
        kinds.push(here);
        spans.push(touched);
    }
    Facts { kinds, spans }
}

#[test]
fn jumps_go_to_the_nearest_step_of_interest() {
    // Uniform sizes up to four pages: three quarters of them fail.
    let spec = Spec {
        kind: Kind::Waves,
        dist: SizeDist::Uniform16K,
        fixed_size: None,
        seed: 2,
        operations: 9000,
        live: 1500,
        compact_every: 2000,
    };
    let ops = Arc::new(spec.generate());
    let facts = facts(&ops);
    let mut timeline = recorded(&ops, 1 << 20);
    let mut check = |filter: Filter, wanted: &dyn Fn(usize) -> bool| {
        for from in [0, 1, 17, 999, 2000, 2001, 4444, 8990, 9000] {
            // Step n is the result of operation n - 1.
            let after = (from + 1..=9000).find(|&step| wanted(step - 1));
            let before = (1..from).rfind(|&step| wanted(step - 1));
            let found = [Direction::Forward, Direction::Backward]
                .map(|direction| timeline.next_interesting(from as u32, filter, direction));
            assert_eq!(
                found,
                [after, before].map(|step| step.map(|step| step as u32)),
                "{filter:?} from {from}"
            );
        }
    };
    for kind in Interest::ALL {
        check(Filter::of(&[kind]), &|index| facts.kinds[index].contains(&kind));
    }
    check(Filter::of(&[Interest::Compacted, Interest::FirstHuge]), &|index| {
        facts.kinds[index].iter().any(|kind| [Interest::Compacted, Interest::FirstHuge].contains(kind))
    });
    for span in [1, 2, 300, 700, 1_000_000].map(SpanId) {
        check(Filter::span(span), &|index| facts.spans[index].contains(&span));
    }
}

#[test]
fn marks_are_the_steps_where_something_happened() {
    let ops = ops(Kind::Fragment, 1, 20_000);
    let facts = facts(&ops);
    let timeline = recorded(&ops, 1 << 20);
    assert!(timeline.marks().is_sorted_by_key(|mark| mark.step));
    for mark in timeline.marks() {
        let kind = match mark.kind {
            MarkKind::Compacted { .. } => Interest::Compacted,
            MarkKind::Failed => Interest::Failed,
            MarkKind::FirstInClass { .. } => Interest::FirstInClass,
        };
        assert!(facts.kinds[mark.step as usize - 1].contains(&kind), "{mark:?}");
    }
    let count = |kind| facts.kinds.iter().filter(|kinds| kinds.contains(&kind)).count();
    let expected = count(Interest::Compacted) + count(Interest::Failed) + count(Interest::FirstInClass);
    assert_eq!((timeline.marks().len(), timeline.marks_left_out()), (expected, 0));
    let compactions: u32 = timeline.series().iter().map(|sample| sample.compactions).sum();
    assert_eq!(compactions as usize, count(Interest::Compacted));
    let huge =
        timeline.marks().iter().filter(|mark| matches!(mark.kind, MarkKind::FirstInClass { huge: true, .. }));
    assert_eq!(huge.count(), count(Interest::FirstHuge));
}
