//! The replay and the seeks of the budgets in a browser: `cargo xtask bench` runs this and reads what it prints.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used)]

use slabscope_bench::{replay_ratio, seeks, sweep_ms};
use slabscope_core::zsmalloc::Era;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The clock of the page, in milliseconds.
fn now() -> f64 {
    let window = js_sys::global();
    let performance = js_sys::Reflect::get(&window, &"performance".into()).unwrap();
    let now = js_sys::Reflect::get(&performance, &"now".into()).unwrap();
    js_sys::Function::from(now).call0(&performance).unwrap().as_f64().unwrap()
}

#[wasm_bindgen_test]
fn replay() {
    let measured = replay_ratio(now).unwrap();
    assert_eq!(measured.replay_ms.len(), 9);
    console_log!("{}", measured.line());
}

#[wasm_bindgen_test]
fn seek() {
    let measured = seeks(1_000_000, 64 << 20, 200, now).unwrap();
    assert!(measured.snapshot_bytes <= 64 << 20);
    console_log!("seek-ms {:.2} {:.2}", measured.percentile(50), measured.percentile(95));
}

#[wasm_bindgen_test]
fn sweep() {
    let measured = sweep_ms(Era::V6_12, now);
    assert_eq!(measured.settings, 80);
    console_log!("sweep-ms {:.3}", measured.warm_ms);
}
