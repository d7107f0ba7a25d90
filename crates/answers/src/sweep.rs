//! A row for each setting: pages, bounds and what was assumed.

use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_core::whatif::{Ladder, Prediction, Setting, predict};
use slabscope_core::zsmalloc::Config;

use crate::input::Input;
use crate::percent;

/// Columns of a row, in their order.
pub const COLUMNS: [&str; 12] = [
    "allocator",
    "era",
    "page_shift",
    "max_pages",
    "pages_low",
    "pages_expected",
    "pages_high",
    "bytes_expected",
    "change_percent",
    "pages_churned",
    "partial_zspages_max",
    "assumption",
];

/// What the input's objects take under a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// Pages of the setting, packed without a gap.
    pub prediction: Prediction,
    /// Change of the bytes expected against the input's own setting, packed without a gap, in hundredths of a
    /// percent.
    pub change: Option<i64>,
    /// Pages if the pool is as fragmented as the input: the same ratio of pages held to pages needed.
    pub churned: Option<u64>,
    /// What was assumed, or `-`.
    pub assumption: String,
}

impl Row {
    /// Bytes of the pages expected.
    pub fn bytes(&self) -> u64 {
        self.prediction.expected.saturating_mul(self.setting.page_bytes().into())
    }

    /// A text for each of [`COLUMNS`].
    pub fn cells(&self) -> [String; 12] {
        let or_dash =
            |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let Prediction { low, expected, high, classes_in_use, .. } = self.prediction;
        [
            self.setting.model().name().to_owned(),
            self.setting.era().to_owned(),
            self.setting.page_shift().to_string(),
            or_dash(self.setting.max_pages().map(u64::from)),
            low.to_string(),
            expected.to_string(),
            high.to_string(),
            self.bytes().to_string(),
            self.change.map_or_else(|| "-".to_owned(), percent::text),
            or_dash(self.churned),
            classes_in_use.to_string(),
            self.assumption.clone(),
        ]
    }
}

/// Rows, and the settings that have none with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// In the order asked for.
    pub rows: Vec<Row>,
    /// What has no row.
    pub missing: Vec<(Setting, String)>,
}

/// Packs the input's objects into every setting.
pub fn sweep(input: &Input, settings: &[Setting]) -> Sweep {
    let mut answer = Sweep::default();
    for setting in settings {
        match row(input, setting) {
            Ok(row) => answer.rows.push(row),
            Err(why) => answer.missing.push((*setting, why)),
        }
    }
    answer
}

fn row(input: &Input, setting: &Setting) -> Result<Row, String> {
    let ladder = Ladder::new(setting).map_err(|why| why.to_string())?;
    let prediction = predict(&input.population, &ladder).map_err(|why| why.to_string())?;
    let own_bytes = input.packed.expected.saturating_mul(input.own.page_bytes().into());
    let mut row = Row {
        setting: *setting,
        prediction,
        change: None,
        churned: input.held_pages.and_then(|held| churned(prediction.expected, held, input.packed.expected)),
        assumption: assumption(input, &ladder, &prediction),
    };
    row.change = percent::change(own_bytes, row.bytes());
    Ok(row)
}

/// `expected` pages times pages held over pages needed.
fn churned(expected: u64, held: u64, needed: u64) -> Option<u64> {
    match expected.checked_mul(held).and_then(|product| product.checked_add(needed / 2)) {
        _ if needed == 0 => (held == 0).then_some(expected),
        Some(product) => Some(product / needed),
        None => Some((expected as f64 * (held as f64 / needed as f64)) as u64),
    }
}

fn assumption(input: &Input, ladder: &Ladder, prediction: &Prediction) -> String {
    let mut all = Vec::new();
    if ladder.setting.page_shift() != input.own.page_shift {
        let kib = ladder.setting.page_bytes() / 1024;
        all.push(format!("the same objects with the same stored bytes in {kib} KiB pages"));
    }
    if let Setting::Zsmalloc(Config { class_delta: Some(delta), .. }) = ladder.setting {
        all.push(format!("classes {} apart", bytes(delta.into())));
    }
    if let Some(raw) = input.population.raw_under(ladder).filter(|raw| raw.from < raw.to) {
        all.push(format!(
            "{} stored whole: unknown sizes from {} to {}",
            counted(raw.objects, "page", "pages"),
            grouped(raw.from.into()),
            bytes(raw.to.into())
        ));
    }
    if prediction.refused > 0 {
        let name = ladder.setting.model().name();
        all.push(format!(
            "{} that {name} refuses take a page each",
            counted(prediction.refused, "object", "objects")
        ));
    }
    let nested = prediction.low <= prediction.expected && prediction.expected <= prediction.high;
    if !nested {
        all.push(format!(
            "few objects in a class: {} to {} for certain",
            grouped(prediction.at_least),
            counted(prediction.at_most, "page", "pages")
        ));
    }
    if all.is_empty() { "-".to_owned() } else { all.join("; ") }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::input::{Machine, read_input};
    use crate::select::{Candidate, Selection, candidates};

    fn rows(text: &str, selection: &Selection) -> Sweep {
        let input = read_input(text, &Machine::default()).unwrap();
        sweep(&input, &selection.settings(&input.own))
    }

    const TABLE: &str = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n \
        100 1632 0 0 15000 10000 6000 2 2000\n 202 3264 0 0 5 5 4 4 0\n 254 4096 0 0 700 700 700 1 0\n";

    #[test]
    fn the_input_own_setting_changes_nothing() {
        let answer = rows(TABLE, &Selection { max_pages: vec![4], ..Selection::default() });
        let cells = answer.rows[0].cells();
        assert_eq!(cells[..9], ["zsmalloc", "6.1", "12", "4", "4704", "4704", "4704", "19267584", "0.00"]);
        // What the input holds, and one zspage at most partly filled in each of three classes.
        assert_eq!(cells[9..], ["6704", "3", "-"]);
    }

    #[test]
    fn more_pages_leave_raw_pages_open_and_fewer_do_not() {
        let selection = Selection { max_pages: vec![2, 8], ..Selection::default() };
        let answer = rows(TABLE, &selection);
        let assumptions: Vec<&str> = answer.rows.iter().map(|row| row.assumption.as_str()).collect();
        assert_eq!(assumptions[0], "-");
        assert!(
            assumptions[1].starts_with("700 pages stored whole: unknown sizes from 3,257 to 4,096 bytes")
        );
        assert!(answer.rows[1].prediction.low < answer.rows[1].prediction.high);
    }

    #[test]
    fn other_pages_and_what_does_not_exist_are_told() {
        let selection = Selection {
            candidates: candidates("zblock:v2,zsmalloc").unwrap(),
            page_shifts: vec![13, 14],
            max_pages: vec![4],
            class_delta: None,
        };
        let answer = rows("100 50\n3000 9\n", &selection);
        let names: Vec<_> = answer.rows.iter().map(|row| row.cells()[..4].join(" ")).collect();
        assert_eq!(names, ["zblock v2 14 -", "zsmalloc 6.12 13 4", "zsmalloc 6.12 14 4"]);
        assert_eq!(answer.missing.len(), 1);
        assert!(answer.missing[0].1.contains("does not compile"));
        let row = &answer.rows[2];
        assert_eq!(row.assumption, "the same objects with the same stored bytes in 16 KiB pages");
        assert_eq!((row.churned, row.bytes() % 16_384), (None, 0));
    }

    #[test]
    fn classes_that_are_nearer_take_less_of_large_pages() {
        let pages = |class_delta| {
            let selection =
                Selection { page_shifts: vec![14], max_pages: vec![8], class_delta, ..Selection::default() };
            let row = rows("100 500000\n3000 900000\n", &selection).rows.swap_remove(0);
            (row.prediction.expected, row.assumption)
        };
        let (wide, near) = (pages(None), pages(Some(16)));
        assert!(near.0 < wide.0, "{near:?} {wide:?}");
        assert!(near.1.ends_with("; classes 16 bytes apart") && !wide.1.contains("apart"));
    }

    #[test]
    fn what_zblock_refuses_is_told() {
        let zblock = vec![Candidate::Zblock(Default::default())];
        let answer = rows("4096 3\n100 5\n", &Selection { candidates: zblock, ..Selection::default() });
        assert_eq!(answer.rows[0].assumption, "3 objects that zblock refuses take a page each");
    }

    #[test]
    fn fragmentation_stays_in_proportion() {
        assert_eq!(churned(100, 150, 100), Some(150));
        assert_eq!(churned(0, 0, 0), Some(0));
        assert_eq!(churned(5, 5, 0), None);
        assert_eq!(churned(u64::MAX, u64::MAX, 1), Some(u64::MAX));
        assert!(churned(u64::MAX, 1, u64::MAX).is_some());
    }
}
