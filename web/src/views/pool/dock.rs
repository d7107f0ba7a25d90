//! The timeline: controls, the operations before, now and next in words, the strip and the range that is looped.

use slabscope_core::tell::grouped;
use slabscope_scenario::act::{Act, tip};
use slabscope_worker::protocol::{Answer, Surface};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::playback::{Playback, SPEEDS};
use super::seen::Seen;
use super::surface::SurfaceCanvas;
use crate::canvas::Size;
use crate::icons::{Icon, icon};
use crate::worker::Client;

#[derive(Properties, PartialEq)]
pub(super) struct DockProps {
    pub(super) seen: UseReducerHandle<Seen>,
    pub(super) worker: Client<Answer>,
    pub(super) playback: Playback,
    pub(super) act: Callback<Act>,
    pub(super) seek: Callback<u32>,
    pub(super) on_size: Callback<(Surface, Size)>,
    /// How often the worker lost the canvas.
    pub(super) crashes: u32,
}

/// What can be jumped to, in the order of the list; the first is any of the others.
pub(super) const JUMPS: [(&str, Act); 4] = [
    ("made", Act::NextMade),
    ("given back", Act::NextFreed),
    ("compaction", Act::NextCompaction),
    ("first huge", Act::NextHuge),
];

/// Time.
#[component]
pub(super) fn Dock(props: &DockProps) -> Html {
    let Seen { cast, recorded, moment, .. } = &*props.seen;
    let (recorded, step) = (*recorded, moment.step);
    let end = cast.as_ref().map_or(0, |cast| cast.steps);
    let press = |act: Act| props.act.reform(move |_: MouseEvent| act);
    let button = |picture: Icon, act: Act| {
        html! { <button type="button" class="button" aria-label={tip(act)} title={tip(act)} onclick={press(act)}>{ icon(picture) }</button> }
    };
    let Playback { playing, speed, range, set_range, .. } = props.playback.clone();
    let [before, now, next] = moment.headlines.clone();
    let on_speed = props.playback.set_speed.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or(300)
    });
    let on_scrub = {
        let (seek, playback) = (props.seek.clone(), props.playback.clone());
        move |event: InputEvent| {
            let to = number(&event);
            if playback.playing {
                playback.toggle.emit(());
            }
            seek.emit(to);
        }
    };
    let handle = |is_first: bool| {
        let (from, to) = range.unwrap_or((0, end));
        let set = set_range.clone();
        let oninput = move |event: InputEvent| {
            let at = number(&event);
            let (from, to) =
                if is_first { (at.min(to.saturating_sub(1)), to) } else { (from, at.max(from + 1)) };
            set.emit(Some((from, to)));
        };
        let (name, value) = if is_first { ("Loop from", from) } else { ("Loop to", to) };
        html! { <input type="range" class="loop-end" min="0" max={end.to_string()} value={value.to_string()} aria-label={name}
        aria-valuetext={format!("operation {}", grouped(value.into()))} {oninput} /> }
    };
    // On the track, shift and an arrow move the end by a hundredth of the run.
    let on_track = {
        let set = set_range.clone();
        move |event: KeyboardEvent| {
            let far = (end / 100).max(1);
            let (from, to) = range.unwrap_or((0, end));
            let to = match event.key().as_str() {
                "ArrowRight" => to.saturating_add(far).min(end),
                "ArrowLeft" => to.saturating_sub(far).max(from + 1),
                _ => return,
            };
            if event.shift_key() {
                event.prevent_default();
                event.stop_propagation();
                set.emit(Some((from, to)));
            }
        }
    };
    html! {
        <footer class="dock time" aria-label="Timeline">
            <div class="time-row">
                <div class="chips">
                    { button(Icon::First, Act::Start) }
                    { button(Icon::Back, Act::By(-1)) }
                    <button type="button" class="button strong" onclick={press(Act::Play)} title={tip(Act::Play)}
                        aria-label={if playing { "Pause" } else { "Play" }}>{ icon(if playing { Icon::Pause } else { Icon::Play }) }</button>
                    { button(Icon::Forward, Act::By(1)) }
                    { button(Icon::Last, Act::End) }
                    <button type="button" class="button" aria-label={tip(Act::Loop)} title={tip(Act::Loop)} aria-pressed={range.is_some().to_string()} onclick={press(Act::Loop)}>{ icon(Icon::Loop) }</button>
                </div>
                <span class="dim words">{ before }</span>
                <strong class="words" data-now="">{ &now }</strong>
                <span class="dim words">{ next }</span>
                <span class="chips push" role="group" aria-label="Next event">{ "Next " }
                    for (name, act) in JUMPS { <button type="button" class="button" key={name} title={tip(act)} onclick={press(act)}>{ name }</button> }
                </span>
                <label>{ "Speed " }
                    <select class="input" onchange={on_speed}>
                        for choice in SPEEDS {
                            <option key={choice} value={choice.to_string()} selected={choice == speed}>{ format!("{}/s", grouped(choice.into())) }</option>
                        }
                    </select>
                </label>
            </div>
            if recorded < end {
                <progress max={end.to_string()} value={recorded.to_string()} aria-label="Recording" />
            }
            <div class="strip-frame">
                <SurfaceCanvas key={props.crashes} worker={props.worker.clone()} on={Surface::Strip} on_size={props.on_size.clone()}
                    label="Pages over time, of which data; broken lines are compactions; below, how much happened" />
                <input type="range" class="scrub" min="0" max={end.to_string()} value={step.to_string()} step="1"
                    aria-label="Operation" aria-valuetext={format!("operation {} of {}: {now}", grouped(step.into()), grouped(end.into()))}
                    oninput={on_scrub} />
            </div>
            if range.is_some() {
                <div class="loop" role="group" aria-label="Loop" onkeydown={on_track}>{ handle(true) }{ handle(false) }</div>
            }
        </footer>
    }
}

fn number(event: &InputEvent) -> u32 {
    event.target_unchecked_into::<HtmlInputElement>().value_as_number().max(0.0) as u32
}
