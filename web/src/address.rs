//! The address bar follows the state, and the state the address bar.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::CustomEvent;
use yew::prelude::*;

use crate::state::{Command, History, State};

/// What the page was opened with: the fragment, or the query where there is none.
pub(crate) fn current() -> String {
    let Some(window) = web_sys::window() else { return String::new() };
    let location = window.location();
    let part = |part: Result<String, JsValue>| part.unwrap_or_default();
    format!("{}{}", part(location.search()), part(location.hash()))
}

/// The whole link of a fragment.
pub(crate) fn link_of(fragment: &str) -> String {
    let Some(window) = web_sys::window() else { return format!("#{fragment}") };
    let location = window.location();
    let href = location.href().unwrap_or_default();
    let base = href.split(['?', '#']).next().unwrap_or_default();
    format!("{}#{fragment}", base.replace("embed.html", ""))
}

/// True inside someone's page. There the history is theirs and is left alone.
pub(crate) fn is_framed() -> bool {
    let Some(window) = web_sys::window() else { return false };
    match window.parent() {
        Ok(Some(parent)) => parent != window,
        _ => true,
    }
}

/// Keeps the two in step.
#[hook]
pub(crate) fn use_address(state: &UseReducerHandle<State>) {
    let dispatcher = state.dispatcher();
    use_effect_with((), move |()| {
        let listeners = web_sys::window().map(|window| {
            let open = move |event: &Event| {
                // A page around a figure gives the link itself.
                let given = event.dyn_ref::<CustomEvent>().map(|event| event.detail());
                let link = given.map_or_else(current, |given| given.as_string().unwrap_or_default());
                dispatcher.dispatch(Command::Open(link));
            };
            ["popstate", "hashchange", "slabscope-open"]
                .map(|name| EventListener::new(&window, name, open.clone()))
        });
        move || drop(listeners)
    });
    let fragment = state.scenario.to_fragment();
    use_effect_with((fragment, state.history), |(fragment, history)| {
        let (fragment, history) = (fragment.clone(), *history);
        // A browser takes only some twenty changes a second, and while it plays there are more.
        let waits = if history == History::Replace {
            let before = current();
            Some(Timeout::new(300, move || {
                // Another address in the meantime is the reader's, and is opened instead.
                if before == current() {
                    write(&fragment, history);
                }
            }))
        } else {
            write(&fragment, history);
            None
        };
        move || drop(waits)
    });
}

fn write(fragment: &str, history: History) {
    let Some(window) = web_sys::window() else { return };
    if history == History::Keep || is_framed() {
        return;
    }
    let hash = format!("#{fragment}");
    let now = window.location().hash().unwrap_or_default();
    // The plain address stays plain as long as nothing differs from the defaults.
    if now == hash || (now.is_empty() && !fragment.contains('&')) {
        return;
    }
    let Ok(entries) = window.history() else { return };
    // Entries are counted, so that undoing never leaves the page.
    let count = entries.state().unwrap_or_default().as_f64().unwrap_or_default();
    // A browser refuses too many changes a second; the next one will be written.
    let _ = match history {
        History::Push => entries.push_state_with_url(&(count + 1.0).into(), "", Some(&hash)),
        _ => entries.replace_state_with_url(&count.into(), "", Some(&hash)),
    };
}
