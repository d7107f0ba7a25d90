//! Small controls that several parts use.

use yew::prelude::*;

/// One of a few choices, as buttons in a row.
#[derive(Properties, PartialEq)]
pub(crate) struct SegmentsProps {
    /// What is chosen, for those who cannot see it.
    pub(crate) label: AttrValue,
    /// Value and text of each.
    pub(crate) options: Vec<(AttrValue, AttrValue)>,
    /// The value in force.
    pub(crate) value: AttrValue,
    /// True to fill the width.
    #[prop_or_default]
    pub(crate) wide: bool,
    /// Another one was chosen.
    pub(crate) on_change: Callback<AttrValue>,
}

/// Buttons, one of them pressed.
#[component]
pub(crate) fn Segments(props: &SegmentsProps) -> Html {
    let class = if props.wide { "segments wide" } else { "segments" };
    html! {
        <div class={class} role="group" aria-label={props.label.clone()}>
            for (value, text) in props.options.iter().cloned() {
                <button type="button" class="segment" key={value.to_string()}
                    aria-pressed={(value == props.value).to_string()}
                    onclick={props.on_change.reform({ let value = value.clone(); move |_| value.clone() })}>
                    { text }
                </button>
            }
        </div>
    }
}

/// A button that copies a text and says so.
#[derive(Properties, PartialEq)]
pub(crate) struct CopyProps {
    /// Its name.
    pub(crate) label: AttrValue,
    /// Makes the text.
    pub(crate) text: Callback<(), String>,
    /// Class of the button.
    #[prop_or(AttrValue::Static("link"))]
    pub(crate) class: AttrValue,
    /// What the table of commands presses it as.
    #[prop_or_default]
    pub(crate) act: Option<AttrValue>,
}

/// Copies.
#[component]
pub(crate) fn CopyButton(props: &CopyProps) -> Html {
    let done = use_state(|| None::<bool>);
    let onclick = {
        let (text, done) = (props.text.clone(), done.setter());
        move |_: MouseEvent| {
            let done = done.clone();
            crate::clipboard::copy(text.emit(()), Callback::from(move |worked| done.set(Some(worked))));
        }
    };
    let said = match *done {
        None => "",
        Some(true) => "Copied",
        Some(false) => "The browser does not allow copying",
    };
    html! {
        <>
            <button type="button" class={props.class.clone()} data-act={props.act.clone()} {onclick}>{ props.label.clone() }</button>
            <span class="fine" role="status">{ said }</span>
        </>
    }
}
