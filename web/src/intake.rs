//! Where texts and files come in: pasted anywhere but in fields, or dropped anywhere.

use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent, File, HtmlElement};
use yew::prelude::*;

use crate::app::is_embed;

/// What was pasted, dropped or chosen last; it outlives a change of views.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// A paste.
    Text(Rc<str>),
    /// A paste that is too long to be one.
    TooLong,
    /// A file, which a worker reads.
    File(File),
}

/// Longest paste that is read, in bytes.
const LONGEST_PASTE: usize = 5 << 20;

impl Source {
    /// A paste, unless it is blank.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        if text.len() > LONGEST_PASTE {
            return Some(Self::TooLong);
        }
        (!text.trim().is_empty()).then(|| Self::Text(text.into()))
    }

    /// What was dropped or pasted: a file or a text.
    fn of_transfer(data: &DataTransfer) -> Option<Self> {
        match data.files().and_then(|files| files.get(0)) {
            Some(file) => Some(Self::File(file)),
            None => Self::of_text(&data.get_data("text/plain").ok()?),
        }
    }
}

/// Takes what is pasted or dropped anywhere. True while something is dragged over the page.
#[hook]
pub(crate) fn use_intake(take: Callback<Source>) -> bool {
    let dragging = use_state_eq(|| false);
    let setter = dragging.setter();
    use_effect_with(take, move |take| {
        let listeners = web_sys::window().filter(|_| !is_embed()).map(|window| {
            let take = take.clone();
            let handle = Rc::new(move |event: &Event| {
                let kind = event.type_();
                setter.set(kind == "dragover");
                let data = match event.dyn_ref::<DragEvent>() {
                    Some(dragged) => {
                        event.prevent_default();
                        dragged.data_transfer().filter(|_| kind == "drop")
                    }
                    None if is_in_field(event) => None,
                    None => event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data),
                };
                if let Some(source) = data.and_then(|data| Source::of_transfer(&data)) {
                    take.emit(source);
                }
            });
            ["paste", "dragover", "dragleave", "drop"].map(|name| {
                let handle = handle.clone();
                let options = EventListenerOptions::enable_prevent_default();
                EventListener::new_with_options(&window, name, options, move |event| handle(event))
            })
        });
        move || drop(listeners)
    });
    *dragging
}

fn is_in_field(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA"))
}
