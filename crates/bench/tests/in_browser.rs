//! The replay and the seeks of the budgets in a browser: `cargo xtask bench` runs this and reads what it prints.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used)]

use slabscope_bench::{Frames, SIZE, replay_ratio, seeks, sweep_ms};
use slabscope_core::zsmalloc::Era;
use wasm_bindgen::{Clamped, JsCast as _};
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

/// A canvas of the size of the budget, in the page.
fn context() -> web_sys::CanvasRenderingContext2d {
    let page = web_sys::window().unwrap().document().unwrap();
    let canvas: web_sys::HtmlCanvasElement = page.create_element("canvas").unwrap().dyn_into().unwrap();
    canvas.set_width(SIZE.0 as u32);
    canvas.set_height(SIZE.1 as u32);
    page.body().unwrap().append_child(&canvas).unwrap();
    canvas.get_context("2d").unwrap().unwrap().dyn_into().unwrap()
}

fn put(context: &web_sys::CanvasRenderingContext2d, pixels: &[u32]) {
    let bytes = Clamped(bytemuck::cast_slice::<u32, u8>(pixels));
    let image = web_sys::ImageData::new_with_u8_clamped_array_and_sh(bytes, SIZE.0 as u32, SIZE.1 as u32);
    context.put_image_data(&image.unwrap(), 0.0, 0.0).unwrap();
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Frames after 100 operations, and whole ones, in turn with putting the same pixels bare.
#[wasm_bindgen_test]
fn frames() {
    let context = context();
    for (zoom, name) in [(1.0, "3"), (8.0 / 3.0, "8")] {
        let mut frames = Frames::new(100_000, zoom).unwrap();
        let (mut bare, mut changed, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..60 {
            let start = now();
            put(&context, &frames.pixels);
            bare.push(now() - start);
            let touched = frames.operate(100);
            let start = now();
            frames.change(&touched);
            put(&context, &frames.pixels);
            changed.push(now() - start);
            let start = now();
            frames.whole();
            whole.push(now() - start);
        }
        let [bare, changed, whole] = [bare, changed, whole].map(|mut times| median(&mut times));
        console_log!("frame-ms {name} {bare:.3} {changed:.3} {whole:.3}");
    }
}
