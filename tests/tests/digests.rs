//! Digests of whole runs, equal on every platform: the same checks run natively and in a browser.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use slabscope_core::model::AnyConfig;
use slabscope_core::oplog::{LogDigest, Outcome, apply};
use slabscope_core::ops::Op;
use slabscope_core::pool::{Count, Pool as _};
use slabscope_core::timeline::Timeline;
use slabscope_core::workload::{Kind, SizeDist, Spec};
use slabscope_core::zsmalloc::{Config, Era};
use slabscope_core::{slub, zblock};

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// A pool and the sizes that are put into it.
struct Scenario {
    name: &'static str,
    config: AnyConfig,
    dist: SizeDist,
    /// Digest of the log of each kind of workload, in the order of `Kind::ALL`, and events in all.
    expected: [u64; 5],
    events: u64,
}

fn scenarios() -> [Scenario; 8] {
    let zsmalloc = |era| Config::default_for(era);
    [
        Scenario {
            name: "zsmalloc 6.12",
            config: AnyConfig::Zsmalloc(zsmalloc(Era::V6_12)),
            dist: SizeDist::ProcLzo,
            expected: [
                0xd48e_6935_d49a_1683,
                0x959b_441c_3c02_d8f5,
                0xccde_ee50_8d24_a6d8,
                0x6ed5_8b71_04f4_283a,
                0xe02c_1f44_2e40_cec3,
            ],
            events: 185_508,
        },
        Scenario {
            name: "zsmalloc 4.5",
            config: AnyConfig::Zsmalloc(zsmalloc(Era::V4_5)),
            dist: SizeDist::LibsZstd,
            expected: [
                0x724a_25de_fe0a_cc4a,
                0xb35c_2478_f095_cb0d,
                0xb75a_4286_8c8a_4ca8,
                0x5516_a04a_7007_d32a,
                0x29b3_4207_ebf8_f6f4,
            ],
            events: 178_945,
        },
        Scenario {
            name: "zsmalloc 6.12, 16K pages",
            config: AnyConfig::Zsmalloc(Config { page_shift: 14, ..zsmalloc(Era::V6_12) }),
            dist: SizeDist::LibsLzoPage16K,
            expected: [
                0x3d02_96c9_97dd_73a8,
                0x85af_6867_8e91_0859,
                0x8898_48ea_1a41_9ed1,
                0x2309_211b_160e_ca56,
                0x72aa_06c0_edae_ca7a,
            ],
            events: 196_394,
        },
        Scenario {
            name: "zblock mm0508",
            config: AnyConfig::Zblock(zblock::Config::default_for(zblock::Version::Mm0508)),
            dist: SizeDist::ProcLzo,
            expected: [
                0x4bf0_eb00_79c1_e335,
                0xd1bd_d681_92b5_6532,
                0x9f44_a195_0eb1_ca77,
                0x579d_07be_bab2_12ee,
                0xb5fa_6058_72af_e42e,
            ],
            events: 133_446,
        },
        Scenario {
            name: "zblock v1, 16K pages",
            config: AnyConfig::Zblock(zblock::Config { version: zblock::Version::V1, page_shift: 14 }),
            dist: SizeDist::LibsLzoPage16K,
            expected: [
                0xa04f_bc74_9e16_feef,
                0xa82d_408a_0e13_9fb2,
                0x5b65_17f4_62a0_6273,
                0xc324_8e20_86a8_e0e7,
                0xe072_855a_c996_c396,
            ],
            events: 119_223,
        },
        Scenario {
            name: "SLUB modern, kmalloc caches",
            config: AnyConfig::Slub(slub::Config::default()),
            dist: SizeDist::ProcLzo,
            expected: [
                0x17c7_0f2c_b4b1_7e64,
                0x326e_7dd8_03c0_6596,
                0xa88c_7758_30f2_4d83,
                0xaabb_1d68_6c7e_62b6,
                0x86e0_3ad3_a90a_2cdf,
            ],
            events: 163_144,
        },
        Scenario {
            name: "SLUB classic, one cache",
            config: AnyConfig::Slub(slub::Config {
                object_size: 4096,
                ..slub::Config::default_for(slub::Generation::Classic)
            }),
            dist: SizeDist::ProcLzo,
            expected: [
                0xc64a_a9fe_372a_8e6c,
                0x1d62_aee3_ef84_4c0a,
                0x944a_4821_af5c_5cb0,
                0x1db5_8967_2b2f_c8d1,
                0x6551_9c25_9a6d_8a80,
            ],
            events: 201_981,
        },
        Scenario {
            name: "SLUB 2.6.26, 16K pages",
            config: AnyConfig::Slub(slub::Config {
                page_shift: 14,
                ..slub::Config::default_for(slub::Generation::V2_6_26)
            }),
            dist: SizeDist::LibsLzoPage16K,
            expected: [
                0x75bc_9626_03e4_908d,
                0x2e72_098e_32f9_c054,
                0x1f5d_4375_db5d_c85f,
                0x6cec_0e58_c932_1b43,
                0x6e82_4a6c_eec2_a93a,
            ],
            events: 156_366,
        },
    ]
}

fn spec(kind: Kind, dist: SizeDist) -> Spec {
    Spec { kind, dist, fixed_size: None, seed: 1, operations: 20_000, live: 2_500, compact_every: 6_000 }
}

fn check_replay(scenario: &Scenario) {
    let mut count = Count::default();
    let digests = Kind::ALL.map(|kind| {
        let (mut pool, mut digest) = (scenario.config.pool().unwrap(), LogDigest::new());
        for op in spec(kind, scenario.dist).ops() {
            let outcome = apply(&mut pool, op, &mut count);
            // What zblock refused is not there when its turn to be freed comes.
            let may_be_missing = pool.totals().failed > 0;
            assert!(may_be_missing || outcome != Outcome::NotLive, "{} {kind:?}", scenario.name);
            let name = match op {
                Op::Alloc { object, .. } | Op::Free { object } => object.0,
                _ => 0,
            };
            digest.add(op, name, outcome);
        }
        digest.value()
    });
    assert_eq!(
        (digests, count.0),
        (scenario.expected, scenario.events),
        "{}: {digests:#018x?}",
        scenario.name
    );
}

fn check_timeline(scenario: &Scenario) {
    for (kind, expected) in Kind::ALL.into_iter().zip(scenario.expected) {
        let ops = Arc::new(spec(kind, scenario.dist).generate());
        let mut timeline = Timeline::new(scenario.config.pool().unwrap(), ops, 1 << 20);
        while !timeline.record(4096).done() {}
        timeline.seek(timeline.len() / 2);
        assert_eq!(timeline.digest_at(timeline.len()), Some(expected), "{} {kind:?}", scenario.name);
    }
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn a_replay_gives_the_same_log_on_every_platform() {
    scenarios().iter().for_each(check_replay);
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn a_timeline_gives_the_log_of_a_replay() {
    scenarios().iter().for_each(check_timeline);
}
