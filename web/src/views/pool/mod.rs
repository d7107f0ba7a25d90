//! The Pool view: a pool while operations run.

mod dock;
mod inspector;
mod map;
mod over_time;
mod playback;
mod seen;
mod surface;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use slabscope_charts::theme::Theme;
use slabscope_scenario::act::Act;
use slabscope_scenario::{Key, Scenario, Selection};
use slabscope_worker::protocol::{
    Answer, Arrangement, Colouring, Follow, Goal, Link, Request, Say, Scroll, Setup, Show, Sight, Surface,
};
use yew::prelude::*;

use self::dock::Dock;
use self::inspector::Inspector;
use self::map::Map;
use self::over_time::{OverTime, over_time};
use self::playback::{SPEEDS, use_playback};
use self::seen::Seen;
use super::geometry::trouble;
use super::layout::Layout;
use crate::canvas::Size;
use crate::commands::Acts;
use crate::state::{Command, State};
use crate::worker::{Client, use_answers};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct PoolProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) worker: Client<Answer>,
    /// Where commands come in.
    pub(crate) acts: Acts,
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
        Callback::from(move |selection: Option<Selection>| {
            let text = selection.map_or_else(|| "auto".to_owned(), |selection| selection.to_string());
            dispatch.dispatch(Command::Enter(Key::Selected, text));
        })
    };
    let crashes = use_answers(&props.worker, {
        let (seen, seek, select) = (seen.dispatcher(), seek.clone(), select.clone());
        Callback::from(move |answer: Rc<Answer>| match &*answer {
            Answer::Jumped(step) => step.iter().for_each(|step| seek.emit(*step)),
            Answer::Chosen(span) => select.emit(span.map(Selection::Span)),
            Answer::Csv(text) => crate::clipboard::copy(text.clone(), Callback::noop()),
            _ => seen.dispatch(answer),
        })
    });
    let asked = u32::try_from(scenario.number(Key::At)).unwrap_or(u32::MAX);
    let total = seen.cast.as_ref().map_or(u32::MAX, |cast| cast.steps);
    let playback = use_playback(seen.recorded, total, asked, seek.clone());
    let sight = use_state_eq(Sight::default);
    let sizes = use_state_eq(|| [Size { width: 0.0, height: 0.0, scale: 1.0 }; 3]);
    let panel = use_state_eq(|| 0u8);
    let table = use_state_eq(|| false);
    let page = use_state_eq(|| (0u32, 0u32));
    use_run(&props.worker, scenario, crashes);
    let size = |on: Surface| (sizes[on as usize].width as f32, sizes[on as usize].height as f32);
    let show = Show {
        step: asked,
        follow: follow(scenario.selection()),
        sight: *sight,
        size: size(Surface::Map),
        strip: size(Surface::Strip),
        plot: size(Surface::Plot),
        panel: *panel,
        range: playback.range,
        scale: sizes[0].scale as f32,
        dark: props.theme == Theme::Dark,
        table: *table,
        events_page: if page.0 == asked { page.1 } else { 0 },
        brief: playback.playing,
    };
    use_effect_with((props.worker.clone(), show, crashes), |(worker, show, _)| {
        worker.ask(&Request::Show(*show));
    });
    let said = use_said(if playback.playing { "" } else { &seen.moment.say.more });
    let zoom = {
        let sight = sight.clone();
        Callback::from(move |by: f32| {
            let zoom = if by > 0.0 { (sight.zoom * by).clamp(ZOOM.0, ZOOM.1) } else { 1.0 };
            sight.set(Sight { zoom, ..*sight });
        })
    };
    let act = {
        let (worker, seek, select, zoom) = (props.worker.clone(), seek.clone(), select.clone(), zoom.clone());
        let (playback, sight, seen) = (playback.clone(), sight.clone(), seen.clone());
        Callback::from(move |act: Act| {
            let jump = |to, forward| worker.ask(&Request::Jump { from: asked, to, forward });
            let step = seen.moment.step;
            let (from, to) = playback.range.unwrap_or((0, total));
            let turn = |at: usize, by: bool| SPEEDS.get(if by { at + 1 } else { at.wrapping_sub(1) });
            match act {
                Act::Play => playback.toggle.emit(()),
                Act::By(by) => seek.emit(step.saturating_add_signed(by).min(seen.recorded)),
                Act::Start => seek.emit(0),
                Act::End => seek.emit(total),
                Act::Event(forward) => jump(Goal::Interesting, forward),
                Act::Followed(forward) => {
                    seen.moment.followed.iter().for_each(|span| jump(Goal::Span(*span), forward))
                }
                Act::NextMade => jump(Goal::Made, true),
                Act::NextFreed => jump(Goal::Freed, true),
                Act::NextCompaction => jump(Goal::Compaction, true),
                Act::NextHuge => jump(Goal::Huge, true),
                Act::Loop if playback.range.is_some() => playback.set_range.emit(None),
                Act::Loop => {
                    // Around where it is: a tenth of the run.
                    let from = step.saturating_sub(total / 20);
                    playback
                        .set_range
                        .emit(Some((from, from.saturating_add(total / 10).clamp(1, total.max(1)))));
                }
                Act::LoopFrom => playback.set_range.emit(Some((step, to.max(step.saturating_add(1))))),
                Act::LoopTo => playback.set_range.emit(Some((from.min(step.saturating_sub(1)), step.max(1)))),
                Act::Speed(faster) => {
                    let at = SPEEDS.iter().position(|speed| *speed == playback.speed).unwrap_or(0);
                    turn(at, faster).iter().for_each(|speed| playback.set_speed.emit(**speed));
                }
                Act::Neighbour(forward) => worker.ask(&Request::Neighbour { forward }),
                Act::Zoom(by) => zoom.emit([0.8, 0.0, 1.25][(by + 1).clamp(0, 2) as usize]),
                Act::Pan(x, y) => worker.ask(&Request::Scroll(Scroll::By(x as f32 * PAN, y as f32 * PAN))),
                Act::Page(by) => worker.ask(&Request::Scroll(Scroll::Pages(by as f32 * 0.9))),
                Act::Arrange => sight.set(Sight {
                    arrangement: Arrangement::ALL[(sight.arrangement as usize + 1) % 4].0,
                    ..*sight
                }),
                Act::Colour => sight
                    .set(Sight { colouring: Colouring::ALL[(sight.colouring as usize + 1) % 4].0, ..*sight }),
                Act::Unfollow => select.emit(None),
                Act::Allocator(_) | Act::View(_) | Act::CopyLink | Act::Theme | Act::Commands => {}
            }
        })
    };
    props.acts.0.replace(act.clone());
    use_effect_with(props.acts.clone(), |acts| {
        let acts = acts.clone();
        move || drop(acts.0.replace(Callback::noop()))
    });
    if let Some(why) = &seen.refused {
        let dock = html! { <footer class="dock"><span class="dim">{ "Nothing to play" }</span></footer> };
        let picture = trouble("There is no such pool", why);
        return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
    }
    let cast = seen.cast.clone().unwrap_or_default();
    let moment = seen.moment.clone();
    let on_size = {
        let sizes = sizes.clone();
        Callback::from(move |(on, size): (Surface, Size)| {
            let mut all = *sizes;
            all[on as usize] = size;
            sizes.set(all);
        })
    };
    let look = {
        let worker = props.worker.clone();
        Callback::from(move |link| worker.ask(&Request::Look(link)))
    };
    let go = {
        let (seek, select) = (seek.clone(), select.clone());
        Callback::from(move |link| match link {
            Link::Step(step) => seek.emit(step),
            Link::Span(span, _) => select.emit(Some(Selection::Span(span))),
            Link::Class(_) | Link::None => {}
        })
    };
    let picture = html! {
        <>
            <section class="picture pool-head" aria-label="The pool in words">
                if crashes > 0 { <p class="error" role="alert">{ "The run stopped unexpectedly and was started again with the same settings." }</p> }
                { sentence(&moment.say) }
                <p class="visually-hidden" aria-live="polite">{ said }</p>
            </section>
            <Map worker={props.worker.clone()} cast={cast.clone()} moment={moment.clone()} over={seen.over.clone()}
                sight={*sight} on_sight={Callback::from({ let sight = sight.clone(); move |to| sight.set(to) })}
                {zoom} on_size={on_size.clone()} look={look.clone()}
                on_table={Callback::from({ let table = table.clone(); move |to| table.set(to) })}
                theme={props.theme} {crashes} />
        </>
    };
    let turn = {
        let page = page.clone();
        Callback::from(move |to| page.set((asked, to)))
    };
    let over_time = over_time(OverTime {
        worker: &props.worker,
        seen: &seen,
        panel: &panel,
        on_size: on_size.clone(),
        crashes,
    });
    let past = (scenario.selection().is_some()).then(|| seen.past.clone());
    let over = seen.over.as_ref().map(|over| over.span);
    let inspector = html! {
        <Inspector {cast} moment={moment.clone()} theme={props.theme} {select} {turn} {look} {go} {past} {over}>{ over_time }</Inspector>
    };
    let dock =
        html! { <Dock {seen} worker={props.worker.clone()} {playback} {act} {seek} {on_size} {crashes} /> };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

/// Zoom at least and at most; 1 is the natural size.
const ZOOM: (f32, f32) = (0.2, 24.0);
/// How far a key moves the map, in CSS pixels.
const PAN: f32 = 60.0;

/// A text as it is said aloud: not before it has stood for half a second.
#[hook]
fn use_said(text: &str) -> String {
    let said = use_state_eq(String::new);
    use_effect_with(text.to_owned(), {
        let said = said.setter();
        move |text| {
            let text = text.clone();
            let waits = Timeout::new(500, move || said.set(text));
            move || drop(waits)
        }
    });
    (*said).clone()
}

/// Asks for the run of a scenario whenever what it depends on changes.
#[hook]
fn use_run(worker: &Client<Answer>, scenario: &Scenario, crashes: u32) {
    let side = scenario.side(0);
    let setup = Setup::new(&side.any_config(), &side.workload());
    use_effect_with((worker.clone(), setup, crashes), |(worker, setup, _)| {
        worker.ask(&Request::Run(*setup));
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
            <p class="say-more">{ &say.more }</p>
        </>
    }
}
