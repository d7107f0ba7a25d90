//! The Pool view: a pool while operations run.

mod dock;
mod inspector;
mod map;
mod playback;
mod seen;

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_scenario::{Key, Selection};
use slabscope_worker::protocol::{Answer, Follow, Goal, Request, Say, Setup, Show, Sight};
use yew::prelude::*;

use self::dock::Dock;
use self::inspector::Inspector;
use self::map::Map;
use self::playback::use_playback;
use self::seen::Seen;
use super::geometry::trouble;
use super::layout::Layout;
use crate::canvas::Size;
use crate::state::{Command, State};
use crate::worker::{Client, use_answers};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct PoolProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) worker: Client<Answer>,
}

/// Map, metrics and time.
#[component]
pub(crate) fn PoolView(props: &PoolProps) -> Html {
    let scenario = &props.state.scenario;
    let seen = use_reducer(Seen::default);
    let seek = {
        let dispatch = props.state.dispatcher();
        Callback::from(move |step: u32| {
            dispatch.dispatch(Command::Slide { key: Key::At, number: step.into(), first: false });
        })
    };
    let select = {
        let dispatch = props.state.dispatcher();
        Callback::from(move |span: Option<u32>| {
            let text = span.map_or_else(|| "auto".to_owned(), |span| format!("z{span}"));
            dispatch.dispatch(Command::Enter(Key::Selected, text));
        })
    };
    let crashes = use_answers(&props.worker, {
        let (seen, seek, select) = (seen.dispatcher(), seek.clone(), select.clone());
        Callback::from(move |answer: Rc<Answer>| match &*answer {
            Answer::Jumped(step) => step.iter().for_each(|step| seek.emit(*step)),
            Answer::Chosen(span) => select.emit(*span),
            _ => seen.dispatch(answer),
        })
    });
    let asked = u32::try_from(scenario.number(Key::At)).unwrap_or(u32::MAX);
    let total = seen.cast.as_ref().map_or(u32::MAX, |cast| cast.steps);
    let playback = use_playback(seen.recorded, total, asked, seek.clone());
    let sight = use_state_eq(Sight::default);
    let size = use_state_eq(|| None::<Size>);
    let table = use_state_eq(|| false);
    let page = use_state_eq(|| (0u32, 0u32));
    use_run(&props.worker, &props.state, crashes);
    let (width, height, scale) = size.map_or((0.0, 0.0, 1.0), |size| (size.width, size.height, size.scale));
    let show = Show {
        step: asked,
        follow: follow(scenario.selection()),
        sight: *sight,
        size: (width as f32, height as f32),
        scale: scale as f32,
        dark: props.theme == Theme::Dark,
        table: *table,
        events_page: if page.0 == asked { page.1 } else { 0 },
        brief: playback.playing,
    };
    use_effect_with((props.worker.clone(), show, crashes), |(worker, show, _)| {
        worker.ask(&Request::Show(*show));
    });
    if let Some(why) = &seen.refused {
        let dock = html! { <footer class="dock"><span class="dim">{ "Nothing to play" }</span></footer> };
        let picture = trouble("There is no such pool", why);
        return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
    }
    let cast = seen.cast.clone().unwrap_or_default();
    let moment = seen.moment.clone();
    let sums = &moment.sums;
    let sums = [sums.pages_used, sums.obj_allocated, sums.obj_used, moment.step.into(), cast.steps.into()];
    let picture = html! {
        <>
            <section class="picture pool-head" aria-label="The pool in words" data-sums={sums.map(|sum| sum.to_string()).join(" ")}>
                if crashes > 0 { <p class="error" role="alert">{ "The run stopped unexpectedly and was started again with the same settings." }</p> }
                { sentence(&moment.say) }
            </section>
            <Map worker={props.worker.clone()} cast={cast.clone()} moment={moment.clone()} over={seen.over.clone()}
                sight={*sight} on_sight={Callback::from({ let sight = sight.clone(); move |to| sight.set(to) })}
                on_size={Callback::from({ let size = size.clone(); move |to| size.set(to) })}
                on_table={Callback::from({ let table = table.clone(); move |to| table.set(to) })}
                theme={props.theme} {crashes} />
        </>
    };
    let turn = {
        let page = page.clone();
        Callback::from(move |to| page.set((asked, to)))
    };
    let inspector =
        html! { <Inspector {cast} moment={moment.clone()} theme={props.theme} {select} {turn} /> };
    let jump = {
        let (worker, followed) = (props.worker.clone(), moment.followed);
        Callback::from(move |(goal, forward): (Option<Goal>, bool)| {
            let to = goal.or_else(|| followed.map(Goal::Span));
            if let Some(to) = to {
                worker.ask(&Request::Jump { from: asked, to, forward });
            }
        })
    };
    let dock = html! { <Dock {seen} theme={props.theme} {playback} {seek} {jump} /> };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

/// Asks for the run of a scenario whenever what it depends on changes.
#[hook]
fn use_run(worker: &Client<Answer>, state: &State, crashes: u32) {
    let side = state.scenario.side(0);
    let setup = Setup::new(&side.any_config(), &side.workload(), state.played());
    use_effect_with((worker.clone(), setup, crashes), |(worker, setup, _)| {
        worker.ask(&Request::Run(setup.clone()));
    });
}

const fn follow(selection: Option<Selection>) -> Follow {
    match selection {
        Some(Selection::Span(id)) => Follow::Span(id),
        Some(Selection::Object(id)) => Follow::Object(id),
        _ => Follow::Operation,
    }
}

/// What the picture shows, in one sentence, and what just happened.
fn sentence(say: &Say) -> Html {
    html! {
        <>
            <h2 class="say">{ &say.lead }<strong>{ &say.strong }</strong>{ &say.rest }</h2>
            <p class="say-more" aria-live="polite">{ &say.more }</p>
        </>
    }
}
