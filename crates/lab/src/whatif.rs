//! What the objects of a pasted table would take under other settings.

use slabscope_answers::advice::{LEAST_GAIN, advise, apply};
use slabscope_answers::input::Input;
use slabscope_answers::percent;
use slabscope_answers::reference::reference_lines;
use slabscope_answers::select::{Selection, relatives};
use slabscope_answers::sweep::{Row, sweep};
use slabscope_core::model::AnyConfig;
use slabscope_core::tell::{capital, counted, grouped};
use slabscope_core::whatif::Setting;

use crate::document::{Block, Document, LinePlot, PlotLine, Sheet};

/// Advice, what the panel's setting would do, every setting as a table and as plots, and the other side of each.
pub(crate) fn answers(input: &Input, asked: Option<&AnyConfig>) -> Document {
    let rows = sweep(input, &Selection::default().settings(&input.own)).rows;
    let asked = asked.and_then(|config| match config {
        AnyConfig::Zsmalloc(config) => Some(Setting::Zsmalloc(*config)),
        AnyConfig::Zblock(config) => Some(Setting::Zblock(*config)),
        AnyConfig::Slub(_) => None,
    });
    let text = |sentence: String| Block::Text(format!("{}.", capital(&sentence)));
    let mut document = vec![Block::Title("What another setting would change".to_owned())];
    document.extend(asked.map(|setting| text(followed(input, &setting))));
    let advice = advise(input, &rows, LEAST_GAIN);
    if let Some(advice) = &advice {
        document.extend(advice.first.clone().map(text));
        document.push(text(advice.sentence.clone()));
        document.extend(advice.apply.clone().map(Block::Mono));
    }
    let knee = advice.map(|advice| advice.knee.max_pages);
    let here = asked.filter(|asked| rows.iter().any(|row| row.setting == *asked));
    let cursor = here.and_then(|setting| setting.max_pages());
    document.push(Block::Plot(memory(input, &rows, knee, cursor)));
    document.push(Block::Sheet(settings("Every setting", input, &rows, knee, asked)));
    document.push(Block::Plot(crossing(&rows, cursor)));
    document.push(Block::Sheet(costs(&rows)));
    let others = sweep(input, &relatives(&input.own));
    document.push(Block::Sheet(settings(
        "Other page sizes, generations and versions",
        input,
        &others.rows,
        None,
        asked,
    )));
    document.extend(others.missing.iter().map(|(setting, why)| text(format!("no row for {setting}: {why}"))));
    document.push(text(
        "zbud and z3fold, which keep at most two and three whole objects in a page, are lower bounds: their headers and the rounding to chunks are left out".to_owned(),
    ));
    document
}

/// The panel's setting in a sentence.
fn followed(input: &Input, setting: &Setting) -> String {
    let mut swept = sweep(input, &[*setting]);
    let Some(row) = swept.rows.pop() else {
        let why = swept.missing.pop().map(|(_, why)| why).unwrap_or_default();
        return format!("the panel has {setting}: {why}");
    };
    let held = row.churned.map_or_else(String::new, |pages| {
        format!(", or {} if it stays as fragmented as it is", counted(pages, "page", "pages"))
    });
    let change = row
        .change
        .map_or_else(String::new, |change| format!(" ({} % against its own setting)", percent::text(change)));
    let line = apply(setting).filter(|_| *setting != Setting::Zsmalloc(input.own));
    let line = line.map_or_else(String::new, |line| format!("; {line} makes it so"));
    format!(
        "with {setting}, as the panel has it: {} packed without a gap{change}{held}{line}",
        counted(row.prediction.expected, "page", "pages")
    )
}

fn mebi(pages: u64, row: &Row) -> f32 {
    pages as f32 * row.setting.page_bytes() as f32 / f32::from(1u16 << 10) / 1024.0
}

/// A line over max pages.
fn line(name: &str, rows: &[Row], up: impl Fn(&Row) -> Option<f32>) -> PlotLine {
    let points = rows.iter().filter_map(|row| Some((f32::from(row.setting.max_pages()?), up(row)?)));
    PlotLine { name: name.to_owned(), points: points.collect() }
}

/// Memory against max pages: what is expected, between what the sizes allow, with the knee and reference lines.
fn memory(input: &Input, rows: &[Row], knee: Option<u8>, cursor: Option<u8>) -> LinePlot {
    let packed = |pages: fn(&Row) -> u64| move |row: &Row| Some(mebi(pages(row), row));
    let mut lines = vec![
        line("expected", rows, packed(|row| row.prediction.expected)),
        line("smallest sizes", rows, packed(|row| row.prediction.low)),
        line("largest sizes", rows, packed(|row| row.prediction.high)),
    ];
    let churned = line("as fragmented as now", rows, |row| Some(mebi(row.churned?, row)));
    if !churned.points.is_empty() {
        lines.push(churned);
    }
    for (name, pages) in reference_lines(input) {
        lines.push(line(name, rows, |row| Some(mebi(pages, row))));
    }
    let at_knee = knee.and_then(|knee| rows.iter().find(|row| row.setting.max_pages() == Some(knee)));
    if let Some((row, pages)) = at_knee.zip(knee) {
        let along = f32::from(pages);
        let points = vec![(along, 0.0), (along, mebi(row.prediction.expected, row))];
        lines.push(PlotLine { name: format!("knee: {pages}"), points });
    }
    LinePlot {
        caption: "Memory by max pages per zspage, packed without a gap".to_owned(),
        along: "max pages per zspage".to_owned(),
        up: "MiB".to_owned(),
        lines,
        cursor: cursor.map(f32::from),
    }
}

/// Objects that cross a page against max pages.
fn crossing(rows: &[Row], cursor: Option<u8>) -> LinePlot {
    let share =
        |row: &Row| Some(percent::share(row.prediction.crossing, row.prediction.objects) as f32 / 100.0);
    LinePlot {
        caption: "Objects that cross a page, which a reader has to join".to_owned(),
        along: "max pages per zspage".to_owned(),
        up: "% of objects".to_owned(),
        lines: vec![line("objects that cross a page", rows, share)],
        cursor: cursor.map(f32::from),
    }
}

/// Numbers in groups, other texts as they are.
fn readable(cell: String) -> String {
    cell.parse().map_or(cell, grouped)
}

/// Rows of settings; the first cell tells those that are special.
fn settings(caption: &str, input: &Input, rows: &[Row], knee: Option<u8>, asked: Option<Setting>) -> Sheet {
    let columns = [
        "Which",
        "Allocator",
        "Era",
        "Page shift",
        "Max pages",
        "Pages, smallest sizes",
        "Pages, expected",
        "Pages, largest sizes",
        "Bytes, expected",
        "Change, %",
        "Pages, as fragmented as now",
        "Partly full zspages, most",
        "Assumption",
    ];
    let mut sheet = Sheet::new(caption, &columns);
    for row in rows {
        let is = |setting: Option<Setting>| setting == Some(row.setting);
        let marks = [
            (is(Some(Setting::Zsmalloc(input.own))), "as it is"),
            (is(asked), "panel"),
            (knee.is_some() && row.setting.max_pages() == knee, "knee"),
        ];
        let marks: Vec<&str> = marks.iter().filter(|mark| mark.0).map(|mark| mark.1).collect();
        // The second names an era, which may look like a number.
        let cells = row.cells().into_iter().enumerate();
        let cells = cells.map(|(at, cell)| if at == 1 { cell } else { readable(cell) });
        sheet.push(std::iter::once(marks.join(", ")).chain(cells).collect());
    }
    sheet
}

fn costs(rows: &[Row]) -> Sheet {
    let columns = [
        "Allocator",
        "Max pages",
        "Partly full zspages",
        "Pages of one allocation",
        "Objects that cross a page, %",
    ];
    let mut sheet = Sheet::new("The other side of each setting", &columns);
    for row in rows {
        let found = &row.prediction;
        let max_pages = row.setting.max_pages();
        sheet.push(vec![
            row.setting.model().name().to_owned(),
            max_pages.map_or_else(|| "-".to_owned(), |pages| pages.to_string()),
            grouped(found.partial.into()),
            grouped(found.largest_demand.into()),
            max_pages.map_or_else(
                || "-".to_owned(),
                |_| percent::text(percent::share(found.crossing, found.objects)),
            ),
        ]);
    }
    sheet
}
