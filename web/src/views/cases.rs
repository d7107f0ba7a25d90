//! Published results, worked out again.

use slabscope_lab::{CaseTask, Reply};
use slabscope_scenario::{Case, Key};
use slabscope_worker::protocol::encode;
use yew::prelude::*;

use super::compare::LabProps;
use crate::state::State;
use crate::worker::Client;

/// Scripts of the workers, each of which has one of the cases.
pub(crate) const WORKERS: [&str; 5] = [
    "slabscope-orders_loader.js",
    "slabscope-lists_loader.js",
    "slabscope-chains_loader.js",
    "slabscope-contention_loader.js",
    "slabscope-density_loader.js",
];

/// The worker that has the open case.
pub(crate) fn lab(state: &State, workers: &[Client<Reply>; WORKERS.len()]) -> Client<Reply> {
    let at = match Case::from_name(&state.scenario.text(Key::Case)) {
        Some(Case::SlubOrder) => 0,
        Some(Case::PartialOrdering) => 1,
        Some(Case::MorePages | Case::Glossary | Case::Evidence) | None => 2,
        Some(Case::Locks) => 3,
        Some(Case::Zblock) => 4,
    };
    workers[at].clone()
}

/// What the open case's worker is asked.
pub(super) fn task(props: &LabProps) -> Vec<u8> {
    let text = |key| props.state.scenario.text(key);
    encode(&CaseTask(text(Key::Case), text(Key::Assumed)))
}

/// The list of cases.
pub(super) fn list(props: &LabProps) -> Html {
    let open = props.state.scenario.text(Key::Case);
    html! {
        <ul class="starts section">
            for choice in Case::CHOICES {
                <li><a href={link(props, choice.value)} aria-current={(choice.value == open).then_some("page")}>{ choice.label }</a></li>
            }
        </ul>
    }
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
