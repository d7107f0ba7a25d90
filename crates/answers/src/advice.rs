//! The setting worth taking, one sentence with its reason, and the line that applies it.

use slabscope_core::model::Model;
use slabscope_core::ranked::rank;
use slabscope_core::tell::{counted, grouped};
use slabscope_core::whatif::{Knee, Setting, knee};
use slabscope_core::zsmalloc::{Chain, Config};

use crate::input::Input;
use crate::percent;
use crate::sweep::Row;

/// What another page must gain to be worth it, in hundredths of a percent: half a percent.
pub const LEAST_GAIN: u32 = 50;

/// What to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The max pages after which another page gains too little.
    pub knee: Knee,
    /// The row of that setting.
    pub row: Row,
    /// What to do and why, without a full stop.
    pub sentence: String,
    /// The line that applies it; `None` if nothing is to be changed.
    pub apply: Option<String>,
    /// What to do before that, where compaction returns more than the setting saves.
    pub first: Option<String>,
}

/// Advice on the max pages of the input's own generation and page size, of those among `rows` that can be built.
/// `least_gain` is what another page must gain, in hundredths of a percent. `None` where there is no choice.
pub fn advise(input: &Input, rows: &[Row], least_gain: u32) -> Option<Advice> {
    let is_choice = |row: &&Row| match row.setting {
        Setting::Zsmalloc(config) => {
            config.era == input.own.era && config.page_shift == input.own.page_shift && is_built(&config)
        }
        Setting::Zblock(_) => false,
    };
    let mut choices: Vec<&Row> = rows.iter().filter(is_choice).collect();
    rank(&mut choices, |row| row.setting.max_pages().unwrap_or(0).into());
    let points: Vec<(u8, u64)> =
        choices.iter().filter_map(|row| Some((row.setting.max_pages()?, row.bytes()))).collect();
    if points.len() < 2 || input.packed.objects == 0 {
        return None;
    }
    let knee = knee(&points, least_gain)?;
    let row = (*choices.iter().find(|row| row.setting.max_pages() == Some(knee.max_pages))?).clone();
    let own = choices.iter().find(|row| row.setting.max_pages() == Some(input.own.max_pages));
    let sentence = sentence(input, &row, own.copied(), &points, least_gain);
    let apply = (knee.max_pages != input.own.max_pages).then(|| apply(&row.setting)).flatten();
    Some(Advice { knee, first: first(input, &row), row, sentence, apply })
}

fn sentence(input: &Input, row: &Row, own: Option<&Row>, points: &[(u8, u64)], least_gain: u32) -> String {
    let (pages, own_pages) = (row.setting.max_pages().unwrap_or(0), input.own.max_pages);
    let limit = percent::text(least_gain.into());
    let beyond = match points.last() {
        Some(&(most, _)) if most > pages => format!("each page beyond gains less than {limit} %"),
        _ => "no more pages were asked for".to_owned(),
    };
    let needed = input.packed.expected;
    let Some(own) = own.filter(|_| pages != own_pages) else {
        return format!("keep max pages {pages}: {beyond}");
    };
    let change = percent::change(needed, row.prediction.expected).unwrap_or(0);
    let size = percent::text(change.abs());
    let what = match change {
        0 => "the same pages".to_owned(),
        ..0 => format!("{size} % fewer pages"),
        1.. => format!("{size} % more pages"),
    };
    let certainty = if row.prediction.at_most < needed {
        let least = percent::share(needed - row.prediction.at_most, needed);
        format!("{} % for certain", percent::text(least))
    } else {
        format!(
            "not for certain, {} to {} pages instead of {}",
            grouped(row.prediction.at_least),
            grouped(row.prediction.at_most),
            grouped(needed)
        )
    };
    let demand = format!(
        "one allocation asks for up to {} instead of {}, and up to {} instead of {} are partly filled",
        counted(row.prediction.largest_demand.into(), "page", "pages"),
        own.prediction.largest_demand,
        counted(row.prediction.classes_in_use.into(), "zspage", "zspages"),
        own.prediction.classes_in_use
    );
    format!("take max pages {pages} in place of {own_pages}: {what} ({certainty}), {beyond}; {demand}")
}

fn first(input: &Input, row: &Row) -> Option<String> {
    let freeable = input.classes.iter().fold(0u64, |sum, class| sum.saturating_add(class.freeable));
    let saved = input.packed.expected.saturating_sub(row.prediction.expected);
    let share = percent::text(percent::share(freeable, input.held_pages?));
    let pages = counted(freeable, "page", "pages");
    (freeable > saved).then(|| {
        format!("compact first: it returns {pages}, {share} % of what is held, more than the setting saves")
    })
}

/// True if an unchanged source builds it, or before there was an option any change of it.
fn is_built(config: &Config) -> bool {
    config.era.rules().chain == Chain::UsedPercent || CHAIN_SIZES.contains(&config.max_pages)
}

/// Range of `CONFIG_ZSMALLOC_CHAIN_SIZE`, from 6.3 on.
const CHAIN_SIZES: std::ops::RangeInclusive<u8> = 4..=16;

/// The line of a kernel configuration, of its command line or of its source that makes a setting; `None` where
/// none does.
pub fn apply(setting: &Setting) -> Option<String> {
    match setting {
        Setting::Zsmalloc(config) if !is_built(config) => None,
        Setting::Zsmalloc(config) => Some(match config.era.rules().chain {
            Chain::LeastWaste => format!("CONFIG_ZSMALLOC_CHAIN_SIZE={}", config.max_pages),
            // No option before 6.3: the source has the power of two.
            Chain::UsedPercent if config.max_pages.is_power_of_two() => {
                format!("#define ZS_MAX_ZSPAGE_ORDER {} (mm/zsmalloc.c)", config.max_pages.ilog2())
            }
            Chain::UsedPercent => {
                format!("#define ZS_MAX_PAGES_PER_ZSPAGE {} (mm/zsmalloc.c)", config.max_pages)
            }
        }),
        Setting::Zblock(_) => Some(format!("zswap.zpool={}", Model::Zblock.name())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::zblock;
    use slabscope_core::zsmalloc::Era;

    use super::*;
    use crate::input::{Machine, read_input};
    use crate::select::Selection;
    use crate::sweep::sweep;

    fn advice(text: &str, max_pages: u8) -> Option<Advice> {
        let machine = Machine { max_pages: Some(max_pages), ..Machine::default() };
        let input = read_input(text, &machine).unwrap();
        let rows = sweep(&input, &Selection::default().settings(&input.own)).rows;
        advise(&input, &rows, LEAST_GAIN)
    }

    #[test]
    fn a_large_pool_of_one_size_gets_the_chain_that_fits() {
        // Objects of 3,408 bytes: one a page up to 4 pages, 6 in 5 pages, nothing better up to 16.
        let found = advice("3390 600000\n", 4).unwrap();
        assert_eq!(found.knee.max_pages, 5);
        assert_eq!(found.apply.as_deref(), Some("CONFIG_ZSMALLOC_CHAIN_SIZE=5"));
        assert_eq!(
            found.sentence,
            "take max pages 5 in place of 4: 16.67 % fewer pages (16.67 % for certain), each page beyond gains less than 0.50 %; one allocation asks for up to 5 pages instead of 1, and up to 1 zspage instead of 1 are partly filled"
        );
        let kept = advice("3390 600000\n", 5).unwrap();
        assert_eq!((kept.knee.max_pages, kept.apply), (5, None));
        assert!(kept.sentence.starts_with("keep max pages 5"));
    }

    #[test]
    fn a_small_pool_is_advised_against_long_chains() {
        let sizes: String = (1..=120).map(|step| format!("{} 2\n", step * 30)).collect();
        let found = advice(&sizes, 16).unwrap();
        assert_eq!(found.knee.max_pages, 4);
        assert!(found.sentence.contains("fewer pages"), "{}", found.sentence);
    }

    #[test]
    fn a_fragmented_pool_is_told_to_compact_first() {
        let table = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n \
            100 1632 0 0 15000 10000 6000 2 2000\n 202 3264 0 0 5 5 4 4 0\n";
        let found = advice(table, 4).unwrap();
        let first =
            "compact first: it returns 2,000 pages, 33.31 % of what is held, more than the setting saves";
        assert_eq!(found.first.as_deref(), Some(first));
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(advice("3390 600000\n", 4).map(|found| found.row.change.is_some()), Some(true));
        let input = read_input("3390 5\n", &Machine::default()).unwrap();
        assert_eq!(advise(&input, &[], LEAST_GAIN), None);
    }

    #[test]
    fn every_setting_says_how_it_is_made() {
        let zsmalloc = |era, max_pages| {
            apply(&Setting::Zsmalloc(Config { max_pages, ..Config::default_for(era) })).unwrap_or_default()
        };
        assert_eq!(zsmalloc(Era::V6_6, 16), "CONFIG_ZSMALLOC_CHAIN_SIZE=16");
        assert_eq!(zsmalloc(Era::V6_12, 3), "");
        assert_eq!(zsmalloc(Era::V6_1, 8), "#define ZS_MAX_ZSPAGE_ORDER 3 (mm/zsmalloc.c)");
        assert_eq!(zsmalloc(Era::V4_5, 5), "#define ZS_MAX_PAGES_PER_ZSPAGE 5 (mm/zsmalloc.c)");
        let zblock = Setting::Zblock(zblock::Config::default());
        assert_eq!(apply(&zblock).as_deref(), Some("zswap.zpool=zblock"));
    }
}
