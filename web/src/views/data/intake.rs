//! Where files and pastes come in.

use gloo_events::EventListener;
use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, DragEvent, File, HtmlElement, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::Source;

#[derive(Properties, PartialEq)]
pub(super) struct IntakeProps {
    pub(super) take: Callback<Option<Source>>,
    pub(super) held: Option<Source>,
}

/// Longest paste that is read, in bytes.
const LONGEST_PASTE: usize = 5 << 20;

/// Paste, drop, choose.
#[component]
pub(super) fn Intake(props: &IntakeProps) -> Html {
    let trouble = use_state(|| None::<&'static str>);
    let dragging = use_state_eq(|| false);
    let paste = {
        let (take, trouble) = (props.take.clone(), trouble.setter());
        Callback::from(move |text: String| {
            if text.len() > LONGEST_PASTE {
                trouble.set(Some("This paste is larger than 5 MB: drop the file instead"));
            } else if !text.trim().is_empty() {
                trouble.set(None);
                take.emit(Some(Source::Text(text.into())));
            }
        })
    };
    let take_file = {
        let (take, trouble) = (props.take.clone(), trouble.setter());
        Callback::from(move |file: File| {
            trouble.set(None);
            take.emit(Some(Source::File(file)));
        })
    };
    use_page_events(paste.clone(), take_file.clone(), dragging.setter());
    let onfile = {
        let take_file = take_file.clone();
        move |event: Event| {
            let files = event.target_unchecked_into::<HtmlInputElement>().files();
            if let Some(file) = files.and_then(|files| files.get(0)) {
                take_file.emit(file);
            }
        }
    };
    let ontext = paste.reform(|event: Event| event.target_unchecked_into::<HtmlTextAreaElement>().value());
    html! {
        <>
            <section class={classes!("section", "intake", dragging.then_some("dragging"))}>
                <h2>{ "Your file" }</h2>
                <div class="field">
                    <label for="paste">{ "Paste a classes file" }</label>
                    <textarea id="paste" class="input mono" rows="4" spellcheck="false" placeholder=" class  size ..." onchange={ontext} />
                </div>
                <div class="field">
                    <label for="file">{ "or choose or drop one" }</label>
                    <input id="file" type="file" onchange={onfile} />
                </div>
                if let Some(why) = *trouble {
                    <p class="error" role="alert">{ why }</p>
                }
            </section>
            if let Some(held) = &props.held {
                <section class="section"><div class="head"><h2>{ held.name() }</h2>
                    <button type="button" class="link" onclick={props.take.reform(|_: MouseEvent| None)}>{ "Clear" }</button></div></section>
            }
        </>
    }
}

/// Pastes anywhere but in fields, and drops anywhere.
#[hook]
fn use_page_events(paste: Callback<String>, take: Callback<File>, dragging: UseStateSetter<bool>) {
    use_effect_with((paste, take), move |(paste, take)| {
        let (paste, take) = (paste.clone(), take.clone());
        let listeners = web_sys::window().map(|window| {
            let options = gloo_events::EventListenerOptions::enable_prevent_default();
            let on_paste = EventListener::new(&window, "paste", move |event| {
                let Some(event) = event.dyn_ref::<ClipboardEvent>() else { return };
                let in_field = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
                if in_field.is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA"))
                {
                    return;
                }
                if let Some(text) = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok()) {
                    paste.emit(text);
                }
            });
            let over = dragging.clone();
            let on_over = EventListener::new_with_options(&window, "dragover", options, move |event| {
                event.prevent_default();
                over.set(true);
            });
            let leave = dragging.clone();
            let on_leave = EventListener::new(&window, "dragleave", move |_| leave.set(false));
            let on_drop = EventListener::new_with_options(&window, "drop", options, move |event| {
                event.prevent_default();
                dragging.set(false);
                let data = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
                if let Some(file) = data.and_then(|data| data.files()).and_then(|files| files.get(0)) {
                    take.emit(file);
                }
            });
            [on_paste, on_over, on_leave, on_drop]
        });
        move || drop(listeners)
    });
}
