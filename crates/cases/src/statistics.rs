//! Means and how sure they are.

/// Results of runs that differ by their seed only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Adds a result.
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// The results in the order in which they came.
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The mean; `None` without results.
    pub fn mean(&self) -> Option<f64> {
        let count = self.0.len();
        (count > 0).then(|| self.0.iter().sum::<f64>() / count as f64)
    }

    /// Half the width of the 95 % interval of the mean, by Student's distribution; `None` with fewer than two results.
    pub fn half_width(&self) -> Option<f64> {
        let (count, mean) = (self.0.len(), self.mean()?);
        let degrees = u32::try_from(count.checked_sub(1)?).ok().filter(|&degrees| degrees > 0)?;
        let squares: f64 = self.0.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error = (squares / f64::from(degrees) / count as f64).sqrt();
        Some(error * student_975(degrees))
    }

    /// Results less those of another sample, seed by seed: what both have of chance goes away.
    pub fn less(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one - other).collect())
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

/// The 97.5 % point of Student's distribution. Up to four degrees of freedom from a table, from five on by the expansion of
/// Cornish and Fisher, which is right to three digits behind the point there.
fn student_975(degrees: u32) -> f64 {
    const FEW: [f64; 4] = [12.706, 4.303, 3.182, 2.776];
    const Z: f64 = 1.959_964;
    if let Some(&value) = FEW.get(degrees.saturating_sub(1) as usize) {
        return value;
    }
    let (n, z2) = (f64::from(degrees), Z * Z);
    let first = Z * (z2 + 1.0) / 4.0;
    let second = Z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = Z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let fourth = Z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0;
    Z + (first + (second + (third + fourth / n) / n) / n) / n
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn student_is_that_of_the_tables() {
        for (degrees, value) in
            [(1, 12.706), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (100, 1.984), (9999, 1.960)]
        {
            let found = student_975(degrees);
            assert!((found - value).abs() < 0.001, "{degrees}: {found}");
        }
    }

    #[test]
    fn an_interval_by_hand() {
        let sample: Sample = [302.0, 298.0, 311.0, 312.0, 302.0].into_iter().collect();
        assert_eq!(sample.mean(), Some(305.0));
        // Standard deviation sqrt(38), divided by sqrt(5), times 2.776.
        assert!((sample.half_width().unwrap() - 7.653).abs() < 0.001);
        assert_eq!(Sample::default().mean(), None);
        assert_eq!(Sample::from_iter([1.0]).half_width(), None);
        let other = Sample::from_iter([300.0, 298.0]);
        assert_eq!(sample.less(&other).values(), [2.0, 0.0]);
    }
}
