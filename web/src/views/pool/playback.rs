//! Playing: steps per second, in step with the screen.

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::visible::use_visible;

/// Whether it plays, and how fast.
#[derive(Clone, PartialEq)]
pub(crate) struct Playback {
    /// True while it plays.
    pub(crate) playing: bool,
    /// Operations per second.
    pub(crate) speed: u32,
    /// Starts or stops it.
    pub(crate) toggle: Callback<()>,
    /// Changes the speed.
    pub(crate) set_speed: Callback<u32>,
}

/// Speeds offered, in operations per second.
pub(crate) const SPEEDS: [u32; 7] = [2, 10, 60, 300, 1_500, 10_000, 100_000];

impl Playback {
    /// To the next speed, or the one before.
    pub(crate) fn turn(&self, faster: bool) {
        let at = SPEEDS.iter().position(|speed| *speed == self.speed).unwrap_or(0);
        let next = SPEEDS.get(if faster { at + 1 } else { at.wrapping_sub(1) });
        next.iter().for_each(|speed| self.set_speed.emit(**speed));
    }
}

/// What a frame needs; kept outside the state because it changes with every frame.
#[derive(Default)]
struct Clock {
    frame: Option<AnimationFrame>,
    timer: Option<Timeout>,
    last: Option<f64>,
    owed: f64,
}

/// Moves the cursor while it plays and somebody can see it. Of `total` operations those up to `end` can be visited; a range is
/// played over and over.
#[hook]
pub(crate) fn use_playback(now: (u32, u32, u32), range: Option<(u32, u32)>, seek: Callback<u32>) -> Playback {
    let (end, total, step) = now;
    let playing = use_state_eq(|| false);
    let speed = use_state_eq(|| 300u32);
    let clock = use_mut_ref(Clock::default);
    let visible = use_visible();
    let step = step.min(end);
    {
        let (clock, playing, seek) = (clock.clone(), playing.clone(), seek.clone());
        let state = (*playing && visible, *speed, step, end, total, range);
        use_effect_with(state, move |&(is_running, speed, step, end, total, range)| {
            let mut now = clock.borrow_mut();
            now.frame = None;
            now.timer = None;
            if !is_running {
                now.last = None;
                now.owed = 0.0;
                return;
            }
            if let Some((from, _)) = range.filter(|(from, to)| step >= *to || step < *from) {
                return seek.emit(from);
            }
            let end = range.map_or(end, |(_, to)| to.min(end));
            if step >= end {
                // Where the recording is not done, playing waits for it.
                playing.set(end < total);
                return;
            }
            let seek = seek.clone();
            if calm() || speed < 30 {
                // Slow play and reduced motion go step by step, at most two a second for the latter.
                let pause = if calm() { 500 } else { 1000 / speed.max(1) };
                // The answer to the last step took some of it.
                let (time, due) = (js_sys::Date::now(), now.last.unwrap_or_default() + f64::from(pause));
                let due = due.max(time);
                now.last = Some(due);
                let pause = (due - time) as u32;
                now.timer = Some(Timeout::new(pause, move || seek.emit(step.saturating_add(1).min(end))));
                return;
            }
            let again = clock.clone();
            now.frame = Some(request_animation_frame(move |time: f64| {
                let mut clock = again.borrow_mut();
                let passed = clock.last.map_or(16.0, |last| (time - last).clamp(1.0, 250.0));
                clock.last = Some(time);
                clock.owed += passed / 1000.0 * f64::from(speed);
                let whole = (clock.owed.floor() as u32).max(1);
                clock.owed = (clock.owed - f64::from(whole)).max(0.0);
                drop(clock);
                seek.emit(step.saturating_add(whole).min(end));
            }));
        });
    }
    let toggle = {
        let (playing, seek) = (playing.clone(), seek);
        Callback::from(move |()| {
            if !*playing && step >= total {
                seek.emit(0);
            }
            playing.set(!*playing);
        })
    };
    let set_speed = {
        let speed = speed.clone();
        Callback::from(move |value| speed.set(value))
    };
    Playback { playing: *playing, speed: *speed, toggle, set_speed }
}

/// True if the reader asked for less motion.
fn calm() -> bool {
    let query =
        web_sys::window().and_then(|window| window.match_media("(prefers-reduced-motion: reduce)").ok()?);
    query.is_some_and(|query| query.matches())
}
