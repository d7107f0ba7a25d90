//! The beginning of every case, equal on every platform: the same check runs natively and in a browser.

#![allow(clippy::unwrap_used)]

use slabscope_cases::{Case, Data, Options, Run, tsv_rows};
use slabscope_core::digest::Fnv1a64;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Slices that are worked on with one seed, and the digest of all that is said then: figures, texts and finding.
const EXPECTED: [(Case, u32, u64); 5] = [
    (Case::SlubOrder, 5, 0x8b44_6e6b_90dc_34b8),
    (Case::PartialOrdering, 3, 0x59fc_e211_6ad7_aad6),
    (Case::MorePages, 6, 0x0bde_16ca_4382_2b0a),
    (Case::Locks, 2, 0x902c_03e4_e9cc_457e),
    (Case::Zblock, 6, 0x366e_6a1e_beb5_3ed8),
];

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn a_case_says_the_same_on_every_platform() {
    let found = EXPECTED.map(|(case, slices, _)| {
        let mut options = Options::default();
        options.set(case, "seeds", "1").unwrap();
        let mut run = Run::new(case, &options, &Data::embedded()).unwrap();
        for _ in 0..slices {
            run.advance();
        }
        let outcome = run.outcome();
        let rows = tsv_rows(&outcome).map(|row| row.join("\t")).collect::<Vec<_>>().join("\n");
        let texts: String = outcome.steps.iter().map(|step| step.text.as_str()).collect();
        assert!(rows.len() > 1000, "{}", case.name());
        (case, slices, Fnv1a64::of(&format!("{}{texts}{rows}", outcome.finding)))
    });
    assert_eq!(found, EXPECTED, "{:#018x?}", found.map(|(_, _, digest)| digest));
}
