//! The address bar follows the state, and the state the address bar.

use std::cell::RefCell;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::CustomEvent;
use yew::prelude::*;

use crate::state::{Command, History, State};

/// What the page was opened with: the query and the fragment, which wins.
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
    // Some hosts leave the ending out.
    let base = ["embed.html", "embed"].iter().find_map(|name| base.strip_suffix(name)).unwrap_or(base);
    format!("{base}#{fragment}")
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
    let waiting = use_mut_ref(|| None::<Waiting>);
    let fragment = state.scenario.to_fragment();
    use_effect_with((fragment, state.history), move |(fragment, history)| match history {
        // A browser takes only some twenty changes a second, and while it plays there are more.
        History::Replace => {
            let due = waiting.clone();
            let timer = Timeout::new(300, move || settle(&due));
            *waiting.borrow_mut() =
                Some(Waiting { fragment: fragment.clone(), before: current(), _timer: timer });
        }
        History::Push => {
            settle(&waiting);
            write(fragment, *history);
        }
        History::Keep => {}
    });
}

/// An address that is to be written when its time has come.
struct Waiting {
    fragment: String,
    /// The address it takes the place of.
    before: String,
    _timer: Timeout,
}

/// Writes what waits. Another address in the meantime is the reader's, and is opened instead.
fn settle(waiting: &RefCell<Option<Waiting>>) {
    let due = waiting.borrow_mut().take();
    if let Some(due) = due.filter(|due| due.before == current()) {
        write(&due.fragment, History::Replace);
    }
}

fn write(fragment: &str, history: History) {
    let Some(window) = web_sys::window() else { return };
    if is_framed() {
        return;
    }
    let location = window.location();
    let now = current();
    // The plain address stays plain as long as nothing differs from the defaults.
    if now.strip_prefix('#') == Some(fragment) || (now.is_empty() && !fragment.contains('&')) {
        return;
    }
    // Without the query, which would speak again when the page is loaded anew.
    let address = [&location.pathname().unwrap_or_default(), "#", fragment].concat();
    let Ok(entries) = window.history() else { return };
    // Entries are counted, so that undoing never leaves the page.
    let count = entries.state().unwrap_or_default().as_f64().unwrap_or_default();
    // A browser refuses too many changes a second; the next one will be written.
    let _ = match history {
        History::Push => entries.push_state_with_url(&(count + 1.0).into(), "", Some(&address)),
        _ => entries.replace_state_with_url(&count.into(), "", Some(&address)),
    };
}
