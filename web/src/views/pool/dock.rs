//! The timeline: controls, the operations before, now and next in words, the strip and the range that is looped.

use slabscope_core::tell::grouped;
use slabscope_scenario::act::{Act, label, tip, tip_of_pool};
use slabscope_worker::protocol::{Cast, Surface};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::playback::SPEEDS;
use super::{Ctx, Do};
use crate::icons::{Icon, icon};

/// What can be jumped to.
const JUMPS: [(&str, Act); 4] = [
    ("made", Act::NextMade),
    ("given back", Act::NextFreed),
    ("compaction", Act::NextCompaction),
    ("first huge", Act::NextHuge),
];

/// Time.
pub(super) fn dock(ctx: &Ctx<'_>) -> Html {
    let (recorded, step) = (ctx.seen.recorded, ctx.moment.step);
    let end = ctx.cast.steps;
    let press = |act: Act| ctx.on::<MouseEvent>(Do::Act(act));
    let button = |picture: Icon, act: Act| {
        html! { <button type="button" class="button" aria-label={label(act)} title={tip(act)} onclick={press(act)}>{ icon(picture) }</button> }
    };
    let (playing, speed, range) = (ctx.playback.playing, ctx.playback.speed, ctx.look.range);
    let [before, now, next] = &ctx.moment.headlines;
    let on_speed = ctx.playback.set_speed.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().value().parse().unwrap_or(300)
    });
    let on_scrub = ctx.act.reform(|event: InputEvent| Do::Seek(number(&event)));
    let (from, to) = range.unwrap_or((0, end));
    let handle = |name: &'static str, value: u32, oninput: Callback<InputEvent>| {
        html! { <input type="range" class="loop-end" min="0" max={end.to_string()} value={value.to_string()} aria-label={name} {oninput} /> }
    };
    let first =
        ctx.act.reform(move |event: InputEvent| Do::Range(number(&event).min(to.saturating_sub(1)), to));
    let last = ctx.act.reform(move |event: InputEvent| Do::Range(from, number(&event).max(from + 1)));
    // On the track, shift and an arrow move the end by a hundredth of the run.
    let on_track = {
        let act = ctx.act.clone();
        move |event: KeyboardEvent| {
            let far = (end / 100).max(1);
            let to = match event.key().as_str() {
                "ArrowRight" => to.saturating_add(far).min(end),
                "ArrowLeft" => to.saturating_sub(far).max(from + 1),
                _ => return,
            };
            if event.shift_key() {
                event.prevent_default();
                event.stop_propagation();
                act.emit(Do::Range(from, to));
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
                    <button type="button" class="button" aria-label={label(Act::Loop)} title={tip(Act::Loop)} aria-pressed={range.is_some().to_string()} onclick={press(Act::Loop)}>{ icon(Icon::Loop) }</button>
                </div>
                <span class="dim words">{ before }</span>
                <strong class="words" data-now="">{ now }</strong>
                <span class="dim words">{ next }</span>
                <span class="chips push" role="group" aria-label="Next event">{ "Next " }
                    for (name, act) in JUMPS.into_iter().filter(|(_, act)| happens(*act, ctx.cast)) { <button type="button" class="button" key={name} title={tip_of_pool(act, &ctx.cast.span)} onclick={press(act)}>{ name }</button> }
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
                { ctx.surface(Surface::Strip, "Pages over time, of which data; broken lines are compactions; below, how much happened".to_owned()) }
                <input type="range" class="scrub" min="0" max={end.to_string()} value={ctx.asked.min(end).to_string()} step="1"
                    aria-label="Operation" aria-valuetext={format!("operation {} of {}: {now}", grouped(step.into()), grouped(end.into()))}
                    oninput={on_scrub} />
            </div>
            if range.is_some() {
                <div class="loop" role="group" aria-label="Loop" onkeydown={on_track}>{ handle("Loop from", from, first) }{ handle("Loop to", to, last) }</div>
            }
        </footer>
    }
}

/// Whether what a jump looks for can happen in a pool at all.
fn happens(act: Act, cast: &Cast) -> bool {
    match act {
        Act::NextHuge => cast.has_huge,
        Act::NextCompaction => cast.compacts,
        _ => true,
    }
}

fn number(event: &InputEvent) -> u32 {
    event.target_unchecked_into::<HtmlInputElement>().value_as_number().max(0.0) as u32
}
