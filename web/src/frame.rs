//! Bar, notices and the timeline's place.

use slabscope_scenario::act::{Act, label, tip};
use slabscope_scenario::{Key, Notice, View};
use yew::prelude::*;

use crate::address;
use crate::controls::CopyButton;
use crate::icons::{Icon, icon};
use crate::state::{Command, State};

#[derive(Properties, PartialEq)]
pub(crate) struct BarProps {
    pub(crate) state: UseReducerHandle<State>,
}

/// Name, tabs and what concerns the whole page.
#[component]
pub(crate) fn Bar(props: &BarProps) -> Html {
    let dispatch = props.state.dispatcher();
    let fragment = props.state.scenario.to_fragment();
    let theme = props.state.scenario.text(Key::Theme);
    let next_theme = match theme.as_str() {
        "light" => "dark",
        "dark" => "auto",
        _ => "light",
    };
    let toggle = {
        let dispatch = dispatch.clone();
        move |_: MouseEvent| dispatch.dispatch(Command::Enter(Key::Theme, next_theme.to_owned()))
    };
    let copy = Callback::from(move |()| address::link_of(&fragment));
    html! {
        <header class="bar">
            <h1 class="brand">
                <svg viewBox="0 0 32 28" aria-hidden="true">
                    <path d="M0 0h32v12H0zM0 16h32v12H0z" fill="currentColor" />
                    <path d="M2 2h8v8H2zM12 2h8v8h-8zM2 18h6v8H2zM10 18h10v8H10z" class="brand-object" />
                </svg>
                { "Slabscope" }
            </h1>
            <Tabs state={props.state.clone()} />
            <div class="bar-tools">
                <CopyButton label="Copy link" text={copy} class="button" act="link" />
                <button type="button" class="button" data-share="">{ "Share" }</button>
                <a class="button" href="./guide/index.html">{ "Guide" }</a>
                <button type="button" class="button plain" data-act="theme" onclick={toggle}
                    aria-label={format!("Colours: {theme}. Change to {next_theme}")} title={format!("Colours: {theme}")}>
                    { icon(Icon::Theme) }
                </button>
                <button type="button" class="button plain" data-act="commands" aria-label={label(Act::Commands)} title={tip(Act::Commands)}>{ "?" }</button>
            </div>
        </header>
    }
}

/// One tab per view; the arrow keys move between them.
#[component]
fn Tabs(props: &BarProps) -> Html {
    let list = use_node_ref();
    let view = props.state.view();
    let dispatch = props.state.dispatcher();
    let open = move |view: View| dispatch.dispatch(Command::Enter(Key::View, view.name().to_owned()));
    let onkeydown = {
        let (list, open) = (list.clone(), open.clone());
        move |event: KeyboardEvent| {
            let views = View::ALL;
            let at = views.iter().position(|shown| *shown == view).unwrap_or(0);
            let to = match event.key().as_str() {
                "ArrowRight" => (at + 1) % views.len(),
                "ArrowLeft" => (at + views.len() - 1) % views.len(),
                "Home" => 0,
                "End" => views.len() - 1,
                _ => return,
            };
            event.prevent_default();
            open(views[to]);
            let tab = list.cast::<web_sys::Element>().and_then(|list| list.children().item(to as u32));
            if let Some(tab) =
                tab.and_then(|tab| wasm_bindgen::JsCast::dyn_into::<web_sys::HtmlElement>(tab).ok())
            {
                // An element of the page that cannot take the focus keeps it where it is.
                let _ = tab.focus();
            }
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label="Views" ref={list} {onkeydown}>
            for shown in View::ALL {
                <button type="button" role="tab" class="tab" key={shown.name()} id={format!("tab-{}", shown.name())}
                    aria-selected={(*shown == view).to_string()} aria-controls="main"
                    tabindex={if *shown == view { "0" } else { "-1" }}
                    onclick={{ let (open, shown) = (open.clone(), *shown); move |_| open(shown) }}>
                    { shown.label() }
                </button>
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct NoticesProps {
    pub(crate) notices: Vec<Notice>,
    pub(crate) dismiss: Callback<usize>,
}

/// What the reader has to be told about a link or a value.
#[component]
pub(crate) fn Notices(props: &NoticesProps) -> Html {
    html! {
        <div class="notices" role="status" aria-live="polite">
            for (index, notice) in props.notices.iter().enumerate() {
                <div class={classes!("notice", notice.kind.is_warning().then_some("warning"))} key={index}>
                    <span>{ notice.to_string() }</span>
                    <button type="button" class="button plain" aria-label="Close this notice"
                        onclick={props.dismiss.reform(move |_| index)}>{ icon(Icon::Close) }</button>
                </div>
            }
        </div>
    }
}
