//! The worker's port: the page's words in, texts out.

use js_sys::{Array, Uint8Array};
use slabscope_lab::Reply;
use slabscope_lab::document::Document;
use slabscope_worker::protocol::decode;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers the page from now on. A request is a list: its number, what is wanted, the texts of
/// [`answer`](crate::answer), and the documents that are shown, as their workers sent them; an answer its number, whether it worked, and a text.
pub fn start() {
    let Ok(port) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let answering = port.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Ok(message) = event.data().dyn_into::<Array>() else { return };
        let text = |index: u32| message.get(index).as_string().unwrap_or_default();
        let shown = documents(&message.get(5));
        let result = crate::answer(&text(1), &text(2), &text(3), &text(4), &shown);
        let worked = result.is_ok();
        let said = result.unwrap_or_else(|why| why);
        let reply = Array::of3(&message.get(0), &worked.into(), &said.into());
        // Texts can always be copied.
        let _ = answering.post_message(&reply);
    });
    port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It listens as long as the worker lives.
    on_message.forget();
    let _ = port.post_message(&"ready".into());
}

/// Documents one below the other.
fn documents(sent: &JsValue) -> Document {
    let mut all = Document::new();
    for one in sent.dyn_ref::<Array>().into_iter().flat_map(Array::iter) {
        let Ok(bytes) = one.dyn_into::<Uint8Array>() else { continue };
        match decode(&bytes.to_vec()) {
            Some(Reply::Done(document) | Reply::Partly(document, _)) => all.extend(*document),
            Some(Reply::Read(read)) => all.extend(read.document),
            _ => {}
        }
    }
    all
}
