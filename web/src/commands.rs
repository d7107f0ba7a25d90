//! Keys and the list of commands: both press the page's own buttons or tell the view in front.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use slabscope_scenario::act::{ACTS, Act, Entry, Section, of_key, tip};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::icons::{Icon, icon};

/// Where the view in front takes its commands.
#[derive(Clone, Default)]
pub(crate) struct Acts(pub(crate) Rc<RefCell<Callback<Act>>>);

impl PartialEq for Acts {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct CommandsProps {
    pub(crate) acts: Acts,
    /// True where there is time and a map.
    pub(crate) has_time: bool,
}

/// Where the choice about single letters is kept.
const LETTERS: &str = "slabscope-letters";

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Listens to keys, and lists the commands when asked.
#[component]
pub(crate) fn Commands(props: &CommandsProps) -> Html {
    let dialog = use_node_ref();
    let open = use_state_eq(|| false);
    let words = use_state_eq(String::new);
    let letters = use_memo((), |()| {
        let off = storage().and_then(|storage| storage.get_item(LETTERS).ok()?);
        Cell::new(off.is_none())
    });
    let run = {
        let (acts, dialog, open, words) = (props.acts.clone(), dialog.clone(), open.setter(), words.setter());
        Callback::from(move |act: Act| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            if act == Act::Commands {
                words.set(String::new());
                open.set(true);
            } else if let Some(button) = button(act) {
                button.click();
            } else {
                let acts = acts.0.borrow().clone();
                acts.emit(act);
            }
        })
    };
    use_effect_with((), {
        let (run, letters) = (run.clone(), letters.clone());
        move |()| {
            let listener = web_sys::window().map(|window| {
                let options = EventListenerOptions::enable_prevent_default();
                EventListener::new_with_options(&window, "keydown", options, move |event| {
                    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                    if let Some(act) = act(event, letters.get()) {
                        event.prevent_default();
                        run.emit(act);
                    }
                })
            });
            move || drop(listener)
        }
    });
    use_effect_with(*open, {
        let dialog = dialog.clone();
        move |open| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|dialog| *open && !dialog.open())
            {
                // It is closed and in the page, so it can be shown.
                let _ = dialog.show_modal();
            }
        }
    });
    let sought = words.to_ascii_lowercase();
    let is_shown = |entry: &Entry| {
        (props.has_time || entry.section == Section::Page)
            && entry.label.to_ascii_lowercase().contains(&sought)
    };
    let first = ACTS.iter().find(|entry| is_shown(entry)).map(|entry| entry.act);
    let on_enter = {
        let run = run.clone();
        move |event: KeyboardEvent| {
            if let Some(first) = first.filter(|_| event.key() == "Enter") {
                run.emit(first);
            }
        }
    };
    let on_words =
        move |event: InputEvent| words.set(event.target_unchecked_into::<HtmlInputElement>().value());
    let is_on = letters.get();
    let on_letters = move |event: Event| {
        let on = event.target_unchecked_into::<HtmlInputElement>().checked();
        letters.set(on);
        // Where nothing is kept the choice holds until the page is closed.
        if let Some(storage) = storage() {
            let _ = if on { storage.remove_item(LETTERS) } else { storage.set_item(LETTERS, "off") };
        }
    };
    let (close, list) = (dialog.clone(), run.reform(|_: MouseEvent| Act::Commands));
    html! {
        <>
        <button type="button" class="button plain" title={tip(Act::Commands)} aria-label={tip(Act::Commands)} onclick={list}>{ "?" }</button>
        <dialog ref={dialog} aria-labelledby="commands" onclose={let open = open.setter(); move |_| open.set(false)}>
            if *open {
                <div class="head"><h2 id="commands">{ "Keys and commands" }</h2>
                    <button type="button" class="button plain" aria-label="Close" onclick={move |_| if let Some(dialog) = close.cast::<HtmlDialogElement>() { dialog.close() }}>{ icon(Icon::Close) }</button></div>
                <div class="tools"><input type="search" class="input" placeholder="Find a command" aria-label="Find a command" oninput={on_words} onkeydown={on_enter} />
                    <label><input type="checkbox" checked={is_on} onchange={on_letters} />{ " Single letters work" }</label></div>
                <div class="commands">
                    for (section, name) in Section::ALL {
                        if ACTS.iter().any(|entry| entry.section == section && is_shown(entry)) {
                            <section key={name}><h3>{ name }</h3>
                                for entry in ACTS.iter().filter(|entry| entry.section == section && is_shown(entry)) {
                                    <button type="button" key={entry.label} onclick={run.reform(|_: MouseEvent| entry.act)}>
                                        { entry.label }<span>for key in entry.keys.split(' ').filter(|key| !key.is_empty()) { <kbd key={key}>{ key }</kbd> }</span></button>
                                }
                            </section>
                        }
                    }
                </div>
            }
        </dialog>
        </>
    }
}

/// The button of the page that does the same, where there is one.
fn button(act: Act) -> Option<HtmlElement> {
    let css = match act {
        Act::View(at) => format!("[role=tab]:nth-child({})", at + 1),
        Act::Allocator(at) => format!("[data-key=a] .segment:nth-child({})", at + 1),
        Act::CopyLink => "[data-act=link]".to_owned(),
        Act::Theme => "[data-act=theme]".to_owned(),
        _ => return None,
    };
    web_sys::window()?.document()?.query_selector(&css).ok()??.dyn_into().ok()
}

/// The command of a key, unless the control that has the focus uses the key itself.
fn act(event: &KeyboardEvent, letters: bool) -> Option<Act> {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let within = |css: &str| {
        element.as_ref().is_some_and(|element| element.closest(css).is_ok_and(|found| found.is_some()))
    };
    if event.alt_key() || within("dialog") {
        return None;
    }
    let key = event.key();
    let is_letter = key.len() == 1;
    let key = match key.as_str() {
        " " => "Space",
        "ArrowLeft" => "\u{2190}",
        "ArrowUp" => "\u{2191}",
        "ArrowRight" => "\u{2192}",
        "ArrowDown" => "\u{2193}",
        "Escape" => "Esc",
        "=" => "+",
        "_" => "-",
        other => other,
    };
    let mut name = key.to_owned();
    if is_letter && key != "Space" {
        name.make_ascii_lowercase();
    } else if event.shift_key() {
        name.insert_str(0, "Shift ");
    }
    let is_control = event.ctrl_key() || event.meta_key();
    if is_control {
        name.insert_str(0, "Ctrl ");
    }
    let moves = matches!(
        key,
        "\u{2190}" | "\u{2191}" | "\u{2192}" | "\u{2193}" | "Home" | "End" | "PageUp" | "PageDown"
    );
    let is_theirs = if within("input[type=range]") {
        moves && !event.shift_key()
    } else if within("input, select, textarea") {
        true
    } else {
        (moves && within("[role=tab]")) || (key == "Space" && within("button, summary, a"))
    };
    let on_map = within(".map-frame");
    if (is_theirs && !is_control) || (is_letter && key != "Space" && !letters && !on_map && !is_control) {
        return None;
    }
    of_key(&name, on_map)
}
