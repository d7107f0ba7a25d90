//! A worker's port to the page: messages in, answers out.

use js_sys::WebAssembly::Memory;
use js_sys::{Array, ArrayBuffer, Uint8Array};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use crate::protocol::{decode, encode};

/// The port of the worker that this runs in.
#[derive(Clone, Debug)]
pub struct Port(DedicatedWorkerGlobalScope);

impl Port {
    /// `None` outside a worker.
    pub fn new() -> Option<Self> {
        js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>().ok().map(Self)
    }

    /// Takes messages, each with what came along, from now on, and says `ready`.
    pub fn listen<M: DeserializeOwned + 'static, R: Serialize>(
        &self,
        ready: &R,
        mut take: impl FnMut(M, JsValue) + 'static,
    ) {
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Ok(message) = event.data().dyn_into::<Array>() else { return };
            let bytes = message.get(0).dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec());
            if let Some(request) = bytes.ok().and_then(|bytes| decode(&bytes)) {
                take(request, message.get(1));
            }
        });
        self.0.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        // It listens as long as the worker lives.
        on_message.forget();
        self.send(ready);
    }

    /// Sends an answer.
    pub fn send<R: Serialize>(&self, answer: &R) {
        let message = Array::of1(&Uint8Array::from(encode(answer).as_slice()));
        // Bytes in an array can always be copied.
        let _ = self.0.post_message(&message);
    }

    /// Memory of the worker, in MiB.
    pub fn memory() -> u32 {
        let memory = wasm_bindgen::memory().unchecked_into::<Memory>();
        memory.buffer().unchecked_into::<ArrayBuffer>().byte_length() >> 20
    }

    /// Milliseconds since the worker started.
    pub fn now(&self) -> f64 {
        self.0.performance().map_or(0.0, |clock| clock.now())
    }
}

/// Does something after the messages that wait.
pub fn later(port: &Port, work: impl FnOnce() + 'static) {
    let work = Closure::once_into_js(work);
    // A function of our own is one.
    let _ = port.0.set_timeout_with_callback(work.unchecked_ref());
}
