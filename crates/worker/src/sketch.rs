//! A picture over time before it is painted: its curves, the texts and the legend around them. The page's canvas and
//! files are made from the same.

use slabscope_charts::map::layout::Rect;
use slabscope_charts::over_time::{Look, OverTime};
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Rgb, Role, Theme};
use slabscope_core::tell::{counted, grouped, tenths};
use slabscope_core::timeline::MarkKind;

use crate::quantity::Panel;
use crate::run::Run;

/// Height of the row of steps, of what happened per stretch, and of a line of the legend, in CSS pixels.
const AXIS: f64 = 16.0;
pub(crate) const ACTIVITY: f64 = 12.0;
const LEGEND: f64 = 15.0;
/// Height above the largest value.
const ABOVE: f64 = 16.0;

/// A picture over time in CSS pixels.
#[derive(Debug)]
pub struct Sketch {
    /// What its curves are made of.
    pub curves: Curves,
    /// What stands around them.
    pub frame: Frame,
}

/// The curves of a picture.
#[derive(Debug)]
pub struct Curves {
    steps: Vec<u32>,
    until: u32,
    layers: Vec<(Look, Vec<f32>)>,
    stacked: bool,
    groups: usize,
    marks: Vec<u32>,
}

impl Curves {
    /// As they are drawn.
    pub fn chart(&self) -> OverTime<'_> {
        OverTime {
            steps: &self.steps,
            until: self.until,
            layers: &self.layers,
            stacked: self.stacked,
            groups: self.groups,
            marks: &self.marks,
        }
    }
}

/// Texts, legend, and where the curves are.
#[derive(Debug)]
pub struct Frame {
    /// Width of the picture.
    pub wide: f64,
    /// Upper and lower edge of the values.
    pub edges: (f64, f64),
    /// The texts.
    pub labels: Vec<Label>,
    /// Samples of the legend.
    pub swatches: Vec<(Rect, Rgb)>,
    until: u32,
}

impl Frame {
    /// Where a step is.
    pub fn x_of(&self, step: u32) -> f64 {
        self.wide * f64::from(step) / f64::from(self.until.max(1))
    }

    /// The step at a place.
    pub(crate) fn step_at(&self, x: f64) -> u32 {
        let part = x / self.wide.max(1.0);
        (part.clamp(0.0, 1.0) * f64::from(self.until)).round() as u32
    }

    fn name_steps(&mut self, top: f64) {
        let ticks = if self.wide < 500.0 { 3 } else { 6 };
        for tick in 0..=ticks {
            let step = u64::from(self.until) * tick / ticks;
            let align = match tick {
                0 => Align::Start,
                _ if tick == ticks => Align::End,
                _ => Align::Middle,
            };
            let x = self.x_of(step as u32);
            self.labels.push(text(x, top + AXIS - 7.0, grouped(step), align, Role::Ink3));
        }
    }

    /// Says what compactions returned. Words of many would cover each other.
    fn name_compactions(&mut self, compactions: &[(u32, u64)]) {
        if self.wide < 700.0 || compactions.len() > 3 {
            return;
        }
        for &(step, pages) in compactions {
            let said = format!("compaction: {} returned", counted(pages, "page", "pages"));
            let x = self.x_of(step);
            let (x, align) =
                if x > self.wide - 160.0 { (x - 4.0, Align::End) } else { (x + 4.0, Align::Start) };
            self.labels.push(text(x, 11.0, said, align, Role::Ink2));
        }
    }

    fn legend(&mut self, run: &Run, panel: &Panel, layers: &[(Look, Vec<f32>)], theme: Theme, top: f64) {
        let groups = run.groups().len();
        let rgb = |look: Look| look.rgb(theme, groups);
        if panel.stacked {
            for (at, (look, _)) in layers.iter().enumerate() {
                let rect = Rect { x: 60.0 + 12.0 * at as f64, y: top + 3.0, width: 12.0, height: 9.0 };
                self.swatches.push((rect, rgb(*look)));
            }
            let name = |group: u8| {
                run.groups().get(usize::from(group)).copied().unwrap_or_default().replace('_', " ")
            };
            let end = 64.0 + 12.0 * layers.len() as f64;
            self.labels.push(text(54.0, top + 8.0, name(run.first_group()), Align::End, Role::Ink2));
            self.labels.push(text(
                end,
                top + 8.0,
                name(groups.saturating_sub(1) as u8),
                Align::Start,
                Role::Ink2,
            ));
            return;
        }
        for (at, ((look, _), quantity)) in layers.iter().zip(&panel.quantities).enumerate() {
            let y = top + LEGEND * at as f64;
            let (on, off, thick) = match look {
                Look::Fill(_) | Look::Group(_) => (24.0, 0.0, 9.0),
                Look::Dots(_) => (1.5, 2.5, 9.0),
                Look::Line(_) => (24.0, 0.0, 2.0),
                Look::Dashes(_) => (5.0, 3.0, 2.0),
                Look::Sparse(_) => (2.0, 2.0, 2.0),
            };
            let mut x = 0.0;
            while x < 24.0 {
                let rect = Rect { x, y: y + 7.5 - thick / 2.0, width: on, height: thick };
                self.swatches.push((rect, rgb(*look)));
                x += on + off;
            }
            self.labels.push(text(30.0, y + 8.0, quantity.name(run), Align::Start, Role::Ink2));
        }
    }
}

impl Sketch {
    /// The picture of a panel: as the strip above the time axis, or as a plot with a legend.
    pub fn new(run: &Run, panel: &Panel, is_strip: bool, (wide, tall): (f64, f64), theme: Theme) -> Self {
        let mut layers = panel.layers(run);
        if is_strip {
            // The peak is a figure; here it would only cover the pages.
            layers.truncate(2);
        }
        let samples = run.timeline.series().iter().map(|sample| sample.step);
        let compactions = compactions(run);
        let curves = Curves {
            steps: std::iter::once(0).chain(samples).collect(),
            until: run.timeline.len(),
            layers,
            stacked: panel.stacked,
            groups: run.groups().len(),
            marks: compactions.iter().map(|mark| mark.0).collect(),
        };
        let lines = if panel.stacked { 1 } else { curves.layers.len() };
        let below = if is_strip { AXIS + ACTIVITY } else { AXIS + LEGEND * lines as f64 };
        let top = if is_strip { 4.0 } else { ABOVE };
        let bottom = (tall - below).max(top + 1.0);
        let mut frame = Frame {
            wide,
            edges: (top, bottom),
            labels: Vec::new(),
            swatches: Vec::new(),
            until: curves.until,
        };
        frame.name_steps(bottom + if is_strip { ACTIVITY } else { 0.0 });
        if is_strip {
            frame.name_compactions(&compactions);
        } else {
            let highest = curves.chart().highest();
            let most = if highest < 100.0 { tenths(highest.into()) } else { grouped(highest as u64) };
            frame.labels.push(text(0.0, 7.0, most, Align::Start, Role::Ink3));
            frame.legend(run, panel, &curves.layers, theme, bottom + AXIS);
        }
        Self { curves, frame }
    }
}

fn compactions(run: &Run) -> Vec<(u32, u64)> {
    let marks = run.timeline.marks().iter().filter_map(|mark| match mark.kind {
        MarkKind::Compacted { pages_freed, .. } => Some((mark.step, pages_freed)),
        _ => None,
    });
    marks.collect()
}

const fn text(x: f64, y: f64, text: String, align: Align, role: Role) -> Label {
    Label { x, y, text, align, role, strong: false }
}
