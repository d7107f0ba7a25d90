//! Whether anyone can see the page: a hidden tab or a figure that was scrolled away rests.

use gloo_events::EventListener;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{IntersectionObserver, IntersectionObserverEntry, VisibilityState};
use yew::prelude::*;

/// False while the tab is hidden or, in someone's page, the frame is off screen.
#[hook]
pub(crate) fn use_visible() -> bool {
    let tab = use_state_eq(|| true);
    let frame = use_state_eq(|| true);
    {
        let (tab, frame) = (tab.setter(), frame.setter());
        use_effect_with((), move |()| {
            let watch = web_sys::window().and_then(|window| window.document()).map(|page| {
                let target = page.clone();
                let listener = EventListener::new(&target, "visibilitychange", {
                    let page = page.clone();
                    move |_| tab.set(page.visibility_state() != VisibilityState::Hidden)
                });
                (listener, page.document_element().and_then(|root| Watch::new(&root, frame)))
            });
            move || drop(watch)
        });
    }
    *tab && *frame
}

/// Says whether an element is on screen, until it is dropped. The screen is that of the outermost page.
struct Watch {
    observer: IntersectionObserver,
    _tell: Closure<dyn FnMut(js_sys::Array)>,
}

impl Watch {
    fn new(element: &web_sys::Element, set: UseStateSetter<bool>) -> Option<Self> {
        let tell = Closure::new(move |entries: js_sys::Array| {
            let last = entries.pop().dyn_into::<IntersectionObserverEntry>();
            if let Ok(entry) = last {
                set.set(entry.is_intersecting());
            }
        });
        let observer = IntersectionObserver::new(tell.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self { observer, _tell: tell })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
