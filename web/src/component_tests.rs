//! Components in a real browser: they are drawn, react to parameters, and tell what is wrong.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::rc::Rc;

use slabscope_scenario::{Notice, PARAMS, parse_fragment};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, Event, EventInit, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::app::App;
use crate::frame::{Notices, NoticesProps};

wasm_bindgen_test_configure!(run_in_browser);

/// An app under an address, in a place of its own.
struct Mounted {
    host: Element,
    app: Option<yew::AppHandle<App>>,
}

impl Mounted {
    async fn at(fragment: &str) -> Self {
        let window = web_sys::window().unwrap();
        let hash = format!("#{fragment}");
        window.history().unwrap().replace_state_with_url(&JsValue::NULL, "", Some(&hash)).unwrap();
        let host = place();
        let app = yew::Renderer::<App>::with_root(host.clone()).render();
        yew::scheduler::flush().await;
        Self { host, app: Some(app) }
    }

    fn find(&self, css: &str) -> Option<Element> {
        self.host.query_selector(css).unwrap()
    }

    fn count(&self, css: &str) -> u32 {
        self.host.query_selector_all(css).unwrap().length()
    }

    fn text(&self, css: &str) -> String {
        self.find(css).unwrap_or_else(|| panic!("no {css}")).text_content().unwrap()
    }

    /// Types into a field and leaves it.
    async fn enter(&self, css: &str, value: &str) {
        let field: HtmlInputElement = self.find(css).unwrap().dyn_into().unwrap();
        field.set_value(value);
        let bubbles = EventInit::new();
        bubbles.set_bubbles(true);
        for kind in ["input", "change"] {
            field.dispatch_event(&Event::new_with_event_init_dict(kind, &bubbles).unwrap()).unwrap();
        }
        yew::scheduler::flush().await;
    }

    async fn click(&self, css: &str) {
        self.find(css).unwrap().dyn_into::<HtmlElement>().unwrap().click();
        yew::scheduler::flush().await;
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.host.remove();
    }
}

fn place() -> Element {
    let document = web_sys::window().unwrap().document().unwrap();
    let host = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&host).unwrap();
    host
}

const HUGE: &str = "[data-constant='Huge from, bytes']";

#[wasm_bindgen_test]
async fn geometry_follows_a_parameter() {
    let page = Mounted::at("v=1").await;
    assert_eq!(page.text(HUGE), "3,625");
    page.enter("#p-mp", "4").await;
    assert_eq!(page.text(HUGE), "3,257");
    assert!(page.find("[data-key='mp'] .changed").is_some(), "the change can be taken back");
    page.click("[data-key='mp'] .changed").await;
    assert_eq!(page.text(HUGE), "3,625");
}

#[wasm_bindgen_test]
async fn a_value_out_of_range_is_refused_beside_its_field() {
    let page = Mounted::at("v=1").await;
    page.enter("#p-mp", "99").await;
    assert!(page.text("[data-key='mp'] [role='alert']").contains("16"));
    assert_eq!(page.text(HUGE), "3,625");
}

#[wasm_bindgen_test]
async fn the_panel_has_a_field_for_each_parameter_that_applies() {
    let page = Mounted::at("v=1&view=pool").await;
    let (scenario, _) = parse_fragment("v=1&view=pool");
    for key in ["era", "ps", "mp", "w", "dist", "seed", "n", "live", "c"] {
        let param = PARAMS.iter().find(|param| param.name == key).unwrap();
        assert!(param.applies(scenario.allocator(), scenario.view()), "{key}");
        assert_eq!(page.count(&format!("[data-key='{key}']")), 1, "{key}");
    }
    assert_eq!(page.count("[data-key='cpu']"), 0, "only SLUB has CPUs");
}

#[wasm_bindgen_test]
async fn every_view_that_needs_no_worker_says_something() {
    // Views that a worker fills are looked at by the journeys, where there is one.
    for allocator in ["zsmalloc", "zblock", "slub"] {
        for view in ["geometry", "data", "compare"] {
            let page = Mounted::at(&format!("v=1&view={view}&a={allocator}")).await;
            assert!(!page.text(".say, .trouble").trim().is_empty(), "{allocator} {view}");
            assert_eq!(page.count("[role='tab'][aria-selected='true']"), 1);
        }
    }
}

#[wasm_bindgen_test]
async fn notices_name_the_key_and_can_be_closed() {
    let (_, notices) = parse_fragment("v=1&mp=99&nonsense=1");
    let closed = Rc::new(RefCell::new(Vec::new()));
    let dismiss = {
        let closed = Rc::clone(&closed);
        Callback::from(move |index: usize| closed.borrow_mut().push(index))
    };
    let host = place();
    let shown: Vec<Notice> = notices.clone();
    let app =
        yew::Renderer::<Notices>::with_root_and_props(host.clone(), NoticesProps { notices: shown, dismiss })
            .render();
    yew::scheduler::flush().await;
    let text = host.text_content().unwrap();
    assert!(text.contains("mp=99") && text.contains("nonsense"), "{text}");
    let buttons = host.query_selector_all("button").unwrap();
    assert_eq!(buttons.length() as usize, notices.len());
    buttons.item(1).unwrap().dyn_into::<HtmlElement>().unwrap().click();
    yew::scheduler::flush().await;
    assert_eq!(*closed.borrow(), [1]);
    app.destroy();
    host.remove();
}
