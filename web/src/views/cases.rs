//! Published results, worked out again.

use slabscope_lab::{CaseTask, Reply};
use slabscope_scenario::{Case, Key};
use slabscope_worker::protocol::encode;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use super::compare::LabProps;
use super::document::{Page, use_work};
use super::layout::Layout;
use crate::state::{Command, State};
use crate::worker::Client;

/// Scripts of the workers, each of which has some of the cases.
pub(crate) const WORKERS: [&str; 3] =
    ["./slabscope-orders_loader.js", "./slabscope-chains_loader.js", "./slabscope-rivals_loader.js"];

/// The worker that has the open case.
pub(crate) fn lab(state: &State, workers: &[Client<Reply>; WORKERS.len()]) -> Client<Reply> {
    let at = match Case::from_name(&state.scenario.text(Key::Case)) {
        Some(Case::SlubOrder | Case::PartialOrdering) => 0,
        Some(Case::MorePages) | None => 1,
        Some(Case::Locks | Case::Zblock) => 2,
    };
    workers[at].clone()
}

/// The list of cases, and the one that is open.
#[component]
pub(crate) fn CasesView(props: &LabProps) -> Html {
    let scenario = &props.state.scenario;
    let open = scenario.text(Key::Case);
    let task = CaseTask(open.clone(), scenario.text(Key::Assumed));
    let (work, cancel) = use_work(&props.lab, Some(encode(&task)), JsValue::UNDEFINED);
    let dispatch = props.state.dispatcher();
    let tell = Callback::from(move |command: Command| dispatch.dispatch(command));
    let at = scenario.number(Key::At) as usize;
    let picture = html! { <Page {work} theme={props.theme} {cancel} {at} {tell} /> };
    let panel = html! {
        <nav class="section" aria-label="Cases">
            <ul class="starts">
                for choice in Case::CHOICES {
                    <li key={choice.value}><a href={link(props, choice.value)} aria-current={(choice.value == open).then_some("page")}>{ choice.label }</a></li>
                }
            </ul>
        </nav>
    };
    let dock = html! { <footer class="dock"><strong>{ "Worked out here" }</strong><span class="dim">{ "every figure of ours, when the case is opened" }</span></footer> };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} panel={Some(panel)} {dock} /> }
}

/// The link of another case, with its usual assumptions.
fn link(props: &LabProps, case: &str) -> String {
    let mut scenario = props.state.scenario.clone();
    // Every name in the list is one.
    let _ = scenario.set_text(Key::Case, case);
    scenario.reset(Key::Assumed);
    scenario.reset(Key::At);
    format!("#{}", scenario.to_fragment())
}
