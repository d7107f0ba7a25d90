//! The rows of a file in each format.

use serde_json::{Map, Value, json};
use slabscope_answers::sweep::{COLUMNS, Row};

/// Rows without a heading; a comment names the file where there are several.
pub(super) fn tsv(name: Option<&str>, rows: &[Row]) -> String {
    let mut text = name.map(|name| format!("# {name}\n")).unwrap_or_default();
    for row in rows {
        text.push_str(&row.cells().join("\t"));
        text.push('\n');
    }
    text
}

/// An object on a line for each row: the columns, and what the pages cost.
pub(super) fn json(name: &str, rows: &[Row]) -> String {
    let line = |row: &Row| {
        let mut object = Map::from_iter([("file".to_owned(), json!(name))]);
        for (column, cell) in COLUMNS.iter().zip(row.cells()) {
            object.insert((*column).to_owned(), value(column, cell));
        }
        let prediction = &row.prediction;
        for (key, number) in [
            ("pages_at_least", prediction.at_least),
            ("pages_at_most", prediction.at_most),
            ("partial_zspages", prediction.partial.into()),
            ("largest_demand_pages", prediction.largest_demand.into()),
            ("crossing_objects", prediction.crossing),
            ("refused_objects", prediction.refused),
            ("objects", prediction.objects),
        ] {
            object.insert(key.to_owned(), number.into());
        }
        format!("{}\n", Value::Object(object))
    };
    rows.iter().map(line).collect()
}

/// A cell as JSON: a number where its column has numbers, null for `-`.
fn value(column: &str, cell: String) -> Value {
    let number = match column {
        "allocator" | "era" | "assumption" => None,
        "change_percent" => cell.parse::<f64>().ok().map(Value::from),
        _ => cell.parse::<u64>().ok().map(Value::from),
    };
    match number {
        Some(number) => number,
        None if cell == "-" => Value::Null,
        None => Value::from(cell),
    }
}
