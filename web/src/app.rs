//! The root: state, address, theme, and the view in front.

use slabscope_scenario::{Key, View};
use yew::prelude::*;

use crate::address::{self, use_address};
use crate::commands::{Acts, use_commands};
use crate::frame::{Bar, Notices};
use crate::intake::{Source, use_intake};
use crate::state::{Command, State};
use crate::theme::use_theme;
use crate::views;
use crate::worker::Client;

/// The page.
#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(|| State::of_link(&address::current()));
    use_address(&state);
    let theme = use_theme(&state.scenario.text(Key::Theme));
    let dismiss = {
        let dispatch = state.dispatcher();
        Callback::from(move |index| dispatch.dispatch(Command::Dismiss(index)))
    };
    let worker = use_memo((), |()| Client::new("slabscope-worker_loader.js"));
    let lab = use_memo((), |()| Client::new("slabscope-lab_loader.js"));
    let reader = use_memo((), |()| Client::new("slabscope-reader_loader.js"));
    let acts = use_memo((), |()| Acts::default());
    use_commands(&acts);
    let answers = use_memo((), |()| Client::new("slabscope-answers_loader.js"));
    let held = use_state(|| None::<Source>);
    let take = {
        let (held, dispatch) = (held.setter(), state.dispatcher());
        use_callback((), move |source, ()| {
            held.set(Some(source));
            dispatch.dispatch(Command::Enter(Key::View, "data".to_owned()));
        })
    };
    let dragging = use_intake(take);
    let casebook = use_memo((), |()| views::cases::WORKERS.map(Client::new));
    let notices = html! { <Notices notices={state.notices.clone()} {dismiss} /> };
    let view = match state.view() {
        View::Pool => {
            let worker = (*worker).clone();
            html! { <views::pool::PoolView state={state.clone()} {theme} {notices} {worker} acts={(*acts).clone()} /> }
        }
        View::Data => {
            html! { <views::data::DataView state={state.clone()} {theme} {notices} {held} reader={(*reader).clone()} answers={(*answers).clone()} /> }
        }
        View::Compare => {
            html! { <views::compare::CompareView state={state.clone()} {theme} {notices} lab={(*lab).clone()} /> }
        }
        view @ (View::Locks | View::Cases) => {
            let lab = if view == View::Cases { views::cases::lab(&state, &casebook) } else { (*lab).clone() };
            html! { <views::locks::LabView key={view.name()} state={state.clone()} {theme} {notices} {lab} /> }
        }
        View::Geometry => {
            html! { <views::geometry::GeometryView state={state.clone()} {theme} {notices} lab={(*lab).clone()} /> }
        }
    };
    let fragment = state.scenario.to_fragment();
    if is_embed() {
        let link = address::link_of(&fragment);
        return html! {
            <div class="app" data-fragment={fragment}>
                { view }
                <p class="embed-foot fine">
                    <a href={link} target="_blank" rel="noopener">{ "Open in Slabscope" }</a>
                    <span class="push">{ state.scenario.side(0).describe() }</span>
                </p>
            </div>
        };
    }
    html! {
        <div class="app" data-fragment={fragment}>
            <button type="button" class="skip" onclick={|_| focus_main()}>{ "Skip to the picture" }</button>
            <Bar state={state.clone()} />
            { view }
            if dragging { <div class="drop">{ "Drop a text of the kernel's, of a tool or of a mail: what it is, it tells itself" }</div> }
        </div>
    }
}

/// True on the page made for frames.
pub(crate) fn is_embed() -> bool {
    let root =
        web_sys::window().and_then(|window| window.document()).and_then(|page| page.document_element());
    root.and_then(|root| root.get_attribute("data-mode")).as_deref() == Some("embed")
}

/// The address is the state, so a link to a place in the page would change it.
fn focus_main() {
    let main = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|page| page.get_element_by_id("main"));
    if let Some(main) =
        main.and_then(|main| wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(main).ok())
    {
        // Without focus the reader only has to press Tab more often.
        let _ = main.focus();
    }
}
