//! Rows of a case as tab-separated values.

use crate::{Outcome, Row};

/// The columns.
pub const COLUMNS: [&str; 7] =
    ["case", "row", "metric", "published", "predicted", "difference_percent", "note"];

/// The rows of a case, then its single runs, in the order of [`COLUMNS`]; `-` where there is nothing.
pub fn tsv_rows(outcome: &Outcome) -> impl Iterator<Item = [String; 7]> + '_ {
    let case = outcome.case.name();
    outcome.rows().chain(&outcome.runs).map(move |row| cells(case, row))
}

fn cells(case: &str, row: &Row) -> [String; 7] {
    let dash =
        |figure: Option<crate::Figure>| figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string());
    let note = if row.note.is_empty() { "-".to_owned() } else { row.note.clone() };
    [
        case.to_owned(),
        row.row.clone(),
        row.metric.to_owned(),
        dash(row.published),
        dash(row.predicted),
        dash(row.difference_percent()),
        note,
    ]
}
