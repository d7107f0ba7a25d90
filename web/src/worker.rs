//! The page's end of a worker: messages out, answers in, and a new worker where one crashed.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use slabscope_worker::protocol::{Signal, decode, encode};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

/// A worker that answers with `A`, started when something is first asked of it.
pub(crate) struct Client<A: 'static>(Rc<RefCell<Inner<A>>>);

impl<A> Clone for Client<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A> PartialEq for Client<A> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

struct Inner<A: 'static> {
    /// The script that trunk writes.
    script: &'static str,
    running: Option<Running>,
    /// What was asked before it listened.
    waiting: Vec<Array>,
    listener: Callback<Rc<A>>,
    crashes: u32,
    crashed: Callback<u32>,
}

struct Running {
    worker: Worker,
    listens: bool,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl<A: Signal + DeserializeOwned + 'static> Client<A> {
    pub(crate) fn new(script: &'static str) -> Self {
        let (listener, crashed) = (Callback::noop(), Callback::noop());
        Self(Rc::new(RefCell::new(Inner {
            script,
            running: None,
            waiting: Vec::new(),
            listener,
            crashes: 0,
            crashed,
        })))
    }

    /// The script that it runs.
    pub(crate) fn script(&self) -> &'static str {
        self.0.borrow().script
    }

    /// Asks for something.
    pub(crate) fn ask<Q: Serialize>(&self, request: &Q) {
        self.send(Array::of1(&bytes(request)));
    }

    /// Asks for something that a canvas or a file, or nothing, goes along with. What can be transferred is.
    pub(crate) fn ask_with<Q: Serialize>(&self, request: &Q, along: &JsValue) {
        self.send(Array::of2(&bytes(request), along));
    }

    /// The same with a request that is bytes already.
    pub(crate) fn ask_encoded(&self, request: &[u8], along: &JsValue) {
        self.send(Array::of2(&Uint8Array::from(request), along));
    }

    fn send(&self, message: Array) {
        if self.0.borrow().running.is_none() {
            self.start();
        }
        let mut inner = self.0.borrow_mut();
        match &inner.running {
            Some(running) if running.listens => post(&running.worker, &message),
            _ => inner.waiting.push(message),
        }
    }

    fn start(&self) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let script = format!("{}{}", folder(), self.script());
        let Ok(worker) = Worker::new_with_options(&script, &options) else {
            self.0.borrow_mut().crashes = Crashes::RESTARTS;
            return self.crash();
        };
        let client = self.clone();
        let on_message =
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| client.take(&event));
        let client = self.clone();
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |_: ErrorEvent| client.crash());
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        self.0.borrow_mut().running =
            Some(Running { worker, listens: false, _on_message: on_message, _on_error: on_error });
    }

    fn take(&self, event: &MessageEvent) {
        let message = event.data().dyn_into::<Array>().ok();
        let first = message.and_then(|message| message.get(0).dyn_into::<Uint8Array>().ok());
        let Some(bytes) = first else { return };
        let Some(answer) = decode::<A>(&bytes.to_vec()) else { return };
        if answer.is_taken() {
            // The share dialog, which is no part of the app, finds it under the name of the script.
            let _ = js_sys::Reflect::set(&js_sys::global(), &self.script().into(), &bytes);
        }
        if answer.is_ready() {
            let mut inner = self.0.borrow_mut();
            let waiting = std::mem::take(&mut inner.waiting);
            if let Some(running) = &mut inner.running {
                running.listens = true;
                waiting.iter().for_each(|message| post(&running.worker, message));
            }
            return;
        }
        let listener = self.0.borrow().listener.clone();
        listener.emit(Rc::new(answer));
    }

    /// Drops a worker that crashed, and tells so.
    fn crash(&self) {
        self.stop();
        let crashes = self.0.borrow().crashes + 1;
        self.count(crashes);
    }

    /// Something else is asked for: what was given up is tried again.
    fn try_again(&self) {
        if self.0.borrow().crashes > Crashes::RESTARTS {
            self.count(0);
        }
    }

    fn count(&self, crashes: u32) {
        self.0.borrow_mut().crashes = crashes;
        let crashed = self.0.borrow().crashed.clone();
        crashed.emit(crashes);
    }

    /// Ends the worker in the middle of whatever it does; the next request starts another.
    pub(crate) fn stop(&self) {
        let mut inner = self.0.borrow_mut();
        inner.waiting.clear();
        if let Some(running) = inner.running.take() {
            running.worker.terminate();
            // Its own error handler may be running: it must outlive this call.
            gloo_timers::callback::Timeout::new(0, move || drop(running)).forget();
        }
    }
}

/// The folder of the workers of this build, which the page names.
fn folder() -> String {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    root.and_then(|root| root.get_attribute("data-workers")).unwrap_or_default()
}

fn bytes<Q: Serialize>(request: &Q) -> Uint8Array {
    Uint8Array::from(encode(request).as_slice())
}

fn post(worker: &Worker, message: &Array) {
    let along = message.get(1);
    let transfer =
        if along.is_instance_of::<web_sys::OffscreenCanvas>() { Array::of1(&along) } else { Array::new() };
    // What cannot be cloned is never sent.
    let _ = worker.post_message_with_transfer(message, &transfer);
}

/// How often a worker crashed.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Crashes(u32);

impl Crashes {
    /// How often one is started again by itself. Something that crashes every time would be started without end.
    const RESTARTS: u32 = 3;

    /// How often it was started again: what was asked has to be asked anew whenever this changes.
    pub(crate) fn restarts(self) -> u32 {
        self.0.min(Self::RESTARTS)
    }

    /// Why nothing goes on.
    pub(crate) fn given_up(self) -> Option<&'static str> {
        (self.0 > Self::RESTARTS).then_some(
            "This was started several times and stopped each time. Change a setting, or load the page again.",
        )
    }
}

/// Asks whenever what is asked for changes, and again where the worker had to be started anew.
#[hook]
pub(crate) fn use_asking<A, W>(
    client: &Client<A>,
    what: W,
    crashes: Crashes,
    ask: impl FnOnce(&Client<A>, &W) + 'static,
) where
    A: Signal + DeserializeOwned + 'static,
    W: PartialEq + 'static,
{
    let before = use_mut_ref(|| 0);
    use_effect_with((client.clone(), what, crashes.restarts()), move |(client, what, restarts)| {
        if before.replace(*restarts) == *restarts {
            client.try_again();
        }
        ask(client, what);
    });
}

/// Listens to the answers as long as the component is there.
#[hook]
pub(crate) fn use_answers<A: Signal + DeserializeOwned + 'static>(
    client: &Client<A>,
    listener: Callback<Rc<A>>,
) -> Crashes {
    let crashes = use_state_eq(|| 0);
    let told = {
        let crashes = crashes.setter();
        Callback::from(move |count| crashes.set(count))
    };
    use_effect_with(client.clone(), move |client| {
        let mut inner = client.0.borrow_mut();
        inner.listener = listener;
        inner.crashed = told;
        drop(inner);
        let client = client.clone();
        move || {
            let mut inner = client.0.borrow_mut();
            inner.listener = Callback::noop();
            inner.crashed = Callback::noop();
        }
    });
    Crashes(*crashes)
}
