//! Predictions beside what kernels did, as rows that a page or a guide can print.

use std::fmt;

use slabscope_core::whatif::Setting;
use slabscope_core::zsmalloc::Config;

use crate::account::Account;
use crate::input::{Input, Machine, read_input};
use crate::percent;
use crate::sweep::{Row as Predicted, sweep};

/// In the place of a table to compare with: the pool is compacted.
const COMPACTED: &str = "compacted";

/// Columns of a row, in their order.
pub const COLUMNS: [&str; 9] = [
    "what",
    "figure",
    "measured",
    "predicted",
    "difference_percent",
    "low",
    "high",
    "within_low_high",
    "within_certain",
];

/// One figure, predicted and measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which pool, and from which table it was predicted.
    pub what: String,
    /// Which figure: pages packed without a gap, pages held, or pages after compaction.
    pub figure: &'static str,
    /// What the kernel did, in pages.
    pub measured: u64,
    /// What was predicted, in pages.
    pub predicted: u64,
    /// Pages for the smallest and the largest sizes, and the bounds that hold for any; none for a pool with
    /// fragmentation, which has no bound.
    pub bounds: Option<[u64; 4]>,
}

impl Row {
    /// A text for each of [`COLUMNS`].
    pub fn cells(&self) -> [String; 9] {
        let difference = percent::change(self.measured, self.predicted);
        let [low, high, within, certain] = match self.bounds {
            None => [(); 4].map(|()| "-".to_owned()),
            Some([low, high, at_least, at_most]) => {
                let yes_or_no = |is_within: bool| if is_within { "yes" } else { "no" }.to_owned();
                [
                    low.to_string(),
                    high.to_string(),
                    yes_or_no((low..=high).contains(&self.measured)),
                    yes_or_no((at_least..=at_most).contains(&self.measured)),
                ]
            }
        };
        [
            self.what.clone(),
            self.figure.to_owned(),
            self.measured.to_string(),
            self.predicted.to_string(),
            difference.map_or_else(|| "-".to_owned(), percent::text),
            low,
            high,
            within,
            certain,
        ]
    }
}

/// Why the evidence gives no rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEvidence {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for BadEvidence {}

/// Predicts everything that a list of evidence names. Its lines, below a heading: what, the table to predict from,
/// the table or list of sizes to compare with, `-` or `compacted`, max pages, and pages held where there is no such
/// table or after compaction; apart by tabs. `read` gives the text of a name.
///
/// # Errors
/// A line that is none, names a text that cannot be read, or has no prediction.
pub fn rows<E: fmt::Display>(
    evidence: &str,
    read: impl Fn(&str) -> Result<String, E>,
) -> Result<Vec<Row>, BadEvidence> {
    let mut rows = Vec::new();
    for (index, line) in evidence.lines().enumerate().skip(1) {
        let read = |name: &str| read(name).map_err(|error| error.to_string());
        line_rows(line, read, &mut rows).map_err(|why| BadEvidence { line: index + 1, why })?;
    }
    Ok(rows)
}

fn line_rows(
    line: &str,
    read: impl Fn(&str) -> Result<String, String>,
    rows: &mut Vec<Row>,
) -> Result<(), String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [what, from, against, max_pages, held] = cells[..] else {
        return Err(format!("{} columns, 5 are needed", cells.len()));
    };
    let max_pages: u8 = max_pages.parse().map_err(|_| format!("{max_pages} is no number of pages"))?;
    let from = read_input(&read(from)?, &Machine::default()).map_err(|why| why.to_string())?;
    let own = Config { max_pages, ..from.own };
    if against == COMPACTED {
        let measured = held.parse().map_err(|_| format!("{held} is no number of pages"))?;
        let account = Account::of(&from).ok_or("a list of sizes has nothing to compact")?;
        let page = u64::from(from.own.page_bytes());
        // The rows of a table say for certain how many zspages of each class are too many.
        let after = account.after_compaction() / page;
        rows.push(Row {
            what: what.to_owned(),
            figure: "pages after compaction",
            measured,
            predicted: after,
            bounds: Some([after; 4]),
        });
        return Ok(());
    }
    let predicted = predicted(&from, &own)?;
    if against == "-" {
        let measured = held.parse().map_err(|_| format!("{held} is no number of pages"))?;
        rows.push(held_row(what, &predicted, measured));
        return Ok(());
    }
    let machine = Machine {
        era: Some(own.era),
        max_pages: Some(max_pages),
        page_shift: Some(own.page_shift),
        bits: Some(own.bits),
        phys_bits: Some(own.phys_bits),
    };
    let against = read_input(&read(against)?, &machine).map_err(|why| why.to_string())?;
    let found = &predicted.prediction;
    rows.push(Row {
        what: what.to_owned(),
        figure: "pages packed",
        measured: against.packed.expected,
        predicted: found.expected,
        bounds: Some([found.low, found.high, found.at_least, found.at_most]),
    });
    rows.extend(against.held_pages.map(|measured| held_row(what, &predicted, measured)));
    Ok(())
}

fn predicted(from: &Input, own: &Config) -> Result<Predicted, String> {
    let swept = sweep(from, &[Setting::Zsmalloc(*own)]);
    match swept.missing.into_iter().next() {
        Some((_, why)) => Err(why),
        None => swept.rows.into_iter().next().ok_or_else(|| "no prediction".to_owned()),
    }
}

/// Pages held. From a list of sizes nothing is known of the fragmentation: they are taken as packed.
fn held_row(what: &str, predicted: &Predicted, measured: u64) -> Row {
    let churned = predicted.churned.unwrap_or(predicted.prediction.expected);
    Row { what: what.to_owned(), figure: "pages held", measured, predicted: churned, bounds: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n \
        100 1632 0 0 15000 10000 6000 2 2000\n 202 3264 0 0 5 5 4 4 0\n";

    fn read(name: &str) -> Result<String, String> {
        match name {
            "table" => Ok(TABLE.to_owned()),
            "sizes" => Ok("1600 10000\n3200 5\n".to_owned()),
            _ => Err(format!("{name} is not there")),
        }
    }

    #[test]
    fn a_line_gives_a_row_for_each_figure() {
        let evidence = "heading\nit\ttable\ttable\t4\t-\nit\ttable\tsizes\t8\t-\nit\ttable\t-\t4\t6100\nit\ttable\tcompacted\t4\t4004\nit\tsizes\t-\t8\t4000\n";
        let rows = rows(evidence, read).unwrap_or_default();
        let cells: Vec<String> = rows.iter().map(|row| row.cells()[1..].join(" ")).collect();
        assert_eq!(
            cells,
            [
                "pages packed 4004 4004 0.00 4004 4004 yes yes",
                "pages held 6004 6004 0.00 - - - -",
                "pages packed 4004 3947 -1.42 3823 4004 yes yes",
                "pages held 6100 6004 -1.57 - - - -",
                "pages after compaction 4004 4004 0.00 4004 4004 yes yes",
                "pages held 4000 4004 0.10 - - - -",
            ]
        );
    }

    #[test]
    fn bad_lines_say_where() {
        let told = |line: &str| rows(&format!("heading\n{line}\n"), read).err().map(|why| why.to_string());
        assert_eq!(told("a\tb").as_deref(), Some("line 2: 2 columns, 5 are needed"));
        assert_eq!(told("a\tgone\t-\t4\t5").as_deref(), Some("line 2: gone is not there"));
        assert_eq!(told("a\ttable\t-\t4\tx").as_deref(), Some("line 2: x is no number of pages"));
        assert!(told("a\ttable\t-\t17\t5").is_some_and(|why| why.contains("1 to 16")));
    }
}
