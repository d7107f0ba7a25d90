//! Threads that contend for an allocator's locks.

use slabscope_core::model::AnyConfig;
use slabscope_core::{zblock, zsmalloc};
use slabscope_lab::{LockSetup, Task};
use slabscope_scenario::{Key, Locking, Scenario, View};
use slabscope_worker::protocol::encode;
use yew::prelude::*;

use super::cases;
use super::compare::{LabProps, pool_of};
use super::document::{Page, use_work};
use super::layout::Layout;

/// Lock contention: lanes, scaling and the locks; or a case.
#[component]
pub(crate) fn LabView(props: &LabProps) -> Html {
    let scenario = &props.state.scenario;
    let is_case = scenario.view() == View::Cases;
    let task = if is_case {
        cases::task(props)
    } else {
        encode(&Task::Locks(setup(scenario), pool_of(scenario.side(0), props.state.played())))
    };
    let (work, cancel) = use_work(&props.lab, Some(task).into(), wasm_bindgen::JsValue::UNDEFINED);
    let dispatch = props.state.dispatcher();
    let tell = Callback::from(move |command| dispatch.dispatch(command));
    let at = scenario.number(Key::At) as usize;
    let picture = html! { <Page {work} theme={props.theme} {cancel} {at} {tell} /> };
    let (panel, inspector) =
        if is_case { (Some(cases::list(props)), Html::default()) } else { (None, inspector()) };
    let dock = html! { <footer class="dock"><strong>{ "Deterministic" }</strong><span class="dim">{ "the same seed gives the same picture" }</span></footer> };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {panel} {dock} /> }
}

fn setup(scenario: &Scenario) -> LockSetup {
    let side = scenario.side(0);
    let scheme = Locking::from_name(&side.text(Key::Locking));
    let scheme = Locking::ALL.iter().position(|other| Some(*other) == scheme).unwrap_or(0);
    // An impossible pool has no classes; the contention of its locks is still of interest.
    let classes = match side.any_config() {
        AnyConfig::Zsmalloc(config) => {
            zsmalloc::Geometry::new(&config).map_or(120, |known| known.classes().len())
        }
        AnyConfig::Zblock(config) => zblock::Geometry::new(&config).map_or(20, |known| known.types().len()),
        AnyConfig::Slub(_) => 1,
    };
    let small = |key| u16::try_from(side.number(key)).unwrap_or(u16::MAX);
    LockSetup {
        scheme: scheme as u8,
        pools: small(Key::Pools),
        threads: small(Key::Threads),
        skew: small(Key::Skew),
        seed: side.number(Key::Seed),
        classes: classes as u16,
    }
}

fn inspector() -> Html {
    html! {
        <section class="section">
            <h2>{ "What takes which lock" }</h2>
            <ul class="starts">
                <li><strong>{ "One pool lock" }</strong>{ ": every allocation and free (zsmalloc 6.2 to 6.10)." }</li>
                <li><strong>{ "Several pools" }</strong>{ ": the lock of the pool that the object's hash chooses (zswap 6.7 to 6.10 had 32)." }</li>
                <li><strong>{ "A lock per class" }</strong>{ ": that of the object's size class (zsmalloc up to 6.1)." }</li>
                <li><strong>{ "Per class and pool" }</strong>{ ": a free first finds the class under the pool's read lock (zsmalloc since 6.11)." }</li>
                <li><strong>{ "Per block type" }</strong>{ ": the handle tells the type (zblock)." }</li>
            </ul>
        </section>
    }
}
