//! The timeline: controls, the operations before, now and next in words, and the strip.

use std::rc::Rc;

use gloo_events::EventListener;
use slabscope_charts::plot::Style;
use slabscope_charts::strip::{Strip, axes, draw};
use slabscope_charts::theme::{Role, Theme};
use slabscope_core::pool::SpanId;
use slabscope_core::tell::{counted, grouped};
use slabscope_core::timeline::{Direction, Filter, Interest, MarkKind};
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::playback::{Playback, SPEEDS};
use super::run::Run;
use crate::canvas::{Canvas, Draw, context, css, paint_chart};
use crate::icons::{Icon, icon};

#[derive(Properties, PartialEq)]
pub(super) struct DockProps {
    pub(super) run: Rc<Run>,
    pub(super) step: u32,
    pub(super) theme: Theme,
    pub(super) playback: Playback,
    pub(super) seek: Callback<u32>,
    pub(super) selected: Option<SpanId>,
}

/// Where a key or a button leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    To(u32),
    By(i32),
    Interesting(Direction),
    Followed(Direction),
}

/// What is worth stopping at.
const INTERESTING: [Interest; 4] =
    [Interest::SpanCreated, Interest::SpanFreed, Interest::Compacted, Interest::FirstHuge];

/// Time.
#[component]
pub(super) fn Dock(props: &DockProps) -> Html {
    let (end, recorded) = props.run.ends();
    let jump = {
        let (run, seek, step, selected) = (props.run.clone(), props.seek.clone(), props.step, props.selected);
        Callback::from(move |jump: Jump| {
            let to = match jump {
                Jump::To(to) => Some(to.min(recorded)),
                Jump::By(by) => Some(step.saturating_add_signed(by).min(recorded)),
                Jump::Interesting(direction) => {
                    run.with(|timeline| timeline.next_interesting(step, Filter::of(&INTERESTING), direction))
                }
                Jump::Followed(direction) => selected.and_then(|span| {
                    run.with(|timeline| timeline.next_interesting(step, Filter::span(span), direction))
                }),
            };
            if let Some(to) = to {
                seek.emit(to);
            }
        })
    };
    use_keys(jump.clone(), props.playback.toggle.clone(), (props.step, props.playback.playing, recorded));
    let button = |name: &'static str, key: &'static str, picture: Icon, to: Jump| {
        let onclick = jump.reform(move |_: MouseEvent| to);
        html! { <button type="button" class="button" aria-label={name} title={format!("{name} ({key})")} {onclick}>{ icon(picture) }</button> }
    };
    let playing = props.playback.playing;
    let toggle = props.playback.toggle.reform(|_: MouseEvent| ());
    let now = props.run.headline(props.step).unwrap_or_else(|| "Start: the pool is empty".to_owned());
    let before = props.step.checked_sub(1).and_then(|step| props.run.headline(step)).unwrap_or_default();
    let next = props.run.headline(props.step + 1).unwrap_or_default();
    let on_speed = props.playback.set_speed.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or(300)
    });
    let strip = use_memo((props.run.clone(), recorded), |(run, _)| strip(run));
    let base = use_memo((props.run.clone(), recorded, props.theme), {
        let (strip, theme) = (strip.clone(), props.theme);
        move |_| {
            Draw::new(move |canvas, size| {
                let style = Style { width: size.width, height: size.height, scale: size.scale, theme };
                paint_chart(canvas, size, theme, |area| draw(area, &strip, &style));
            })
        }
    });
    let over = Draw::new({
        let (strip, theme, step) = (strip.clone(), props.theme, props.step);
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
                <strong class="words" data-now="">{ now }</strong>
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
                <input type="range" class="scrub" min="0" max={end.to_string()} value={props.step.to_string()} step="1"
                    aria-label="Operation" aria-valuetext={format!("operation {} of {}: {}", grouped(props.step.into()), grouped(end.into()), props.run.headline(props.step).unwrap_or_default())}
                    oninput={on_scrub} />
            </div>
        </footer>
    }
}

fn strip(run: &Run) -> Strip {
    let page = f64::from(run.page_bytes());
    run.with(|timeline| {
        let samples = timeline.series();
        let point = |value: fn(&slabscope_core::timeline::Sample) -> f64| {
            let later = samples.iter().map(move |sample| (f64::from(sample.step), value(sample)));
            std::iter::once((0.0, 0.0)).chain(later).collect::<Vec<_>>()
        };
        let data =
            point(|sample| sample.totals.bytes as f64).into_iter().map(|(step, bytes)| (step, bytes / page));
        let marks = timeline.marks().iter().filter_map(|mark| match mark.kind {
            MarkKind::Compacted { pages_freed, .. } => Some((
                f64::from(mark.step),
                format!("compaction: {} returned", counted(pages_freed, "page", "pages")),
            )),
            _ => None,
        });
        let mut marks: Vec<(f64, String)> = marks.collect();
        if marks.len() > 3 {
            // Words of many would cover each other.
            marks.iter_mut().for_each(|mark| mark.1.clear());
        }
        Strip {
            steps: f64::from(timeline.len()),
            pages: point(|sample| sample.totals.pages as f64),
            data: data.collect(),
            marks,
        }
    })
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
                    "[" => Jump::Interesting(Direction::Backward),
                    "]" => Jump::Interesting(Direction::Forward),
                    "," => Jump::Followed(Direction::Backward),
                    "." => Jump::Followed(Direction::Forward),
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
