//! Where a number stands on a slider, and the number at a place of it.

use crate::param::{Kind, Param, Scale};

/// Positions of a slider: 0 to this.
pub const SLIDER_MOST: u32 = 1000;

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

#[cfg(test)]
mod tests {
    use super::SLIDER_MOST;
    use crate::param::{Fit, Key, Kind, Value};
    use crate::side::Side;
    use crate::table::PARAMS;

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
