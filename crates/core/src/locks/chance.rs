//! Random times and classes, the same bit for bit on every platform.

use crate::rng::Rng;

use super::Draw;

/// A time of this mean.
pub(super) fn time(rng: &mut Rng, mean: u64, draw: Draw) -> u64 {
    match draw {
        Draw::Fixed => mean,
        Draw::Exponential => {
            // 53 bits above zero, so that the logarithm exists.
            let unit = ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            (-natural_log(unit) * mean as f64 + 0.5) as u64
        }
    }
}

/// The natural logarithm of a normal positive number.
///
/// `f64::ln` differs in its last bits between a C library and WebAssembly hosts, and one bit would
/// change a whole run. This uses only operations that IEEE 754 rounds exactly.
fn natural_log(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2 atanh((m - 1) / (m + 1)); m is in 1..2, so the argument is below 1/3.
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let mut sum = 0.0;
    for k in (0..18).rev() {
        sum = sum * square + 1.0 / f64::from(2 * k + 1);
    }
    2.0 * t * sum + exponent as f64 * std::f64::consts::LN_2
}

/// Draws classes by their share of the traffic.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// Running sums of the shares.
    below: Vec<u64>,
}

impl Classes {
    pub(super) fn new(traffic: &[u32]) -> Self {
        let below = traffic
            .iter()
            .scan(0u64, |sum, &share| {
                *sum += u64::from(share);
                Some(*sum)
            })
            .collect();
        Self { below }
    }

    pub(super) fn draw(&self, rng: &mut Rng) -> u16 {
        let total = self.below.last().copied().unwrap_or(0);
        let at = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
        self.below.partition_point(|&below| below <= at) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_to_the_last_digits() {
        for x in [1.0, 2.0, 0.5, 1e-16, 0.999_999, 1.000_001, 123_456.789] {
            let error = (natural_log(x) - x.ln()).abs();
            assert!(error <= 1e-14 * x.ln().abs().max(1.0), "{x}: {error}");
        }
    }

    #[test]
    fn classes_come_by_their_share() {
        let classes = Classes::new(&[0, 3, 0, 1]);
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 4];
        for _ in 0..40_000 {
            counts[usize::from(classes.draw(&mut rng))] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((29_500..30_500).contains(&counts[1]), "{counts:?}");
    }
}
