//! A page with a word on it: what `cargo xtask bench` compares the page's start with.

use yew::prelude::*;

/// The word.
#[component]
fn Empty() -> Html {
    html! { <main>{ "Empty" }</main> }
}

fn main() {
    yew::Renderer::<Empty>::new().render();
}
