//! A figure, and a row that puts a published one beside ours.

use std::fmt;

use crate::Sample;

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Mebibytes.
    MiB,
    /// Pages of the page size at hand.
    Pages,
    /// Objects, slots or stored pages.
    Objects,
    /// Zspages, blocks or slabs.
    Spans,
    /// Any other count.
    Count,
    /// Hundredths.
    Percent,
    /// Seconds.
    Seconds,
    /// Microseconds.
    Microseconds,
    /// One number divided by another.
    Ratio,
}

impl Unit {
    /// Digits behind the point that are worth printing.
    const fn digits(self) -> u8 {
        match self {
            Self::Bytes | Self::Pages | Self::Objects | Self::Spans | Self::Count => 0,
            Self::MiB => 1,
            Self::Percent | Self::Seconds | Self::Microseconds => 2,
            Self::Ratio => 3,
        }
    }
}

/// A number and the digits behind the point that it is printed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// Digits behind the point, at most 9.
    pub digits: u8,
}

impl Figure {
    /// The number without its point: 1.25 with two digits is 125. Rounded half away from zero.
    fn scaled(self) -> i64 {
        (self.value * 10u64.pow(self.digits.min(9).into()) as f64).round() as i64
    }

    /// The digits before the point, with `separator` between thousands, and those behind it.
    fn text(self, separator: &str) -> String {
        let scaled = self.scaled();
        let unit = 10u64.pow(self.digits.min(9).into());
        let (whole, rest) = (scaled.unsigned_abs() / unit, scaled.unsigned_abs() % unit);
        let mut text = if scaled < 0 { "-".to_owned() } else { String::new() };
        let digits = whole.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text.push_str(separator);
            }
            text.push(digit);
        }
        if self.digits > 0 {
            text.push('.');
            let rest = rest.to_string();
            text.extend(std::iter::repeat_n('0', usize::from(self.digits.min(9)) - rest.len()));
            text.push_str(&rest);
        }
        text
    }

    /// With commas between thousands, for sentences.
    pub fn grouped(self) -> String {
        self.text(",")
    }
}

/// Without separators, for tables that programs read.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text(""))
    }
}

/// A number in a sentence: 1,234.5.
pub(crate) fn say(value: f64, digits: u8) -> String {
    Figure { value, digits }.grouped()
}

/// A row of a case: what was published beside what the models say.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is measured: a setting, a model, a size range.
    pub row: String,
    /// Which figure of it, with its unit.
    pub metric: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// What others published.
    pub published: Option<Figure>,
    /// What the models say.
    pub predicted: Option<Figure>,
    /// What has to be known about it; may be empty. [`Row::notes`] says also what a mean rests on.
    pub note: String,
    /// The single runs of which ours is the mean, in the order of their seeds from 1; empty where nothing depends on
    /// chance.
    pub seeds: Sample,
}

impl Row {
    /// A row without figures.
    pub(crate) fn new(row: impl Into<String>, metric: &'static str, unit: Unit) -> Self {
        Self {
            row: row.into(),
            metric,
            unit,
            published: None,
            predicted: None,
            note: String::new(),
            seeds: Sample::default(),
        }
    }

    /// Adds the published figure, if there is one.
    pub(crate) fn published(mut self, value: Option<f64>) -> Self {
        self.published = value.map(|value| Figure { value, digits: self.unit.digits() });
        self
    }

    /// Adds ours.
    pub(crate) fn predicted(mut self, value: impl Into<Option<f64>>) -> Self {
        self.predicted = value.into().map(|value| Figure { value, digits: self.unit.digits() });
        self
    }

    /// Adds ours as the mean of single runs.
    pub(crate) fn mean_of(mut self, sample: &Sample) -> Self {
        self.seeds = sample.clone();
        self.predicted(sample.mean())
    }

    /// Prints both figures with other digits than the unit's usual ones.
    pub(crate) fn digits(mut self, digits: u8) -> Self {
        for figure in [&mut self.published, &mut self.predicted].into_iter().flatten() {
            figure.digits = digits;
        }
        self
    }

    /// Adds a note.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The note, and what a mean rests on: "mean of 30 seeds; 95 % within 0.6 of the mean".
    pub fn notes(&self) -> String {
        let mut parts = Vec::new();
        if !self.seeds.values().is_empty() {
            parts.push(format!("mean of {} seeds", self.seeds.values().len()));
        }
        if let (Some(width), Some(figure)) = (self.seeds.half_width(), self.predicted) {
            parts.push(format!("95 % within {} of the mean", say(width, figure.digits + 1)));
        }
        if !self.note.is_empty() {
            parts.push(self.note.clone());
        }
        parts.join("; ")
    }

    /// The single runs as rows of their own.
    pub fn single_runs(&self) -> impl Iterator<Item = Self> + '_ {
        let digits = self.predicted.map_or(self.unit.digits(), |figure| figure.digits);
        (1..).zip(self.seeds.values()).map(move |(seed, &value)| {
            let row = Self::new(format!("{}, seed {seed}", self.row), self.metric, self.unit);
            row.predicted(value).digits(digits)
        })
    }

    /// By how many percent ours is above what was published.
    pub fn difference_percent(&self) -> Option<Figure> {
        let (published, predicted) = (self.published?.value, self.predicted?.value);
        let difference = (predicted - published) / published.abs() * 100.0;
        difference.is_finite().then_some(Figure { value: difference, digits: 3 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, digits: u8, plain: &str, grouped: &str) {
        let figure = Figure { value, digits };
        assert_eq!((figure.to_string().as_str(), figure.grouped().as_str()), (plain, grouped));
    }

    #[test]
    fn figures_round_and_group() {
        check(1_845_067_776.0, 0, "1845067776", "1,845,067,776");
        check(-0.456, 2, "-0.46", "-0.46");
        check(-0.001, 2, "0.00", "0.00");
        check(999.95, 1, "1000.0", "1,000.0");
        check(0.05, 3, "0.050", "0.050");
        check(f64::NAN, 1, "0.0", "0.0");
    }

    #[test]
    fn a_mean_says_what_it_rests_on() {
        let row = Row::new("a", "pages", Unit::Pages).note("of two").mean_of(&Sample::from_iter([1.0, 3.0]));
        assert_eq!(row.predicted.map(|figure| figure.to_string()).as_deref(), Some("2"));
        assert_eq!(row.notes(), "mean of 2 seeds; 95 % within 12.7 of the mean; of two");
        let runs: Vec<String> = row.single_runs().map(|run| run.row).collect();
        assert_eq!(runs, ["a, seed 1", "a, seed 2"]);
        assert_eq!(Row::new("a", "pages", Unit::Pages).note("b").notes(), "b");
    }

    #[test]
    fn differences_are_relative_to_what_was_published() {
        let row = Row::new("a", "pages", Unit::Pages).published(Some(-200.0)).predicted(-199.0);
        assert_eq!(row.difference_percent().map(|figure| figure.to_string()).as_deref(), Some("0.500"));
        assert_eq!(row.clone().published(Some(0.0)).difference_percent(), None);
        assert_eq!(row.predicted(None).difference_percent(), None);
    }
}
