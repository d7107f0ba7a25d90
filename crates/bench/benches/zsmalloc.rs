//! zsmalloc: replay of a pool in every way eras differ, compaction, cloning, class tables.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use slabscope_bench::churn;
use slabscope_core::oplog::apply;
use slabscope_core::ops::Ops;
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool};

const ERAS: [Era; 4] = [Era::V4_2, Era::V4_5, Era::V6_1, Era::V6_12];

fn pool(era: Era) -> Pool {
    Pool::new(Geometry::new(&Config::default_for(era)).unwrap())
}

fn replayed(era: Era, ops: &Ops) -> Pool {
    let mut pool = pool(era);
    for op in ops.iter() {
        apply(&mut pool, op, &mut Ignore);
    }
    pool
}

/// The same after two of three objects were freed: work for compaction.
fn thinned(era: Era, ops: &Ops) -> Pool {
    let mut pool = replayed(era, ops);
    for number in (0..50_000).filter(|number| number % 3 != 0) {
        // A number that is not live is none of our concern here.
        let _ = pool.free(ObjectId(number), &mut Ignore);
    }
    pool
}

fn pools(criterion: &mut Criterion) {
    let ops = churn(200_000, 50_000, 1);
    let mut group = criterion.benchmark_group("zsmalloc pool");
    group.sample_size(20).throughput(Throughput::Elements(ops.len() as u64));
    for era in ERAS {
        group.bench_function(format!("replay {}", era.name()), |bencher| {
            bencher.iter(|| replayed(era, &ops).totals());
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("zsmalloc whole pool");
    group.sample_size(20);
    for era in ERAS {
        let full = thinned(era, &ops);
        group.bench_function(format!("compact {}", era.name()), |bencher| {
            bencher.iter_batched_ref(
                || full.clone(),
                |pool| pool.compact(&mut Ignore),
                BatchSize::LargeInput,
            );
        });
    }
    let full = replayed(Era::V6_12, &ops);
    group.bench_function("clone", |bencher| bencher.iter(|| full.clone()));
    group.bench_function("class statistics", |bencher| bencher.iter(|| full.class_stats()));
    group.finish();
}

fn geometry(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("zsmalloc geometry");
    for (era, page_shift) in [(Era::V6_1, 12), (Era::V6_12, 12), (Era::V6_12, 16)] {
        let config = Config { page_shift, ..Config::default_for(era) };
        group.bench_function(format!("{} with page shift {page_shift}", era.name()), |bencher| {
            bencher.iter(|| Geometry::new(black_box(&config)).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, pools, geometry);
criterion_main!(benches);
