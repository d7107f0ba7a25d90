//! What is summed over time: one table that plots, figures and comma-separated values read.

use slabscope_charts::over_time::Look;
use slabscope_charts::theme::Role;
use slabscope_core::model::Model;
use slabscope_core::tell::{capital, grouped, hundredths};
use slabscope_core::timeline::Sample;

use crate::protocol::Figures;
use crate::run::Run;

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    Pages,
    Data,
    Peak,
    Utilisation,
    Fragmentation,
    Objects,
    Room,
    Crossing,
    Group(u8),
    Handles,
    Descriptors,
}

use Quantity::{
    Crossing, Data, Descriptors, Fragmentation, Group, Handles, Objects, Pages, Peak, Room, Utilisation,
};

impl Quantity {
    /// Its value at a sample, in its unit.
    pub(crate) fn at(self, run: &Run, sample: &Sample) -> f64 {
        let totals = &sample.totals;
        let bytes = totals.bytes as f64;
        let page = f64::from(run.page_bytes);
        match self {
            Pages => totals.pages as f64,
            Data => bytes / page,
            Peak => totals.pages_peak as f64,
            Utilisation => percent(bytes, totals.pages as f64 * page),
            Fragmentation if totals.capacity == 0 => 0.0,
            Fragmentation => 100.0 - percent(totals.objects as f64, totals.capacity as f64),
            Objects => totals.objects as f64,
            Room => totals.capacity as f64,
            Crossing => sample.crossing.into(),
            Group(group) => sample.groups.get(usize::from(group)).copied().unwrap_or(0).into(),
            Handles => totals.objects as f64 * f64::from(run.handle_bytes) / 1024.0,
            Descriptors => totals.spans as f64 * f64::from(run.descriptor_bytes.unwrap_or(0)) / 1024.0,
        }
    }

    /// Its name, with the unit where that is not what the name counts.
    pub(crate) fn name(self, run: &Run) -> String {
        match self {
            Pages => "Pages used".to_owned(),
            Data => "Pages of data".to_owned(),
            Peak => "Peak, pages".to_owned(),
            Utilisation => "Utilisation, %".to_owned(),
            Fragmentation => "Empty places, %".to_owned(),
            Objects => "Objects".to_owned(),
            Room => "Room for objects".to_owned(),
            Crossing => "Objects in two pages".to_owned(),
            Group(group) => {
                let name = run.groups().get(usize::from(group)).copied().unwrap_or_default();
                [&capital(run.terms().spans), ", ", &name.replace('_', " ")].concat()
            }
            Handles => "Handles, KiB".to_owned(),
            Descriptors => "Descriptors, KiB".to_owned(),
        }
    }

    const fn look(self) -> Look {
        match self {
            Pages => Look::Dots(Role::Empty),
            Data => Look::Fill(Role::Data),
            Peak => Look::Dashes(Role::Tail),
            Utilisation | Objects => Look::Line(Role::Accent),
            Fragmentation | Room => Look::Dashes(Role::Tail),
            Crossing => Look::Sparse(Role::Header),
            Group(group) => Look::Group(group),
            Handles => Look::Line(Role::Handle),
            Descriptors => Look::Dashes(Role::Header),
        }
    }

    fn written(self, value: f64) -> String {
        match self {
            Data | Utilisation | Fragmentation | Handles | Descriptors => hundredths(value),
            _ => grouped(value as u64),
        }
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

/// Quantities that are drawn together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// What its files are called by.
    pub stem: &'static str,
    /// Its name.
    pub name: String,
    /// True if values are drawn one on top of the other.
    pub(crate) stacked: bool,
    /// What it shows.
    pub(crate) quantities: Vec<Quantity>,
}

impl Panel {
    /// Everything that is drawn of a run.
    pub fn all(run: &Run) -> Vec<Self> {
        let panel = |stem: &'static str, name: &str, quantities: &[Quantity]| Self {
            stem,
            name: name.to_owned(),
            stacked: false,
            quantities: quantities.to_vec(),
        };
        let groups = run.first_group()..run.groups().len() as u8;
        let mut panels = vec![
            panel("over-time", "Pages", &[Pages, Data, Peak]),
            panel("utilisation", "Utilisation and empty places", &[Utilisation, Fragmentation]),
            Self {
                stem: "groups",
                name: [&capital(run.terms().spans), " by group"].concat(),
                stacked: true,
                quantities: groups.map(Group).collect(),
            },
            panel("objects", "Objects", &[Objects, Room, Crossing]),
        ];
        if run.model() == Model::Zsmalloc {
            let all = [Handles, Descriptors];
            let outside = if run.descriptor_bytes.is_some() { &all[..] } else { &all[..1] };
            panels.push(panel("outside", "Memory outside the pool", outside));
        }
        panels
    }

    /// Its quantities with how they look and their values at all samples.
    pub(crate) fn layers(&self, run: &Run) -> Vec<(Look, Vec<f32>)> {
        let samples = run.timeline.series();
        let values = |quantity: &Quantity| {
            // The empty pool comes first.
            std::iter::once(0.0).chain(samples.iter().map(|sample| quantity.at(run, sample) as f32)).collect()
        };
        self.quantities.iter().map(|quantity| (quantity.look(), values(quantity))).collect()
    }
}

/// The quantities of a panel at the last sample up to a step.
pub(crate) fn figures(run: &Run, panel: &Panel, step: u32) -> Figures {
    let samples = run.timeline.series();
    let after = samples.partition_point(|sample| sample.step <= step);
    let Some(sample) = after.checked_sub(1).and_then(|at| samples.get(at)) else {
        return Figures { title: "Nothing is summed yet".to_owned(), values: Vec::new() };
    };
    let value = |quantity: &Quantity| (quantity.name(run), quantity.written(quantity.at(run, sample)));
    Figures {
        title: ["After operation ", &grouped(sample.step.into())].concat(),
        values: panel.quantities.iter().map(value).collect(),
    }
}

/// All quantities over time as a table, its columns first: at most so many samples, evenly chosen, the last among them.
pub fn table(run: &Run, most: usize) -> Vec<Vec<String>> {
    let all: Vec<Quantity> = Panel::all(run).into_iter().flat_map(|panel| panel.quantities).collect();
    let row = |first: String, cell: &dyn Fn(&Quantity) -> String| {
        std::iter::once(first).chain(all.iter().map(cell)).collect()
    };
    let samples = run.timeline.series();
    let every = samples.len().div_ceil(most.max(1)).max(1);
    let shown = samples.iter().rev().step_by(every).rev().map(|sample| {
        row(grouped(sample.step.into()), &|quantity| quantity.written(quantity.at(run, sample)))
    });
    std::iter::once(row("Operation".to_owned(), &|quantity| quantity.name(run))).chain(shown).collect()
}

/// The same, whole, as comma-separated values.
pub(crate) fn csv(run: &Run) -> String {
    let mut text = String::new();
    for (at, cells) in table(run, usize::MAX).into_iter().enumerate() {
        for (place, cell) in cells.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            if at == 0 {
                text.extend(["\"", cell, "\""]);
            } else {
                text.push_str(&cell.replace(',', ""));
            }
        }
        text.push('\n');
    }
    text
}
