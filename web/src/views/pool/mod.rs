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
use slabscope_scenario::{Key, Selection};
use slabscope_worker::protocol::{
    Answer, Arrangement, Cast, Colouring, Follow, Goal, Link, Moment, Request, Say, Scroll, Setup, Show,
    Sight, Surface,
};
use yew::prelude::*;

use self::playback::{Playback, use_playback};
use self::seen::Seen;
use self::surface::SurfaceCanvas;
use super::geometry::trouble;
use super::layout::Layout;
use crate::canvas::Size;
use crate::commands::Acts;
use crate::state::{Command, State};
use crate::worker::{Client, Crashes, use_answers, use_asking};

#[derive(Clone, Properties, PartialEq)]
pub(crate) struct PoolProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) worker: Client<Answer>,
    /// Where commands come in.
    pub(crate) acts: Acts,
}

/// What the view looks at, beyond what a link names.
#[derive(Clone, Copy, Default, PartialEq)]
struct Look {
    sight: Sight,
    /// Sizes of the pictures.
    sizes: [Size; 3],
    /// Which plot over time.
    panel: u8,
    /// Whether the map's table is open.
    table: bool,
    /// A page of the events of an operation.
    page: (u32, u32),
    /// The range that is played over and over.
    range: Option<(u32, u32)>,
}

/// What the parts of the view ask for.
#[derive(Clone)]
enum Do {
    Act(Act),
    Seek(u32),
    Select(Option<Selection>),
    /// The pointer is on a text about this.
    Point(Link),
    /// A text about this was pressed.
    Follow(Link),
    Size(Surface, Size),
    Zoom(f32),
    Sight(Sight),
    Panel(u8),
    Table(bool),
    Page(u32),
    Range(u32, u32),
    Ask(Request),
}

/// What the parts of the view are made from.
struct Ctx<'a> {
    worker: &'a Client<Answer>,
    seen: &'a Seen,
    cast: &'a Cast,
    moment: &'a Moment,
    /// The step that is asked for.
    asked: u32,
    look: Look,
    playback: &'a Playback,
    selection: Option<Selection>,
    theme: Theme,
    /// A worker that is started again needs canvases of its own.
    crashes: Crashes,
    act: &'a Callback<Do>,
}

impl Ctx<'_> {
    /// A handler that always asks for the same.
    fn on<E: 'static>(&self, what: Do) -> Callback<E> {
        self.act.reform(move |_| what.clone())
    }

    /// A picture that the worker draws.
    fn surface(&self, on: Surface, label: String) -> Html {
        html! { <SurfaceCanvas key={self.crashes.restarts()} worker={self.worker.clone()} {on} {label} act={self.act.clone()} /> }
    }
}

/// What was asked for last. A step is asked for at once, and the page changes once, when it is answered.
#[derive(Default)]
struct Last {
    /// And of which of the workers that were started.
    asked: Option<(Show, u32)>,
    /// The step in it that the link does not name yet.
    step: Option<u32>,
}

/// Map, metrics and time.
#[component]
pub(crate) fn PoolView(props: &PoolProps) -> Html {
    let scenario = &props.state.scenario;
    let seen = use_reducer(Seen::default);
    let look = use_state_eq(Look::default);
    let dispatch = props.state.dispatcher();
    let last = use_mut_ref(Last::default);
    let seek = Callback::from({
        let (last, worker) = (last.clone(), props.worker.clone());
        move |step: u32| {
            let mut last = last.borrow_mut();
            last.step = Some(step);
            if let Some((show, _)) = &mut last.asked {
                (show.step, show.events_page) = (step, 0);
                worker.ask(&Request::Show(*show));
            }
        }
    });
    let told = {
        let (last, dispatch) = (last.clone(), dispatch.clone());
        move || {
            if let Some(step) = last.borrow_mut().step.take() {
                dispatch.dispatch(Command::Slide { key: Key::At, number: step.into(), first: false });
            }
        }
    };
    let select = Callback::from(move |selection: Option<Selection>| {
        let text = selection.map_or_else(|| "auto".to_owned(), |selection| selection.to_string());
        dispatch.dispatch(Command::Enter(Key::Selected, text));
    });
    let crashes = use_answers(&props.worker, {
        let (seen, seek, select) = (seen.dispatcher(), seek.clone(), select.clone());
        Callback::from(move |answer: Rc<Answer>| match &*answer {
            Answer::Jumped(step) => step.iter().for_each(|step| seek.emit(*step)),
            Answer::Chosen(what) => select.emit(match *what {
                Follow::Operation => None,
                Follow::Span(id) => Some(Selection::Span(id)),
                Follow::Object(id) => Some(Selection::Object(id)),
            }),
            Answer::Csv(text) => crate::clipboard::save("slabscope-over-time.csv", text),
            _ => {
                if matches!(&*answer, Answer::Shown(_)) {
                    told();
                }
                seen.dispatch(answer);
            }
        })
    });
    let asked =
        last.borrow().step.unwrap_or_else(|| u32::try_from(scenario.number(Key::At)).unwrap_or(u32::MAX));
    let total = seen.cast.as_ref().map_or(u32::MAX, |cast| cast.steps);
    let playback = use_playback((seen.recorded, total, asked), look.range, seek.clone());
    use_run(&props.worker, &props.state, crashes);
    let size = |on: Surface| (look.sizes[on as usize].width as f32, look.sizes[on as usize].height as f32);
    let show = Show {
        step: asked,
        follow: follow(scenario.selection()),
        sight: look.sight,
        size: size(Surface::Map),
        strip: size(Surface::Strip),
        plot: size(Surface::Plot),
        panel: look.panel,
        range: look.range,
        scale: look.sizes[0].scale as f32,
        dark: props.theme == Theme::Dark,
        table: look.table,
        events_page: if look.page.0 == asked { look.page.1 } else { 0 },
        brief: playback.playing,
    };
    use_effect_with((props.worker.clone(), show, crashes.restarts()), {
        let last = last.clone();
        move |(worker, show, crashes)| {
            let asked = Some((*show, *crashes));
            if std::mem::replace(&mut last.borrow_mut().asked, asked) != asked {
                worker.ask(&Request::Show(*show));
            }
        }
    });
    let said = use_said(if playback.playing { "" } else { &seen.moment.say.more });
    let act = Callback::from({
        let (worker, look, playback, seen) =
            (props.worker.clone(), look.clone(), playback.clone(), seen.clone());
        move |what: Do| {
            let mut next = *look;
            let asked = last.borrow().step.unwrap_or(asked);
            match what {
                Do::Act(act) => match act {
                    Act::Play => playback.toggle.emit(()),
                    Act::Speed(faster) => playback.turn(faster),
                    Act::Unfollow => select.emit(None),
                    _ => match request(act, asked, seen.moment.followed) {
                        Some(request) => worker.ask(&request),
                        None => match place(act, asked.min(seen.recorded), total) {
                            Some(step) => seek.emit(step.min(total)),
                            None => next.apply(act, asked.min(total), total),
                        },
                    },
                },
                Do::Seek(step) | Do::Follow(Link::Step(step)) => {
                    if playback.playing {
                        playback.toggle.emit(());
                    }
                    seek.emit(step);
                }
                Do::Follow(Link::Span(span, _)) => select.emit(Some(Selection::Span(span))),
                Do::Follow(_) => {}
                Do::Select(selection) => select.emit(selection),
                Do::Point(link) => worker.ask(&Request::Look(link)),
                Do::Ask(request) => worker.ask(&request),
                Do::Size(on, size) => next.sizes[on as usize] = size,
                Do::Zoom(by) => next.zoom(by),
                Do::Sight(sight) => next.sight = sight,
                Do::Panel(panel) => next.panel = panel,
                Do::Table(open) => next.table = open,
                Do::Page(page) => next.page = (asked, page),
                Do::Range(from, to) => next.range = Some((from, to)),
            }
            look.set(next);
        }
    });
    props.acts.0.replace(act.reform(Do::Act));
    use_effect_with(props.acts.clone(), |acts| {
        let acts = acts.clone();
        move || drop(acts.0.replace(Callback::noop()))
    });
    if let Some(why) = &seen.refused {
        let dock = html! { <footer class="dock"><span class="dim">{ "Nothing to play" }</span></footer> };
        let picture = trouble("There is no such pool", why);
        return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
    }
    let ctx = Ctx {
        worker: &props.worker,
        seen: &seen,
        cast: &seen.cast.clone().unwrap_or_default(),
        moment: &seen.moment,
        asked,
        look: *look,
        playback: &playback,
        selection: scenario.selection(),
        theme: props.theme,
        crashes,
        act: &act,
    };
    let sums = &seen.moment.sums;
    let steps = seen.cast.as_ref().map_or(0, |cast| cast.steps);
    let sums = [sums.pages_used, sums.obj_allocated, sums.obj_used, seen.moment.step.into(), steps.into()];
    let picture = html! {
        <>
            <section class="picture pool-head" aria-label="The pool in words" data-sums={sums.map(|sum| sum.to_string()).join(" ")}>
                if let Some(why) = crashes.given_up() { <p class="error" role="alert">{ why }</p> } else if crashes.restarts() > 0 { <p class="error" role="alert">{ "The run stopped unexpectedly and was started again with the same settings." }</p> }
                { sentence(&seen.moment.say) }
                <p class="visually-hidden" aria-live="polite">{ said }</p>
            </section>
            { map::map(&ctx) }
        </>
    };
    let inspector = inspector::inspector(&ctx);
    let dock = dock::dock(&ctx);
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

/// Zoom at least and at most; 1 is the natural size.
const ZOOM: (f32, f32) = (0.2, 24.0);
/// How far a key moves the map, in CSS pixels.
const PAN: i32 = 60;

impl Look {
    /// By a factor, or back to the natural size.
    fn zoom(&mut self, by: f32) {
        self.sight.zoom = if by > 0.0 { (self.sight.zoom * by).clamp(ZOOM.0, ZOOM.1) } else { 1.0 };
    }

    /// A command that only changes what is looked at.
    fn apply(&mut self, act: Act, step: u32, total: u32) {
        let (from, to) = self.range.unwrap_or((0, total));
        match act {
            Act::Loop if self.range.is_some() => self.range = None,
            // Around where it is: a tenth of the run.
            Act::Loop => {
                let from = step.saturating_sub(total / 20);
                self.range = Some((from, from.saturating_add((total / 10).max(1)).min(total)));
            }
            Act::LoopFrom => self.range = Some((step, to.max(step.saturating_add(1)))),
            Act::LoopTo => self.range = Some((from.min(step.saturating_sub(1)), step.max(1))),
            Act::Zoom(by) => self.zoom([0.8, 0.0, 1.25][by.saturating_add(1).clamp(0, 2) as usize]),
            Act::Arrange => {
                self.sight.arrangement = Arrangement::ALL[(self.sight.arrangement as usize + 1) % 4].0
            }
            Act::Colour => self.sight.colouring = Colouring::ALL[(self.sight.colouring as usize + 1) % 4].0,
            _ => {}
        }
    }
}

/// The step of a command that leads to one.
const fn place(act: Act, step: u32, total: u32) -> Option<u32> {
    match act {
        Act::By(by) => Some(step.saturating_add_signed(by)),
        Act::Start => Some(0),
        Act::End => Some(total),
        _ => None,
    }
}

/// What the worker is asked for by a command.
fn request(act: Act, from: u32, followed: Option<u32>) -> Option<Request> {
    let jump = |to, forward| Some(Request::Jump { from, to, forward });
    match act {
        Act::Event(forward) => jump(Goal::Interesting, forward),
        Act::Followed(forward) => jump(Goal::Span(followed?), forward),
        Act::NextMade => jump(Goal::Made, true),
        Act::NextFreed => jump(Goal::Freed, true),
        Act::NextCompaction => jump(Goal::Compaction, true),
        Act::NextHuge => jump(Goal::Huge, true),
        Act::Neighbour(forward) => Some(Request::Neighbour { forward }),
        Act::Pan(x, y) => Some(Request::Scroll(Scroll::By((x * PAN) as f32, (y * PAN) as f32))),
        Act::Page(by) => Some(Request::Scroll(Scroll::Pages(by as f32 * 0.9))),
        _ => None,
    }
}

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
fn use_run(worker: &Client<Answer>, state: &State, crashes: Crashes) {
    let side = state.scenario.side(0);
    let setup = Setup::new(&side.any_config(), &side.workload(), state.played());
    use_asking(worker, setup, crashes, |worker, setup| worker.ask(&Request::Run(setup.clone())));
}

const fn follow(selection: Option<Selection>) -> Follow {
    match selection {
        Some(Selection::Span(id)) => Follow::Span(id),
        Some(Selection::Object(id)) => Follow::Object(id),
        None => Follow::Operation,
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
