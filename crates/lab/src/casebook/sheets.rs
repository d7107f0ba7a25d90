//! Figures of a case as tables and plots.

use slabscope_cases::{Case, Figure, Outcome, Plot, Row, published};

use crate::document::{Block, Document, LinePlot, PlotLine, Sheet};

const COLUMNS: [&str; 5] = ["What", "Published", "Ours", "Difference, %", "Note"];

/// A file of terms: each with plain words, then exact ones.
pub(super) fn terms(title: &str, content: &[u8]) -> Document {
    let text = String::from_utf8_lossy(content);
    let mut document = vec![Block::Say(String::new(), title.to_owned(), String::new(), String::new())];
    for line in text.lines().skip(1) {
        let mut cells = line.split('\t');
        if let (Some(term), Some(plain), Some(exactly)) = (cells.next(), cells.next(), cells.next()) {
            document.push(Block::Title(term.to_owned()));
            document.push(Block::Prose(vec![(plain.to_owned(), String::new())]));
            document.push(Block::Text(exactly.to_owned()));
        }
    }
    document
}

/// A file of rows as a document.
pub(super) fn table(title: &str, content: &[u8]) -> Document {
    let text = String::from_utf8_lossy(content);
    let mut rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect());
    let columns = rows.next().unwrap_or_default();
    vec![
        Block::Say(String::new(), title.to_owned(), String::new(), String::new()),
        Block::Sheet(Sheet { caption: title.to_owned(), columns, rows: rows.collect() }),
    ]
}

/// What others published, before anything is worked out.
pub(super) fn published(case: Case) -> Sheet {
    let mut sheet = Sheet::new("Published", &["What", "Published", "Unit"]);
    let mut told: Vec<(&str, &str)> = Vec::new();
    for figure in published::all().filter(|figure| figure.case == case.name()) {
        if told.contains(&(figure.row, figure.metric)) {
            continue;
        }
        told.push((figure.row, figure.metric));
        let runs: Vec<f64> = published::all()
            .filter(|other| (other.case, other.row, other.metric) == (figure.case, figure.row, figure.metric))
            .map(|other| other.value)
            .collect();
        let value = runs.iter().sum::<f64>() / runs.len().max(1) as f64;
        let digits = if value.fract() == 0.0 || value >= 10_000.0 { 0 } else { 2 };
        let value = Figure { value, digits }.grouped();
        let mean = if runs.len() > 1 { format!("{value}, mean of {}", runs.len()) } else { value };
        sheet.push(vec![what(figure.row, figure.metric), mean, figure.unit.to_owned()]);
    }
    sheet
}

/// Where the published figures come from.
pub(super) fn sources(case: Case) -> Option<Block> {
    let mut names: Vec<&str> = Vec::new();
    for figure in published::all().filter(|figure| figure.case == case.name()) {
        if !names.contains(&figure.source) {
            names.push(figure.source);
        }
    }
    let told: Vec<&str> = names.into_iter().filter_map(published::source).collect();
    (!told.is_empty()).then(|| Block::Text(format!("Published in: {}.", told.join("; "))))
}

/// Rows that have a published figure, ours beside it.
pub(super) fn beside(outcome: &Outcome) -> Sheet {
    let [what, published, ours, difference, _] = COLUMNS;
    let mut sheet = Sheet::new("Published and ours", &[what, published, ours, difference]);
    let mut told: Vec<&Row> = Vec::new();
    for row in outcome.rows().filter(|row| row.published.is_some()) {
        // The same again under another assumption stands with its step.
        let varies = |other: &&Row| {
            let more = row.row.strip_prefix(other.row.as_str());
            other.metric == row.metric && more.is_some_and(|more| more.starts_with(','))
        };
        if told.iter().any(varies) {
            continue;
        }
        told.push(row);
        // What has to be known about it stands with its step.
        sheet.push(cells(row).into_iter().take(4).collect());
    }
    sheet
}

/// The steps of the explanation: text, plots, figures, and single runs where ours is a mean.
pub(super) fn steps(outcome: &Outcome) -> Document {
    let mut document = Vec::new();
    for (number, step) in outcome.steps.iter().enumerate() {
        document.push(Block::Title(format!("{}. {}", number + 1, step.title)));
        document.push(Block::Text(step.text.clone()));
        document.extend(step.plots.iter().map(|plot| Block::Plot(line_plot(plot))));
        let mut sheet = Sheet::new("Figures", &COLUMNS);
        sheet.rows.extend(step.rows.iter().map(cells));
        document.push(Block::Sheet(without_empty_columns(sheet)));
        let mut single = Sheet::new("Single runs", &["What", "Seed", "Ours"]);
        for row in &step.rows {
            for (seed, run) in (1u32..).zip(row.single_runs()) {
                let ours = run.predicted.map(Figure::grouped).unwrap_or_default();
                single.push(vec![what(&row.row, row.metric), seed.to_string(), ours]);
            }
        }
        if !single.rows.is_empty() {
            document.push(Block::Sheet(single));
        }
    }
    document
}

/// Columns in which no row has anything say nothing.
fn without_empty_columns(mut sheet: Sheet) -> Sheet {
    for column in (0..sheet.columns.len()).rev() {
        if sheet.rows.iter().all(|row| row.get(column).is_none_or(String::is_empty)) {
            sheet.columns.remove(column);
            sheet.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    sheet
}

fn cells(row: &Row) -> Vec<String> {
    let figure = |figure: Option<Figure>| figure.map(Figure::grouped).unwrap_or_default();
    vec![
        what(&row.row, row.metric),
        figure(row.published),
        figure(row.predicted),
        figure(row.difference_percent()),
        row.notes(),
    ]
}

/// What a figure is of, and which figure it is.
fn what(row: &str, metric: &str) -> String {
    let words = metric.split('_').map(|word| match word {
        "mib" => "MiB",
        "95" => "(95 %)",
        "percent" => "%",
        word => word,
    });
    format!("{row}: {}", words.collect::<Vec<_>>().join(" "))
}

fn line_plot(plot: &Plot) -> LinePlot {
    let along = |x: f64| if plot.x_by_factors { x.max(1.0).log2() } else { x };
    LinePlot {
        caption: plot.title.to_owned(),
        along: if plot.x_by_factors { format!("doublings of {}, from 1", plot.x) } else { plot.x.to_owned() },
        up: plot.y.to_owned(),
        lines: plot
            .lines
            .iter()
            .map(|line| PlotLine {
                name: line.name.clone(),
                points: line.points.iter().map(|&(x, y)| (along(x) as f32, y as f32)).collect(),
            })
            .collect(),
        cursor: None,
    }
}
