//! Files of cases, fetched from beside the page when a case needs them.

use js_sys::Uint8Array;
use wasm_bindgen::JsCast as _;
use web_sys::{XmlHttpRequest, XmlHttpRequestResponseType};

/// The folder that the build puts them into, beside the worker's script.
const FOLDER: &str = "cases/";

/// The content of a file. The worker waits for it: it has nothing else to do.
///
/// # Errors
/// It cannot be had.
pub(super) fn fetch(name: &str) -> Result<Vec<u8>, String> {
    let got = || {
        let request = XmlHttpRequest::new().ok()?;
        request.open_with_async("GET", &format!("{FOLDER}{name}"), false).ok()?;
        request.set_response_type(XmlHttpRequestResponseType::Arraybuffer);
        request.send().ok()?;
        let is_there = request.status() == Ok(200);
        let content = request.response().ok()?.dyn_into::<js_sys::ArrayBuffer>().ok()?;
        is_there.then(|| Uint8Array::new(&content).to_vec())
    };
    got().ok_or_else(|| format!("The sizes that this case needs, {name}, could not be fetched"))
}
