//! Rows of a case as tab-separated values.

use crate::{Outcome, Row};

/// The columns.
pub const COLUMNS: [&str; 7] =
    ["case", "row", "metric", "published", "predicted", "difference_percent", "note"];

/// The rows of a case, then its single runs, in the order of [`COLUMNS`]; `-` where there is nothing.
pub fn tsv_rows(outcome: &Outcome) -> impl Iterator<Item = [String; 7]> + '_ {
    let case = outcome.case.name();
    let single = outcome.single_runs().map(move |row| cells(case, &row));
    outcome.rows().map(move |row| cells(case, row)).chain(single)
}

fn cells(case: &str, row: &Row) -> [String; 7] {
    let dash =
        |figure: Option<crate::Figure>| figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
    let notes = row.notes();
    [
        case.to_owned(),
        row.row.clone(),
        row.metric.to_owned(),
        dash(row.published),
        dash(row.predicted),
        dash(row.difference_percent()),
        if notes.is_empty() { "-".to_owned() } else { notes },
    ]
}
