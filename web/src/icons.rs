//! The few icons, as paths on a 16 x 16 grid.

use yew::prelude::*;

/// Which icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Play,
    Pause,
    First,
    Last,
    Back,
    Forward,
    Close,
    Theme,
    Loop,
}

/// Draws one; the control around it has the name.
pub(crate) fn icon(icon: Icon) -> Html {
    let path = match icon {
        Icon::Play => "M4 2v12l10-6z",
        Icon::Pause => "M4 2h3v12H4zM9 2h3v12H9z",
        Icon::First => "M3 2h2v12H3zM14 2v12L6 8z",
        Icon::Last => "M11 2h2v12h-2zM2 2v12l8-6z",
        Icon::Back => "M11 2v12L4 8z",
        Icon::Forward => "M5 2v12l7-6z",
        Icon::Close => "M3 4l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z",
        Icon::Loop => "M3 3h8V0l5 4-5 4V5H5v3H3zM13 13H5v3l-5-4 5-4v3h6V8h2z",
        Icon::Theme => "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 2v10A5 5 0 0 1 8 3z",
    };
    html! { <svg viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg> }
}
