//! Where files and pastes come in, and what was made of each line.

use std::rc::Rc;

use gloo_events::EventListener;
use slabscope_core::tell::counted;
use slabscope_formats::LineUse;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ClipboardEvent, DragEvent, File, HtmlElement, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::parsed::Parsed;

#[derive(Properties, PartialEq)]
pub(super) struct IntakeProps {
    pub(super) take: Callback<(String, String)>,
    pub(super) clear: Callback<()>,
    pub(super) parsed: Option<Rc<Parsed>>,
}

/// Largest file that is read, and longest paste.
const LARGEST_FILE: f64 = 100.0 * 1024.0 * 1024.0;
const LONGEST_PASTE: usize = 5 << 20;

/// Paste, drop, choose.
#[component]
pub(super) fn Intake(props: &IntakeProps) -> Html {
    let trouble = use_state(|| None::<String>);
    let dragging = use_state_eq(|| false);
    let paste = {
        let (take, trouble) = (props.take.clone(), trouble.setter());
        Callback::from(move |text: String| {
            if text.len() > LONGEST_PASTE {
                trouble.set(Some("This paste is larger than 5 MB: drop the file instead".to_owned()));
            } else if !text.trim().is_empty() {
                trouble.set(None);
                take.emit(("pasted text".to_owned(), text));
            }
        })
    };
    let take_file = {
        let (take, trouble) = (props.take.clone(), trouble.setter());
        Callback::from(move |file: File| read(file, take.clone(), trouble.clone()))
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
                if let Some(why) = &*trouble {
                    <p class="error" role="alert">{ why }</p>
                }
            </section>
            if let Some(parsed) = &props.parsed {
                { account(parsed, &props.clear) }
            }
        </>
    }
}

/// What the text was taken for, and every line with its use.
fn account(parsed: &Parsed, clear: &Callback<()>) -> Html {
    let clear = clear.reform(|_: MouseEvent| ());
    let head = html! {
        <div class="head"><h2>{ parsed.name.clone() }</h2><button type="button" class="link" onclick={clear}>{ "Clear" }</button></div>
    };
    let Ok(read) = &parsed.result else { return html! { <section class="section">{ head }</section> } };
    let is_skipped = |line_use: LineUse| matches!(line_use, LineUse::Skipped(_));
    let skipped: u32 = parsed
        .paste
        .line_uses()
        .filter(|run| is_skipped(run.2))
        .map(|(first, last, _)| last - first + 1)
        .sum();
    html! {
        <>
            <section class="section" data-account="">
                { head }
                <p>{ format!("zsmalloc classes, {}, {} skipped", counted(read.table.len() as u64, "row", "rows"), counted(skipped.into(), "line", "lines")) }</p>
                for sentence in read.table.evidence() { <p class="fine" key={sentence.clone()}>{ sentence }{ "." }</p> }
                for (index, warning) in read.table.warnings().iter().enumerate() { <p class="warn" key={index}>{ warning.to_string() }</p> }
            </section>
            <section class="section">
                <h2>{ "As it was read" }</h2>
                <div class="scroll as-read" tabindex="0" role="group" aria-label="Lines of the file">
                    <table class="mono">
                        <tbody>
                            for (index, line) in parsed.lines.iter().enumerate() {
                                { line_row(parsed, index, line) }
                            }
                        </tbody>
                    </table>
                </div>
            </section>
        </>
    }
}

fn line_row(parsed: &Parsed, index: usize, line: &str) -> Html {
    let line_use = parsed.paste.line_use(index as u32 + 1).unwrap_or(LineUse::Blank);
    let said = line_use.why(parsed.paste.tables());
    let (class, why) = match line_use {
        LineUse::Heading(_) => ("heading", String::new()),
        LineUse::Skipped(_) => ("skipped", format!("skipped: {}", said.unwrap_or_default())),
        _ => ("used", said.unwrap_or_default()),
    };
    html! {
        <tr key={index} {class}><td class="dim">{ index + 1 }</td><td><pre>{ line }</pre>if !why.is_empty() { <span class="fine">{ why }</span> }</td></tr>
    }
}

fn read(file: File, take: Callback<(String, String)>, trouble: UseStateSetter<Option<String>>) {
    if file.size() > LARGEST_FILE {
        return trouble.set(Some(format!("{} is larger than 100 MB", file.name())));
    }
    spawn_local(async move {
        let name = file.name();
        match JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) {
            Some(text) => {
                trouble.set(None);
                take.emit((name, text));
            }
            None => trouble.set(Some(format!("{name} cannot be read"))),
        }
    });
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
