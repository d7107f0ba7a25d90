//! Edits that sliders, wheels and arrow keys make.

use crate::param::{Fit, Key, Kind, Param, Scale, Value};
use crate::side::Side;

/// Positions of a slider: 0 to this.
pub const SLIDER_MOST: u32 = 1000;

impl Side {
    /// Moves a value by so many steps, stopping at the ends: numbers by their step (or along 1, 2, 5, 10 ...),
    /// choices along their list. Below the smallest number lies "automatic" where there is one. Texts and
    /// values that mean nothing for the allocator stay.
    pub fn step(&mut self, key: Key, steps: i32) {
        let param = key.param();
        let value = self.get(key);
        let next = match param.kind {
            Kind::Integer { min, max, step, scale, auto } => {
                step_number(&value, steps, (min, max, step), scale, auto.is_some())
            }
            Kind::Choice { list, .. } => {
                let list = list(self);
                let now = list.iter().position(|choice| Value::Choice(choice.value) == value).unwrap_or(0);
                let wanted = now.saturating_add_signed(steps as isize).min(list.len().saturating_sub(1));
                list.get(wanted).map_or(value, |choice| Value::Choice(choice.value))
            }
            Kind::Text { .. } => return,
        };
        // Only a key that doesn't apply is refused here, and that one has no control.
        let _ = self.set(key, next, Fit::Clamped);
    }

    /// One step up.
    pub fn step_up(&mut self, key: Key) {
        self.step(key, 1);
    }

    /// One step down.
    pub fn step_down(&mut self, key: Key) {
        self.step(key, -1);
    }

    /// A wheel turned by `delta_y` over a control: one step up for a turn away from the reader.
    pub fn wheel(&mut self, key: Key, delta_y: f64) {
        if delta_y < 0.0 {
            self.step_up(key);
        } else if delta_y > 0.0 {
            self.step_down(key);
        }
    }

    /// Where a slider of 0 to [`SLIDER_MOST`] stands; 0 where the value is open.
    pub fn slider(&self, key: Key) -> u32 {
        match self.get(key) {
            Value::Number(number) => key.param().to_slider(number),
            _ => 0,
        }
    }
}

impl Param {
    /// Position of a number on a slider of 0 to [`SLIDER_MOST`]; 0 for what is no number.
    pub fn to_slider(&self, number: u64) -> u32 {
        let Kind::Integer { min, max, scale, .. } = self.kind else { return 0 };
        if max <= min {
            return 0;
        }
        let share = match scale {
            Scale::Linear => (number.clamp(min, max) - min) as f64 / (max - min) as f64,
            Scale::Log => {
                let [low, high] = [min.max(1) as f64, max as f64].map(f64::ln);
                ((number.clamp(min.max(1), max) as f64).ln() - low) / (high - low)
            }
        };
        (share * f64::from(SLIDER_MOST)).round() as u32
    }

    /// The number at a position; long ranges give numbers of two digits and zeros. 0 for what is no number.
    pub fn from_slider(&self, position: u32) -> u64 {
        let Kind::Integer { min, max, step, scale, .. } = self.kind else { return 0 };
        let share = f64::from(position.min(SLIDER_MOST)) / f64::from(SLIDER_MOST);
        let number = match scale {
            _ if position >= SLIDER_MOST => max,
            Scale::Linear => min + (share * ((max - min) / step) as f64).round() as u64 * step,
            Scale::Log => {
                let [low, high] = [min.max(1) as f64, max as f64].map(f64::ln);
                two_digits((low + share * (high - low)).exp().round() as u64)
            }
        };
        number.clamp(min, max)
    }
}

fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    (number + unit / 2) / unit * unit
}

fn step_number(value: &Value, steps: i32, range: (u64, u64, u64), scale: Scale, open: bool) -> Value {
    let (min, max, step) = range;
    let mut value = value.clone();
    for _ in 0..steps.unsigned_abs().min(100) {
        value = match value {
            Value::Number(number) if steps > 0 => Value::Number(match scale {
                Scale::Linear => number.saturating_add(step).min(max),
                Scale::Log => next_round(number).min(max),
            }),
            Value::Number(number) if number <= min => {
                if open {
                    Value::Auto
                } else {
                    Value::Number(min)
                }
            }
            Value::Number(number) => Value::Number(match scale {
                Scale::Linear => number.saturating_sub(step).max(min),
                Scale::Log => previous_round(number).max(min),
            }),
            Value::Auto if steps > 0 => Value::Number(min),
            other => other,
        };
    }
    value
}

/// The least of 1, 2, 5, 10 ... above a number.
fn next_round(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10());
    [1, 2, 5, 10]
        .into_iter()
        .map(|digit| unit.saturating_mul(digit))
        .find(|round| *round > number)
        .unwrap_or(u64::MAX)
}

/// The largest of 1, 2, 5, 10 ... below a number; 0 below 1.
fn previous_round(number: u64) -> u64 {
    let below = number.saturating_sub(1);
    if below == 0 {
        return 0;
    }
    let unit = 10_u64.pow(below.ilog10());
    [5, 2].into_iter().map(|digit| unit * digit).find(|round| *round <= below).unwrap_or(unit)
}

#[cfg(test)]
mod tests {
    use super::{SLIDER_MOST, next_round, previous_round};
    use crate::param::{Fit, Key, Kind, Value};
    use crate::side::Side;
    use crate::table::PARAMS;

    #[test]
    fn steps_stop_at_the_ends() {
        let mut side = Side::default();
        side.step(Key::MaxPages, 100);
        assert_eq!(side.number(Key::MaxPages), 16);
        side.step(Key::MaxPages, -3);
        assert_eq!(side.number(Key::MaxPages), 13);
        side.wheel(Key::Bits, 1.0);
        assert_eq!(side.number(Key::Bits), 32);
        side.wheel(Key::Bits, -1.0);
        assert!(side.is_default(Key::Bits));
        side.step_up(Key::ClassDelta);
        side.step_up(Key::ClassDelta);
        assert_eq!(side.number(Key::ClassDelta), 16);
        side.step(Key::ClassDelta, -2);
        assert_eq!(side.get(Key::ClassDelta), Value::Auto);
        side.step_down(Key::Era);
        assert_eq!(side.text(Key::Era), "6.6");
        side.step(Key::Era, -99);
        assert_eq!(side.text(Key::Era), "4.2");
        side.step(Key::Operations, 1);
        assert_eq!(side.number(Key::Operations), 10_000);
    }

    #[test]
    fn round_numbers() {
        let up: Vec<u64> = [0, 1, 2, 4, 5, 9, 10, 999, 1000, u64::MAX].map(next_round).to_vec();
        assert_eq!(up, [1, 2, 5, 5, 10, 10, 20, 1000, 2000, u64::MAX]);
        let down: Vec<u64> = [0, 1, 2, 3, 5, 9, 10, 11, 1000].map(previous_round).to_vec();
        assert_eq!(down, [0, 0, 1, 2, 2, 5, 5, 10, 500]);
    }

    #[test]
    fn every_slider_position_is_an_allowed_number_and_ends_are_reached() {
        for param in &PARAMS {
            let Kind::Integer { min, max, .. } = param.kind else { continue };
            assert_eq!((param.from_slider(0), param.from_slider(SLIDER_MOST)), (min, max), "{}", param.name);
            for position in 0..=SLIDER_MOST {
                let value = Value::Number(param.from_slider(position));
                let fitted = param.fit(&Side::default(), value.clone(), Fit::Exact);
                assert_eq!(fitted, Ok(value), "{}", param.name);
            }
        }
    }

    #[test]
    fn a_drag_is_clamped_and_a_link_is_not() {
        let mut side = Side::default();
        assert!(side.set(Key::MaxPages, Value::Number(99), Fit::Exact).is_err());
        assert!(side.is_default(Key::MaxPages));
        assert_eq!(side.set(Key::MaxPages, Value::Number(99), Fit::Clamped), Ok(()));
        assert_eq!(side.number(Key::MaxPages), 16);
        assert_eq!(side.set(Key::Skew, Value::Number(52), Fit::Clamped), Ok(()));
        assert_eq!(side.number(Key::Skew), 50);
    }

    #[test]
    fn another_allocator_keeps_what_it_shares_and_drops_the_rest() {
        let mut side = Side::default();
        for (key, text) in [(Key::Era, "4.5"), (Key::MaxPages, "6"), (Key::PageShift, "14"), (Key::Seed, "7")]
        {
            assert_eq!(side.set_text(key, text), Ok(None));
        }
        assert_eq!(side.set_text(Key::Allocator, "zblock"), Ok(None));
        assert_eq!((side.text(Key::Era), side.number(Key::Seed)), ("mm0508".to_owned(), 7));
        assert_eq!(side.number(Key::PageShift), 14);
        assert!(side.is_default(Key::MaxPages));
        assert!(side.set(Key::MaxPages, Value::Number(6), Fit::Clamped).is_err());
    }
}
