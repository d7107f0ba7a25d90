//! Where the size is typed that is looked at.

use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The field with its heading.
pub(super) fn size_field(size: u32, most: u32, pick: &Callback<u32>) -> Html {
    let onchange = {
        let pick = pick.clone();
        move |event: Event| {
            let size = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            if size >= 1.0 {
                pick.emit((size as u32).clamp(1, most));
            }
        }
    };
    html! {
        <>
            <h2>{ "Follow one object" }</h2>
            <div class="field">
                <div class="row">
                    <label for="inspected">{ "Size" }</label>
                    <input type="number" id="inspected" min="1" max={most.to_string()} value={size.to_string()} {onchange} />
                    <span>{ "bytes" }</span>
                </div>
            </div>
        </>
    }
}
