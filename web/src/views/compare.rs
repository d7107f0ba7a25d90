//! Pools side by side, on the same stream.

use std::sync::Arc;

use slabscope_charts::theme::Theme;
use slabscope_core::tell::grouped;
use slabscope_lab::{Reply, Task};
use slabscope_scenario::{Key, Scenario, Side, parse_fragment};
use slabscope_worker::protocol::{Setup, encode};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::document::{Page, use_work};
use super::layout::Layout;
use crate::controls::Segments;
use crate::panel::Panel;
use crate::state::{Command, State};
use crate::worker::Client;

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct LabProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) lab: Client<Reply>,
}

/// Sides by letter.
const LETTERS: [&str; Scenario::MOST_SIDES] = ["A", "B", "C", "D"];

/// Comparisons to begin with: what is compared, and what that changes in a link.
const STARTS: [(&str, &str); 5] = [
    ("zsmalloc against zblock", "a=zsmalloc&2.a=zblock"),
    ("8 against 4 pages per zspage", "a=zsmalloc&mp=8&2.mp=4"),
    ("6.12 against 4.2", "a=zsmalloc&era=6.12&2.era=4.2"),
    ("4K against 16K pages", "ps=12&2.ps=14"),
    ("zblock mm0508 against v2 and v4", "a=zblock&era=mm0508&2.era=v2&3.era=v4"),
];

/// The comparison.
#[component]
pub(crate) fn CompareView(props: &LabProps) -> Html {
    let scenario = &props.state.scenario;
    let chosen = use_state_eq(|| 0usize);
    let sides = scenario.sides().len();
    let chosen_side = (*chosen).min(sides - 1);
    let last = scenario.sides().map(|side| side.number(Key::Operations)).max().unwrap_or(0);
    // Untouched, it stands at the end, where there is most to see.
    let at = if scenario.side(0).is_default(Key::At) { last } else { scenario.number(Key::At).min(last) };
    let task = (sides > 1).then(|| encode(&Task::Compare { sides: named(&props.state), at: at as u32 }));
    let (work, cancel) = use_work(&props.lab, task.into(), wasm_bindgen::JsValue::UNDEFINED);
    let picture = if sides > 1 {
        html! { <Page {work} theme={props.theme} {cancel} /> }
    } else {
        start(&props.state)
    };
    let panel = html! {
        <>
            <section class="section">{ side_tools(&props.state, &chosen, chosen_side) }</section>
            <Panel key={chosen_side} state={props.state.clone()} side={chosen_side} />
        </>
    };
    let oninput = {
        let dispatch = props.state.dispatcher();
        move |event: InputEvent| {
            let number = event.target_unchecked_into::<HtmlInputElement>().value_as_number().max(0.0) as u64;
            dispatch.dispatch(Command::Slide { key: Key::At, number, first: false });
        }
    };
    let dock = html! {
        <footer class="dock" aria-label="Timeline">
            <label class="cursor"><strong>{ format!("Operation {} of {}", grouped(at), grouped(last)) }</strong>
                <input type="range" min="1" max={last.to_string()} value={at.to_string()} {oninput} /></label>
        </footer>
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={inspector(scenario)} panel={Some(panel)} {dock} /> }
}

/// Sides with their names: a letter and what tells them apart.
fn named(state: &State) -> Vec<(String, Setup)> {
    let scenario = &state.scenario;
    let names = scenario.differences();
    let sides = scenario.sides().zip(names).zip(LETTERS);
    sides
        .map(|((side, name), letter)| {
            let name = if name.is_empty() { letter.to_owned() } else { format!("{letter} {name}") };
            (name, pool_of(side, state.played()))
        })
        .collect()
}

/// The pool and stream of a side, or what is played in place of a stream.
pub(super) fn pool_of(side: &Side, played: Option<Arc<str>>) -> Setup {
    Setup::new(&side.any_config(), &side.workload(), played)
}

/// What can be compared with one click.
fn start(state: &UseReducerHandle<State>) -> Html {
    let dispatch = state.dispatcher();
    let from = state.scenario.to_fragment();
    html! {
        <section class="picture">
            <h2 class="say">{ "Compare this scenario with " }<strong>{ "another" }</strong>{ "." }</h2>
            <p class="say-more">{ "Both get the same operations; add a scenario on the left, or begin with one of these:" }</p>
            <ul class="starts">
                for (name, rest) in STARTS {
                    <li key={name}><button type="button" class="button" onclick={
                        let (dispatch, from) = (dispatch.clone(), from.clone());
                        move |_: MouseEvent| {
                            let link = format!("?{from}#v=1&view=compare&{rest}");
                            // What goes through the codec is in canonical form.
                            dispatch.dispatch(Command::Go(parse_fragment(&link).0.to_fragment()));
                        }
                    }>{ name }</button></li>
                }
            </ul>
        </section>
    }
}

/// Which side the parameters below are of, and what can be done with sides.
fn side_tools(state: &UseReducerHandle<State>, chosen: &UseStateHandle<usize>, side: usize) -> Html {
    let sides = state.scenario.sides().len();
    let pick = {
        let chosen = chosen.clone();
        Callback::from(move |letter: AttrValue| {
            chosen.set(LETTERS.iter().position(|other| *other == letter).unwrap_or(0));
        })
    };
    let options =
        LETTERS.iter().take(sides).map(|&letter| (letter.into(), letter.into())).collect::<Vec<_>>();
    let button = |name: &'static str, command: Command| {
        let dispatch = state.dispatcher();
        html! { <button type="button" class="button" onclick={move |_: MouseEvent| dispatch.dispatch(command.clone())}>{ name }</button> }
    };
    html! {
        <>
            <h2>{ "Scenarios" }</h2>
            <Segments label="The scenario whose parameters are shown" {options} value={LETTERS[side]} on_change={pick} wide={true} />
            <p class="tools">
                if sides < Scenario::MOST_SIDES { { button("Add", Command::AddSide) } }
                if side > 0 {
                    { button("Swap with A", Command::SwapSide(side)) }
                    { button("Copy A here", Command::CopyToSide(side)) }
                    { button("Remove", Command::RemoveSide(side)) }
                }
            </p>
        </>
    }
}

/// The sides in words, and what differs.
fn inspector(scenario: &Scenario) -> Html {
    let differences = scenario.differences();
    html! {
        <section class="section">
            <h2>{ "What differs" }</h2>
            <ul class="starts">
                for (index, (side, differs)) in scenario.sides().zip(differences).enumerate() {
                    <li key={index}><strong>{ LETTERS.get(index).copied().unwrap_or_default() }</strong>{ " " }{ side.describe() }
                        if !differs.is_empty() { <br /><code>{ differs }</code> }</li>
                }
            </ul>
            <p class="fine">{ "All get the same stream of operations, that of A unless a side has its own." }</p>
        </section>
    }
}
