//! The Pool view: a pool while operations run.

mod dock;
mod inspector;
mod map;
mod playback;
mod run;

use std::rc::Rc;

use slabscope_core::oplog::Outcome;
use slabscope_core::pool::{Pool as _, SpanId};
use slabscope_core::tell::{Teller, Terms, counted, grouped};
use slabscope_core::timeline::Applied;
use slabscope_scenario::{Key, Selection};
use yew::prelude::*;

use self::dock::Dock;
use self::inspector::Inspector;
use self::map::Map;
use self::playback::use_playback;
use self::run::{Moment, Run, use_run};
use super::geometry::{ViewProps, trouble};
use super::layout::Layout;
use crate::state::Command;

/// Map, metrics and time.
#[component]
pub(crate) fn PoolView(props: &ViewProps) -> Html {
    let scenario = &props.state.scenario;
    let run = use_run(scenario.side(0));
    let asked = u32::try_from(scenario.number(Key::At)).unwrap_or(u32::MAX);
    let seek = {
        let dispatch = props.state.dispatcher();
        Callback::from(move |step: u32| {
            dispatch.dispatch(Command::Slide { key: Key::At, number: step.into(), first: false });
        })
    };
    let playback = use_playback(run.as_ref().ok().cloned(), asked, seek.clone());
    let run = match run {
        Ok(run) => run,
        Err(why) => {
            let dock = html! { <footer class="dock"><span class="dim">{ "Nothing to play" }</span></footer> };
            let picture = trouble("There is no such pool", &why);
            return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
        }
    };
    let moment = run.at(asked);
    let followed = followed(scenario.selection(), &moment);
    let select = {
        let dispatch = props.state.dispatcher();
        Callback::from(move |span: Option<SpanId>| {
            let text = span.map_or_else(|| "auto".to_owned(), |span| format!("z{}", span.0));
            dispatch.dispatch(Command::Enter(Key::Selected, text));
        })
    };
    let picture = html! {
        <>
            <section class="picture pool-head" aria-label="The pool in words">{ sentence(&moment, run.terms()) }</section>
            <Map run={run.clone()} step={moment.step} theme={props.theme} selected={followed} select={select.clone()} />
        </>
    };
    let inspector = html! { <Inspector run={run.clone()} step={moment.step} theme={props.theme} selected={followed} select={select} /> };
    let dock =
        html! { <Dock {run} step={moment.step} theme={props.theme} {playback} {seek} selected={followed} /> };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

/// What is looked at: what was chosen, or else the span that the operation touched.
fn followed(selection: Option<Selection>, moment: &Moment) -> Option<SpanId> {
    match selection {
        Some(Selection::Span(id)) => Some(SpanId(id)),
        Some(Selection::Object(id)) => {
            moment.pool.place(slabscope_core::pool::ObjectId(id)).map(|place| place.span)
        }
        _ => moment.applied.as_ref().and_then(touched),
    }
}

fn touched(applied: &Applied) -> Option<SpanId> {
    match applied.outcome {
        Outcome::Placed(at) => Some(at.span),
        Outcome::Freed(freed) => Some(freed.from.span),
        _ => None,
    }
}

/// How much is data, what compaction would return, and what just happened.
fn sentence(moment: &Moment, terms: &Terms) -> Html {
    let totals = moment.pool.totals();
    let freeable: u64 = moment.pool.classes().iter().map(|class| class.freeable_pages).sum();
    let happened = moment.outcome().unwrap_or_else(|| "Press play, or move the slider below".to_owned());
    if totals.pages == 0 {
        return html! {
            <>
                <h2 class="say">{ "The pool is " }<strong>{ "empty" }</strong>{ "." }</h2>
                <p class="say-more" aria-live="polite">{ happened }</p>
            </>
        };
    }
    let share = 100.0 * totals.bytes as f64 / (totals.pages as f64 * f64::from(moment.page_bytes));
    let back = match terms.compacting {
        Some(compacting) if freeable == 0 => format!(". {compacting} now would return none of them."),
        Some(compacting) => format!(". {compacting} now would return {} of them.", grouped(freeable)),
        None => ".".to_owned(),
    };
    html! {
        <>
            <h2 class="say">{ format!("{} are ", counted(totals.pages, "page", "pages")) }<strong>{ format!("{share:.0}\u{a0}% data") }</strong>{ back }</h2>
            <p class="say-more" aria-live="polite">{ happened }</p>
        </>
    }
}

/// Speaks about a pool of this run.
pub(crate) fn with_teller<T>(run: &Rc<Run>, tell: impl FnOnce(&Teller<'_>) -> T) -> T {
    let size_of = |class: u16| run.size_of(class);
    tell(&Teller { terms: run.terms(), groups: run.groups(), size_of: &size_of })
}
