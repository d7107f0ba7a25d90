//! The timeline: controls, the operations before, now and next in words, and the strip.

use std::rc::Rc;

use gloo_events::EventListener;
use slabscope_charts::plot::Style;
use slabscope_charts::strip::{Strip, axes, draw};
use slabscope_charts::theme::{Role, Theme};
use slabscope_core::tell::{counted, grouped};
use slabscope_worker::protocol::{Goal, Series};
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::playback::{Playback, SPEEDS};
use super::seen::Seen;
use crate::canvas::{Canvas, Draw, context, css, paint_chart};
use crate::icons::{Icon, icon};

#[derive(Properties, PartialEq)]
pub(super) struct DockProps {
    pub(super) seen: UseReducerHandle<Seen>,
    pub(super) theme: Theme,
    pub(super) playback: Playback,
    pub(super) seek: Callback<u32>,
    /// Looks for the next event: an interesting one, or one of what is followed; later if true.
    pub(super) jump: Callback<(Option<Goal>, bool)>,
}

/// Where a key or a button leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    To(u32),
    By(i32),
    Interesting(bool),
    Followed(bool),
}

/// Time.
#[component]
pub(super) fn Dock(props: &DockProps) -> Html {
    let Seen { cast, recorded, series, moment, .. } = &*props.seen;
    let (recorded, step) = (*recorded, moment.step);
    let end = cast.as_ref().map_or(0, |cast| cast.steps);
    let jump = {
        let (seek, look) = (props.seek.clone(), props.jump.clone());
        Callback::from(move |jump: Jump| match jump {
            Jump::To(to) => seek.emit(to.min(recorded)),
            Jump::By(by) => seek.emit(step.saturating_add_signed(by).min(recorded)),
            Jump::Interesting(forward) => look.emit((Some(Goal::Interesting), forward)),
            Jump::Followed(forward) => look.emit((None, forward)),
        })
    };
    use_keys(jump.clone(), props.playback.toggle.clone(), (step, props.playback.playing, recorded));
    let button = |name: &'static str, key: &'static str, picture: Icon, to: Jump| {
        let onclick = jump.reform(move |_: MouseEvent| to);
        html! { <button type="button" class="button" aria-label={name} title={format!("{name} ({key})")} {onclick}>{ icon(picture) }</button> }
    };
    let playing = props.playback.playing;
    let toggle = props.playback.toggle.reform(|_: MouseEvent| ());
    let [before, now, next] = moment.headlines.clone();
    let on_speed = props.playback.set_speed.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or(300)
    });
    let strip = use_memo((Same(series.clone()), end), |(series, end)| strip(&series.0, *end));
    let base = use_memo((Same(series.clone()), end, props.theme), {
        let (strip, theme) = (strip.clone(), props.theme);
        move |_| {
            Draw::new(move |canvas, size| {
                let style = Style { width: size.width, height: size.height, scale: size.scale, theme };
                paint_chart(canvas, size, theme, |area| draw(area, &strip, &style));
            })
        }
    });
    let over = Draw::new({
        let (strip, theme, step) = (strip.clone(), props.theme, step);
        move |canvas, size| {
            let Some(context) = context(canvas) else { return };
            let style = Style { width: size.width, height: size.height, scale: size.scale, theme };
            let axes = axes(&strip, &style);
            let x = axes.x_of(step.into()) * size.scale;
            context.set_fill_style_str(&css(theme.colour(Role::Accent)));
            context.fill_rect(x - size.scale, 0.0, 2.0 * size.scale, axes.bottom * size.scale);
        }
    });
    let on_scrub = {
        let (seek, playback) = (props.seek.clone(), props.playback.clone());
        move |event: InputEvent| {
            let to = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            if playback.playing {
                playback.toggle.emit(());
            }
            seek.emit(to.max(0.0) as u32);
        }
    };
    html! {
        <footer class="dock time" aria-label="Timeline">
            <div class="time-row">
                <div class="chips">
                    { button("To the start", "Home", Icon::First, Jump::To(0)) }
                    { button("Step back", "\u{2190}", Icon::Back, Jump::By(-1)) }
                    <button type="button" class="button strong" onclick={toggle} title="Play or pause (Space)"
                        aria-label={if playing { "Pause" } else { "Play" }}>{ icon(if playing { Icon::Pause } else { Icon::Play }) }</button>
                    { button("Step forward", "\u{2192}", Icon::Forward, Jump::By(1)) }
                    { button("To the end", "End", Icon::Last, Jump::To(u32::MAX)) }
                </div>
                <span class="dim words">{ before }</span>
                <strong class="words" data-now="">{ &now }</strong>
                <span class="dim words">{ next }</span>
                <label class="push">{ "Speed " }
                    <select class="input" onchange={on_speed}>
                        for speed in SPEEDS {
                            <option key={speed} value={speed.to_string()} selected={speed == props.playback.speed}>{ format!("{}/s", grouped(speed.into())) }</option>
                        }
                    </select>
                </label>
            </div>
            if recorded < end {
                <progress max={end.to_string()} value={recorded.to_string()} aria-label="Recording" />
            }
            <div class="strip-frame">
                <Canvas class="strip" label="Pages over time, of which data; marks are compactions" draw={(*base).clone()} {over} />
                <input type="range" class="scrub" min="0" max={end.to_string()} value={step.to_string()} step="1"
                    aria-label="Operation" aria-valuetext={format!("operation {} of {}: {now}", grouped(step.into()), grouped(end.into()))}
                    oninput={on_scrub} />
            </div>
        </footer>
    }
}

/// Sums that are only equal to themselves: comparing thousands of numbers costs more than drawing them.
struct Same(Rc<Series>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

fn strip(series: &Series, end: u32) -> Strip {
    let points = |line: usize| {
        let values = series.lines.get(line).map_or(&[][..], |line| &line.values);
        series.steps.iter().zip(values).map(|(step, value)| (f64::from(*step), f64::from(*value))).collect()
    };
    let words = series.compactions.len() <= 3;
    let marks = series.compactions.iter().map(|&(step, pages)| {
        // Words of many would cover each other.
        let said = words.then(|| format!("compaction: {} returned", counted(pages, "page", "pages")));
        (f64::from(step), said.unwrap_or_default())
    });
    Strip { steps: f64::from(end), pages: points(0), data: points(1), marks: marks.collect() }
}

/// Keys of the whole view. A control that has the focus keeps the keys it uses itself.
#[hook]
fn use_keys(jump: Callback<Jump>, toggle: Callback<()>, now: (u32, bool, u32)) {
    use_effect_with((jump, toggle, now), |(jump, toggle, _)| {
        let (jump, toggle) = (jump.clone(), toggle.clone());
        let listener = web_sys::window().map(|window| {
            let options = gloo_events::EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if event.ctrl_key() || event.meta_key() || event.alt_key() || is_typing(event) {
                    return;
                }
                let far = if event.shift_key() { 10 } else { 1 };
                let to = match event.key().as_str() {
                    " " if !on_button(event) => {
                        event.prevent_default();
                        return toggle.emit(());
                    }
                    "ArrowLeft" => Jump::By(-far),
                    "ArrowRight" => Jump::By(far),
                    "Home" => Jump::To(0),
                    "End" => Jump::To(u32::MAX),
                    "[" => Jump::Interesting(false),
                    "]" => Jump::Interesting(true),
                    "," => Jump::Followed(false),
                    "." => Jump::Followed(true),
                    _ => return,
                };
                event.prevent_default();
                jump.emit(to);
            })
        });
        move || drop(listener)
    });
}

fn target(event: &KeyboardEvent) -> Option<HtmlElement> {
    event.target()?.dyn_into().ok()
}

fn is_typing(event: &KeyboardEvent) -> bool {
    target(event).is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "SELECT" | "TEXTAREA")
            || element.get_attribute("role").as_deref() == Some("tab")
    })
}

fn on_button(event: &KeyboardEvent) -> bool {
    target(event).is_some_and(|element| matches!(element.tag_name().as_str(), "BUTTON" | "SUMMARY" | "A"))
}
