//! Copying and saving, where the browser lets us.

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlElement;
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

/// Saves a table as a file, as the browser saves what is downloaded. Its first line is a comment: build and link.
pub(crate) fn save(name: &str, table: &str) {
    let page = web_sys::window().and_then(|window| window.document());
    let link = page.as_ref().and_then(|page| page.create_element("a").ok()?.dyn_into::<HtmlElement>().ok());
    let Some(link) = link else { return };
    let origin = page.and_then(|page| {
        let build = page.document_element()?.get_attribute("data-build")?;
        Some(["# Slabscope ", &build, ": ", &page.url().ok()?, "\n"].concat())
    });
    let text = [origin.as_deref().unwrap_or_default(), table].concat();
    let content = String::from(js_sys::encode_uri_component(&text));
    // Attributes of an element of our own can be set.
    let _ = link.set_attribute("href", &["data:text/csv,", &content].concat());
    let _ = link.set_attribute("download", name);
    link.click();
}
