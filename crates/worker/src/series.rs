//! Sums over time, as lines.

use slabscope_core::timeline::{MarkKind, Sample};

use crate::protocol::{Line, Series};
use crate::run::Run;

/// Everything that is drawn over time. The first sample stands for the empty pool.
pub(crate) fn series(run: &Run) -> Series {
    let samples = run.timeline.series();
    let page = run.page_bytes as f32;
    let line = |name: &str, value: &dyn Fn(&Sample) -> f32| Line {
        name: name.to_owned(),
        values: std::iter::once(0.0).chain(samples.iter().map(value)).collect(),
    };
    let mut lines = vec![
        line("Pages held", &|sample| sample.totals.pages as f32),
        line("Pages of data", &|sample| sample.totals.bytes as f32 / page),
        line("Peak, pages", &|sample| sample.totals.pages_peak as f32),
        line("Utilisation, percent", &|sample| {
            percent(sample.totals.bytes as f32, sample.totals.pages as f32 * page)
        }),
        line("Places in use, percent", &|sample| {
            percent(sample.totals.objects as f32, sample.totals.capacity as f32)
        }),
        line("Objects", &|sample| sample.totals.objects as f32),
        line("Places", &|sample| sample.totals.capacity as f32),
    ];
    let plural = capital(run.terms().spans);
    lines.push(line(&plural, &|sample| sample.totals.spans as f32));
    for (group, name) in run.groups().iter().enumerate().skip(run.first_group().into()) {
        let name = format!("{plural}, {}", name.replace('_', " "));
        lines.push(line(&name, &|sample| sample.groups.get(group).copied().unwrap_or(0) as f32));
    }
    let compactions = run.timeline.marks().iter().filter_map(|mark| match mark.kind {
        MarkKind::Compacted { pages_freed, .. } => Some((mark.step, pages_freed)),
        _ => None,
    });
    Series {
        steps: std::iter::once(0).chain(samples.iter().map(|sample| sample.step)).collect(),
        lines,
        compactions: compactions.collect(),
    }
}

fn percent(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// A word with a capital first letter.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}
