//! zblock: replay of a pool in every way versions keep blocks, cloning, block types, look-ups.

#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use slabscope_bench::churn;
use slabscope_core::oplog::apply;
use slabscope_core::ops::Ops;
use slabscope_core::pool::{Ignore, Pool as _};
use slabscope_core::zblock::{Config, Geometry, Pool, Version};

const VERSIONS: [Version; 5] = [Version::Y2022, Version::V1, Version::V2, Version::V3, Version::Mm0508];

fn replayed(version: Version, ops: &Ops) -> Pool {
    let mut pool = Pool::new(Geometry::new(&Config::default_for(version)).unwrap());
    for op in ops.iter() {
        apply(&mut pool, op, &mut Ignore);
    }
    pool
}

fn pools(criterion: &mut Criterion) {
    let ops = churn(200_000, 50_000, 1);
    let mut group = criterion.benchmark_group("zblock pool");
    group.sample_size(20).throughput(Throughput::Elements(ops.len() as u64));
    for version in VERSIONS {
        group.bench_function(format!("replay {}", version.name()), |bencher| {
            bencher.iter(|| replayed(version, &ops).totals());
        });
    }
    group.finish();
    let full = replayed(Version::Mm0508, &ops);
    criterion.bench_function("zblock whole pool/clone", |bencher| bencher.iter(|| full.clone()));
}

fn geometry(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("zblock geometry");
    for version in [Version::Y2022, Version::Mm0508] {
        let config = Config::default_for(version);
        group.bench_function(format!("{} types", version.name()), |bencher| {
            bencher.iter(|| Geometry::new(black_box(&config)));
        });
        let geometry = Geometry::new(&config).unwrap();
        group.bench_function(format!("{} look-up of every size of a page", version.name()), |bencher| {
            bencher.iter(|| (1..=4096).map(|size| geometry.lookup(black_box(size)).count()).sum::<usize>());
        });
    }
    group.finish();
}

criterion_group!(benches, pools, geometry);
criterion_main!(benches);
