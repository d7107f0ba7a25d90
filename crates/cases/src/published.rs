//! What others published: one table, read and never typed into code.

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Name of the case.
    pub case: &'static str,
    /// What was measured.
    pub row: &'static str,
    /// Which figure of it.
    pub metric: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Short name of its source; [`source`] says more.
    pub source: &'static str,
}

const TABLE: &str = include_str!("../data/published.tsv");
const SOURCES: &str = include_str!("../data/sources.tsv");

/// Everything that was published.
pub fn all() -> impl Iterator<Item = Published> {
    TABLE.lines().skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next();
        let (case, row, metric) = (cell()?, cell()?, cell()?);
        Some(Published { case, row, metric, value: decimal(cell()?)?, unit: cell()?, source: cell()? })
    })
}

/// What the short name of a source stands for.
pub fn source(name: &str) -> Option<&'static str> {
    let mut sources = SOURCES.lines().skip(1).filter_map(|line| line.split_once('\t'));
    sources.find_map(|(short, what)| (short == name).then_some(what))
}

/// A figure of every run that was published.
pub(crate) fn runs(case: crate::Case, row: &str, metric: &str) -> crate::Sample {
    all()
        .filter(|found| found.case == case.name() && found.row == row && found.metric == metric)
        .map(|found| found.value)
        .collect()
}

/// The mean of a figure over the runs that were published.
pub(crate) fn mean(case: crate::Case, row: &str, metric: &str) -> Option<f64> {
    runs(case, row, metric).mean()
}

/// A number such as 138.18, read without the machinery for every number there is.
fn decimal(text: &str) -> Option<f64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits: i64 = format!("{whole}{rest}").parse().ok()?;
    Some(digits as f64 / 10u64.checked_pow(u32::try_from(rest.len()).ok()?)? as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_has_a_source_and_a_case() {
        assert_eq!(all().count(), TABLE.lines().count() - 1);
        for figure in all() {
            assert!(source(figure.source).is_some(), "{figure:?}");
            assert!(crate::Case::from_name(figure.case).is_some(), "{figure:?}");
            assert!((figure.value > 0.0 || figure.unit == "%") && !figure.unit.is_empty(), "{figure:?}");
        }
    }

    #[test]
    fn decimals() {
        assert_eq!([decimal("138.18"), decimal("7"), decimal("0.05")], [Some(138.18), Some(7.0), Some(0.05)]);
        assert_eq!(decimal("-0.5"), Some(-0.5));
        assert_eq!([decimal(""), decimal("1.x"), decimal("x")], [None; 3]);
    }
}
