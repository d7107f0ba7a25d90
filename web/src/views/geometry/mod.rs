//! The Geometry view: classes without a pool.

mod classes;
mod constants;
mod inspector;
mod order_map;
mod plot;
mod rows;
mod sentence;
mod size_field;
mod size_plot;
mod slub;
mod table;
mod zblock;

use std::rc::Rc;

use slabscope_charts::shown::FIRST_SIZE;
use slabscope_charts::theme::Theme;
use slabscope_core::zsmalloc::Geometry;
use slabscope_lab::Task;
use slabscope_lab::document::Block;
use slabscope_scenario::{Allocator, Key, Value};
use slabscope_worker::protocol::encode;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use self::classes::ClassTable;
use self::constants::constants;
use self::inspector::inspector;
use self::plot::PlotPanel;
use super::compare::{LabProps, pool_of};
use super::document::{Page, Work, use_work};
use super::layout::Layout;
use crate::state::{Command, State};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct ViewProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    /// What the reader's own sizes take.
    own: Html,
    /// Where they lie.
    sizes: Vec<(f32, f32)>,
}

/// A geometry that components share; two are equal if they are of the same configuration.
#[derive(Clone, Debug)]
pub(crate) struct Shared(pub(crate) Rc<Geometry>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        self.0.config() == other.0.config()
    }
}

/// The geometry of the allocator chosen.
#[component]
pub(crate) fn GeometryView(props: &LabProps) -> Html {
    let LabProps { state, theme, notices, lab } = props.clone();
    let data = state.played();
    let is_own = data.is_some();
    let task = data.map(|data| encode(&Task::Sizes(pool_of(state.scenario.side(0), Some(data)))));
    let (work, cancel) = use_work(&lab, task.into(), JsValue::UNDEFINED);
    let (sizes, own) = match is_own {
        true => (sizes(&work), html! { <Page {work} {theme} {cancel} /> }),
        false => Default::default(),
    };
    let allocator = state.scenario.allocator();
    let view = ViewProps { state, theme, notices, own, sizes };
    match allocator {
        Allocator::Zsmalloc => html! { <ClassView ..view /> },
        Allocator::Zblock => html! { <zblock::BlockView ..view /> },
        Allocator::Slub => html! { <slub::SlabView ..view /> },
    }
}

/// Where a reader's sizes lie: the first line of what the worker plots.
fn sizes(work: &Work) -> Vec<(f32, f32)> {
    let mut blocks = work.result().into_iter().flatten();
    let line = blocks.find_map(|block| if let Block::Plot(plot) = block { plot.lines.first() } else { None });
    line.map(|line| line.points.clone()).unwrap_or_default()
}

/// zsmalloc: classes, plots, constants, and one class taken apart.
#[component]
fn ClassView(props: &ViewProps) -> Html {
    let scenario = &props.state.scenario;
    let dock = timeless_dock(&props.state);
    let config = scenario.side(0).zsmalloc_config();
    let geometry = match Geometry::new(&config) {
        Ok(geometry) => Shared(Rc::new(geometry)),
        Err(error) => {
            let picture = trouble("This kernel does not build", &error.to_string());
            let below_panel = constants(&config);
            return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {below_panel} {dock} /> };
        }
    };
    let size = inspected(&scenario.get(Key::Size), config.page_bytes());
    let pick = picker(&props.state, Key::Size);
    let picture = html! {
        <>
            <section class="picture" aria-label="Plot">
                { sentence::sentence(&geometry.0, size) }
                <PlotPanel state={props.state.clone()} theme={props.theme} geometry={geometry.clone()} {size} pick={pick.clone()} sizes={props.sizes.clone()} />
            </section>
            { props.own.clone() }
            <ClassTable geometry={geometry.clone()} {size} pick={pick.clone()} />
        </>
    };
    let inspector = inspector(&geometry.0, size, props.theme, &pick);
    let below_panel = constants(&config);
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {below_panel} {dock} /> }
}

/// The timeline's place, in a view that has no time.
fn timeless_dock(state: &UseReducerHandle<State>) -> Html {
    html! {
        <footer class="dock">
            <strong>{ "Workload" }</strong>
            <span>{ workload_words(&state.scenario) }</span>
            <span class="dim">{ "Time doesn't change this picture" }</span>
            <button type="button" class="link push" onclick={enter(state, Key::View, "pool")}>{ "Watch it in Pool" }</button>
        </footer>
    }
}

/// Sets the size that is looked at.
fn picker(state: &UseReducerHandle<State>, key: Key) -> Callback<u32> {
    let dispatch = state.dispatcher();
    Callback::from(move |size: u32| dispatch.dispatch(Command::Enter(key, size.to_string())))
}

fn inspected(value: &Value, page: u32) -> u32 {
    match value {
        Value::Number(number) => u32::try_from(*number).unwrap_or(page).clamp(1, page),
        _ => FIRST_SIZE.min(page),
    }
}

/// A message in place of a picture.
pub(crate) fn trouble(title: &str, why: &str) -> Html {
    html! { <div class="trouble" role="alert"><h2>{ title }</h2><p>{ why }</p></div> }
}

/// A callback that sets a parameter.
pub(crate) fn enter(state: &UseReducerHandle<State>, key: Key, text: &'static str) -> Callback<MouseEvent> {
    let dispatch = state.dispatcher();
    Callback::from(move |_| dispatch.dispatch(Command::Enter(key, text.to_owned())))
}

fn workload_words(scenario: &slabscope_scenario::Scenario) -> String {
    let spec = scenario.side(0).workload();
    let operations = slabscope_core::tell::counted(spec.operations.into(), "operation", "operations");
    format!("{}, {operations}, seed {}", spec.kind.label(), spec.seed)
}
