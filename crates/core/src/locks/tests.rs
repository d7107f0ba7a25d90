//! The engine against closed forms and against itself.

#![allow(clippy::unwrap_used)]

use super::*;

fn spec(scheme: Scheme) -> Spec {
    Spec {
        scheme,
        threads: 16,
        cores: 16,
        traffic: vec![5, 1, 1, 9],
        allocations_per_mille: 500,
        times: Times { compress: 9_000, decompress: 3_000, malloc: 800, free: 500, lookup: 50 },
        draw: Draw::Exponential,
        operations: 20_000,
        seed: 7,
        lane_segments: 100,
    }
}

/// Utilisation of the one server of a closed queue of `n` customers, M/M/1//N.
fn machine_repair_utilisation(n: u32, think: f64, service: f64) -> f64 {
    let ratio = service / think;
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 0..n {
        term *= f64::from(n - k) * ratio;
        sum += term;
    }
    1.0 - 1.0 / sum
}

#[test]
fn one_lock_and_exponential_times_give_the_machine_repair_queue() {
    for (threads, think, service) in
        [(1, 10_000, 1_000), (8, 10_000, 1_000), (32, 20_000, 500), (32, 9_000, 900)]
    {
        let times = Times { compress: think, decompress: think, malloc: service, free: service, lookup: 0 };
        let spec = Spec { threads, cores: threads, times, operations: 600_000, ..spec(Scheme::Pool) };
        let report = simulate(&spec).unwrap();
        let measured = report.hold() as f64 / report.elapsed as f64;
        let exact = machine_repair_utilisation(threads.into(), think as f64, service as f64);
        assert!((measured / exact - 1.0).abs() < 0.01, "{threads} threads: {measured} against {exact}");
    }
}

#[test]
fn every_scheme_accounts_for_all_its_time() {
    for scheme in [Scheme::Pool, Scheme::Pools(4), Scheme::PerClass, Scheme::PerClassAndPool, Scheme::PerType]
    {
        let report = simulate(&spec(scheme)).unwrap();
        assert_eq!(report.operations, 20_000, "{scheme:?}");
        let of_locks = |part: fn(&LockTotals) -> u64| report.locks.iter().map(part).sum::<u64>();
        assert_eq!(of_locks(|lock| lock.wait), report.wait(), "{scheme:?}");
        assert_eq!(of_locks(|lock| lock.hold), report.hold(), "{scheme:?}");
        assert_eq!(of_locks(|lock| lock.taken), report.waits.iter().sum::<u64>(), "{scheme:?}");
        for lane in &report.lanes {
            assert!(lane.compute + lane.wait + lane.hold <= report.elapsed);
            assert!(lane.segments.windows(2).all(|pair| pair[0].to == pair[1].from), "{scheme:?}: a gap");
        }
    }
}

#[test]
fn finer_locks_wait_less_and_readers_do_not_wait_for_readers() {
    let wait = |scheme| simulate(&spec(scheme)).unwrap().wait();
    assert!(wait(Scheme::Pool) > 2 * wait(Scheme::PerClass));
    assert!(wait(Scheme::Pool) > 2 * wait(Scheme::Pools(32)));
    let report = simulate(&spec(Scheme::PerClassAndPool)).unwrap();
    let migrate = report.locks.iter().find(|lock| lock.lock == LockKey::Migrate).unwrap();
    assert!(migrate.taken > 9_000);
    assert_eq!((migrate.contended, migrate.wait), (0, 0));
}

#[test]
fn fewer_cores_take_longer_and_a_seed_repeats() {
    let few = Spec { cores: 2, ..spec(Scheme::PerClass) };
    let many = spec(Scheme::PerClass);
    assert!(simulate(&few).unwrap().elapsed > 4 * simulate(&many).unwrap().elapsed);
    assert_eq!(simulate(&many), simulate(&many));
    assert_ne!(simulate(&many), simulate(&Spec { seed: 8, ..many.clone() }));
}

#[test]
fn what_cannot_run_says_why() {
    let base = spec(Scheme::Pool);
    for (bad, why) in [
        (Spec { threads: 0, ..base.clone() }, SpecError::NoThreads),
        (Spec { cores: 0, ..base.clone() }, SpecError::NoCores),
        (Spec { traffic: vec![0, 0], ..base.clone() }, SpecError::NoTraffic),
        (Spec { scheme: Scheme::Pools(0), ..base.clone() }, SpecError::NoPools),
        (Spec { allocations_per_mille: 1001, ..base.clone() }, SpecError::PerMille(1001)),
    ] {
        assert_eq!(simulate(&bad), Err(why));
    }
}
