//! Light or dark: as chosen, or as the system says.

use gloo_events::EventListener;
use slabscope_charts::theme::Theme;
use yew::prelude::*;

/// The theme in force; pictures are drawn with it.
#[hook]
pub(crate) fn use_theme(chosen: &str) -> Theme {
    let system_dark = use_state(|| query().is_some_and(|query| query.matches()));
    {
        let system_dark = system_dark.clone();
        use_effect_with((), move |()| {
            let listener = query().map(|query| {
                let target = query.clone();
                EventListener::new(&target, "change", move |_| system_dark.set(query.matches()))
            });
            move || drop(listener)
        });
    }
    use_effect_with(chosen.to_owned(), |chosen| {
        let root =
            web_sys::window().and_then(|window| window.document()).and_then(|page| page.document_element());
        if let Some(root) = root {
            // Setting an attribute of the root cannot fail.
            let _ = match chosen.as_str() {
                "light" | "dark" => root.set_attribute("data-theme", chosen),
                _ => root.remove_attribute("data-theme"),
            };
        }
    });
    match chosen {
        "dark" => Theme::Dark,
        "light" => Theme::Light,
        _ if *system_dark => Theme::Dark,
        _ => Theme::Light,
    }
}

fn query() -> Option<web_sys::MediaQueryList> {
    web_sys::window()?.match_media("(prefers-color-scheme: dark)").ok()?
}
