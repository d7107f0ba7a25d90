//! SLUB: replay of a pool in both ways slabs with room are kept, cloning, the search for an order.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use slabscope_bench::churn;
use slabscope_core::oplog::apply;
use slabscope_core::ops::Ops;
use slabscope_core::pool::{Ignore, Pool as _};
use slabscope_core::slub::{Config, Generation, Geometry, OrderParams, Pool, calculate_order, explain};

const GENERATIONS: [Generation; 2] = [Generation::V2_6_26, Generation::Modern];

fn replayed(generation: Generation, ops: &Ops) -> Pool {
    let mut pool = Pool::new(Geometry::new(&Config::default_for(generation)).unwrap());
    for op in ops.iter() {
        apply(&mut pool, op, &mut Ignore);
    }
    pool
}

fn pools(criterion: &mut Criterion) {
    let ops = churn(200_000, 50_000, 1);
    let mut group = criterion.benchmark_group("slub pool");
    group.sample_size(20).throughput(Throughput::Elements(ops.len() as u64));
    for generation in GENERATIONS {
        group.bench_function(format!("replay {}", generation.name()), |bencher| {
            bencher.iter(|| replayed(generation, &ops).totals());
        });
    }
    group.finish();
    let full = replayed(Generation::Modern, &ops);
    criterion.bench_function("slub whole pool/clone", |bencher| bencher.iter(|| full.clone()));
    let mut copy = full.clone();
    criterion.bench_function("slub whole pool/clone into", |bencher| {
        bencher.iter(|| copy.clone_from(black_box(&full)));
    });
}

fn orders(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("slub orders of every size of a page");
    for generation in Generation::ALL {
        let params = |size| OrderParams { generation, cpus: 8, size, ..OrderParams::default() };
        group.bench_function(generation.name(), |bencher| {
            bencher.iter(|| (1..=4096).filter_map(|size| calculate_order(&params(size)).ok()).count());
        });
        group.bench_function(format!("{} explained", generation.name()), |bencher| {
            bencher
                .iter(|| (1..=4096).map(|size| explain(black_box(&params(size))).steps.len()).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group!(benches, pools, orders);
criterion_main!(benches);
