//! Copying, where the browser lets us.

use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

/// Copies a text and tells whether that worked.
pub(crate) fn copy(text: String, done: Callback<bool>) {
    let Some(window) = web_sys::window() else { return done.emit(false) };
    let clipboard = window.navigator().clipboard();
    // A page that is not secure has no clipboard at all.
    if clipboard.is_undefined() {
        return done.emit(false);
    }
    spawn_local(async move {
        let written = JsFuture::from(clipboard.write_text(&text)).await;
        done.emit(written.is_ok());
    });
}
