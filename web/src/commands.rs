//! Keys and the list of commands: both press the page's own buttons or tell the view in front.
//!
//! The list is written as text and not by Yew: it is rarely opened, nothing in it changes, and so it costs a
//! third.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use slabscope_scenario::act::{ACTS, Act, Section, of_key};
use wasm_bindgen::JsCast as _;
use web_sys::{Document, Element, HtmlDialogElement, HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Where the view in front takes its commands.
#[derive(Clone, Default)]
pub(crate) struct Acts(pub(crate) Rc<RefCell<Callback<Act>>>);

impl PartialEq for Acts {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Where the choice about single letters is kept.
const LETTERS: &str = "slabscope-letters";

/// Listens from now on.
#[hook]
pub(crate) fn use_commands(acts: &Acts) {
    let acts = acts.clone();
    use_effect_with((), move |()| {
        let listeners = web_sys::window().and_then(|window| window.document()).and_then(|page| {
            let list = Rc::new(List::new(page.clone(), acts)?);
            let on_key = {
                let list = list.clone();
                let options = EventListenerOptions::enable_prevent_default();
                EventListener::new_with_options(&page, "keydown", options, move |event| list.key(event))
            };
            let on_click = {
                let list = list.clone();
                EventListener::new(&page, "click", move |event| list.click(event))
            };
            let dialog = list.dialog.clone();
            let on_input = EventListener::new(&dialog, "input", move |event| list.input(event));
            Some([on_key, on_click, on_input])
        });
        move || drop(listeners)
    });
}

struct List {
    page: Document,
    dialog: HtmlDialogElement,
    acts: Acts,
    /// Whether single letters work; kept by the browser too where it lets us.
    letters: RefCell<bool>,
}

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

impl List {
    fn new(page: Document, acts: Acts) -> Option<Self> {
        let dialog: HtmlDialogElement = page.create_element("dialog").ok()?.dyn_into().ok()?;
        dialog.set_attribute("aria-labelledby", "commands").ok()?;
        page.body()?.append_child(&dialog).ok()?;
        let off = storage().and_then(|storage| storage.get_item(LETTERS).ok()?);
        Some(Self { page, dialog, acts, letters: RefCell::new(off.is_none()) })
    }

    fn open(&self) {
        let has_time = self.page.query_selector(".map-frame").is_ok_and(|map| map.is_some());
        let checked = if *self.letters.borrow() { " checked" } else { "" };
        let mut html = [
            "<div class=head><h2 id=commands>Keys and commands</h2><button class=button>Close</button></div>\
             <div class=tools><input type=search class=input autofocus placeholder='Find a command' aria-label='Find a command'>\
             <label><input type=checkbox",
            checked,
            "> Single letters work</label></div><div class=commands>",
        ]
        .concat();
        for (section, name) in Section::ALL {
            if !has_time && section != Section::Page {
                continue;
            }
            html += "<section><h3>";
            html += name;
            html += "</h3>";
            for (at, entry) in ACTS.iter().enumerate().filter(|(_, entry)| entry.section == section) {
                html += "<button value=";
                html += &at.to_string();
                html += ">";
                html += entry.label;
                html += "<span>";
                for key in entry.keys.split(' ').filter(|key| !key.is_empty()) {
                    html += "<kbd>";
                    html += &key.replace('<', "&lt;");
                    html += "</kbd>";
                }
                html += "</span></button>";
            }
            html += "</section>";
        }
        self.dialog.set_inner_html(&html);
        if !self.dialog.open() {
            // It is closed and in the page, so it can be shown.
            let _ = self.dialog.show_modal();
        }
    }

    /// The buttons of commands that contain what is sought; the others are hidden. Gives the first.
    fn filter(&self, sought: &str) -> Option<HtmlElement> {
        let sought = sought.to_ascii_lowercase();
        let buttons = self.dialog.query_selector_all(".commands button").ok()?;
        let mut first = None;
        for at in 0..buttons.length() {
            let Some(button) = buttons.get(at).and_then(|node| node.dyn_into::<HtmlElement>().ok()) else {
                continue;
            };
            let found = button.text_content().unwrap_or_default().to_ascii_lowercase().contains(&sought);
            button.set_hidden(!found);
            if found && first.is_none() {
                first = Some(button);
            }
        }
        first
    }

    fn input(&self, event: &Event) {
        let Some(field) = target(event).and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        if field.type_() == "search" {
            self.filter(&field.value());
            return;
        }
        let on = field.checked();
        self.letters.replace(on);
        // Where nothing is kept the choice holds until the page is closed.
        if let Some(storage) = storage() {
            let _ = if on { storage.remove_item(LETTERS) } else { storage.set_item(LETTERS, "off") };
        }
    }

    fn click(&self, event: &Event) {
        let Some(button) = target(event).and_then(|element| element.closest("button").ok()?) else { return };
        if button.get_attribute("data-act").as_deref() == Some("commands") {
            return self.open();
        }
        if button.closest("dialog").is_ok_and(|dialog| dialog.is_some()) {
            self.dialog.close();
            let at = button.get_attribute("value").and_then(|at| at.parse::<usize>().ok());
            if let Some(entry) = at.and_then(|at| ACTS.get(at)) {
                self.run(entry.act);
            }
        }
    }

    fn key(&self, event: &Event) {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if self.dialog.open() {
            let field = target(event).and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
            if let (Some(field), "Enter") = (field, event.key().as_str())
                && let Some(first) = self.filter(&field.value())
            {
                event.prevent_default();
                first.click();
            }
        } else if let Some(act) = act(event, *self.letters.borrow()) {
            event.prevent_default();
            self.run(act);
        }
    }

    fn run(&self, act: Act) {
        // Where the page has a button for it, that is pressed.
        let css = match act {
            Act::Commands => return self.open(),
            Act::View(at) => ["[role=tab]:nth-child(", &(at + 1).to_string(), ")"].concat(),
            Act::Allocator(at) => ["[data-key=a] .segment:nth-child(", &(at + 1).to_string(), ")"].concat(),
            Act::CopyLink => "[data-act=link]".to_owned(),
            Act::Theme => "[data-act=theme]".to_owned(),
            _ => {
                let acts = self.acts.0.borrow().clone();
                return acts.emit(act);
            }
        };
        let button = self.page.query_selector(&css).ok().flatten();
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            button.click();
        }
    }
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The command of a key, unless the control that has the focus uses the key itself.
fn act(event: &KeyboardEvent, letters: bool) -> Option<Act> {
    let element = target(event);
    let within = |css: &str| {
        element.as_ref().is_some_and(|element| element.closest(css).is_ok_and(|found| found.is_some()))
    };
    let mut key = event.key();
    let name = match key.as_str() {
        " " => "Space",
        "ArrowLeft" => "\u{2190}",
        "ArrowUp" => "\u{2191}",
        "ArrowRight" => "\u{2192}",
        "ArrowDown" => "\u{2193}",
        "Escape" => "Esc",
        "=" => "+",
        "_" => "-",
        _ => {
            key.make_ascii_lowercase();
            match key.as_str() {
                "home" => "Home",
                "end" => "End",
                "pageup" => "PageUp",
                "pagedown" => "PageDown",
                other => other,
            }
        }
    };
    let is_letter = name.len() == 1;
    let shift = if event.shift_key() && !is_letter { "Shift " } else { "" };
    let control = if event.ctrl_key() || event.meta_key() { "Ctrl " } else { "" };
    let moves = "\u{2190}\u{2191}\u{2192}\u{2193}HomeEndPageUpPageDown".contains(name) && !is_letter;
    let is_theirs = if within("input[type=range]") {
        moves && shift.is_empty()
    } else if within("input, select, textarea") {
        true
    } else {
        (moves && within("[role=tab]")) || (name == "Space" && within("button, summary, a"))
    };
    let on_map = within(".map-frame");
    let is_off = is_theirs || (is_letter && !letters && !on_map);
    if event.alt_key() || (is_off && control.is_empty()) {
        return None;
    }
    of_key(&[control, shift, name].concat(), on_map)
}
