//! The pictures over time: the strip above the time axis, and the plot. Their ground is kept and put again; what
//! moves (cursor, range, pointer) lies over it.

use slabscope_charts::map::layout::Rect;
use slabscope_charts::over_time::{Look, OverTime, Place};
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Rgb, Role, Theme};
use slabscope_core::tell::{counted, grouped, tenths};
use slabscope_core::timeline::MarkKind;

use crate::protocol::{Show, Surface};
use crate::quantity::Panel;
use crate::run::Run;

/// Height of the row of steps, of what happened per stretch, and of a line of the legend, in CSS pixels.
const AXIS: f64 = 16.0;
const ACTIVITY: f64 = 12.0;
const LEGEND: f64 = 15.0;
/// Height above the largest value.
const ABOVE: f64 = 16.0;

/// What the ground depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key {
    size: (f32, f32),
    scale: f32,
    dark: bool,
    panel: u8,
    recorded: u32,
}

/// A picture over time.
#[derive(Debug)]
pub(crate) struct Plate {
    key: Key,
    /// Device pixels.
    pub(crate) width: usize,
    /// Device pixels.
    pub(crate) height: usize,
    /// The ground.
    pub(crate) pixels: Vec<u32>,
    /// Texts on the ground.
    pub(crate) labels: Vec<Label>,
    /// Samples of the legend, in CSS pixels.
    pub(crate) swatches: Vec<(Rect, Rgb)>,
    /// Upper and lower edge of the values in CSS pixels.
    edges: (f64, f64),
    until: u32,
}

impl Plate {
    /// The picture of a run as it is asked for; the one before is kept where it is the same. `None` if nothing is
    /// to be seen of it.
    pub(crate) fn renew(before: Option<Self>, on: Surface, run: &Run, show: &Show) -> Option<Self> {
        let (size, panel) = match on {
            Surface::Strip => (show.strip, 0),
            _ => (show.plot, show.panel),
        };
        if size.0 < 1.0 || size.1 < 1.0 {
            return None;
        }
        // While it is recorded, a new ground now and then is enough.
        let recorded = run.timeline.series().len() as u32 / 64
            + u32::from(run.timeline.recorded() == run.timeline.len());
        let key = Key { size, scale: show.scale, dark: show.dark, panel, recorded };
        if before.as_ref().is_some_and(|before| before.key == key) {
            return before;
        }
        let pixels = before.map(|before| before.pixels).unwrap_or_default();
        Some(Self::new(key, on == Surface::Strip, run, pixels))
    }

    fn new(key: Key, is_strip: bool, run: &Run, mut pixels: Vec<u32>) -> Self {
        let theme = if key.dark { Theme::Dark } else { Theme::Light };
        let (wide, tall, scale) = (f64::from(key.size.0), f64::from(key.size.1), f64::from(key.scale));
        let device = |css: f64| (css * scale).round().max(1.0) as usize;
        let panels = Panel::all(run);
        let fallback = Panel { name: String::new(), stacked: false, quantities: Vec::new() };
        let panel = panels.get(usize::from(key.panel)).unwrap_or(&fallback);
        let mut layers = panel.layers(run);
        if is_strip {
            // The peak is a figure; here it would only cover the pages.
            layers.truncate(2);
        }
        let steps: Vec<u32> =
            std::iter::once(0).chain(run.timeline.series().iter().map(|sample| sample.step)).collect();
        let compactions: Vec<(u32, u64)> = compactions(run);
        let marks: Vec<u32> = compactions.iter().map(|mark| mark.0).collect();
        let lines = if panel.stacked { 1 } else { layers.len() };
        let below = if is_strip { AXIS + ACTIVITY } else { AXIS + LEGEND * lines as f64 };
        let top = if is_strip { 4.0 } else { ABOVE };
        let bottom = (tall - below).max(top + 1.0);
        let until = run.timeline.len();
        let chart = OverTime {
            steps: &steps,
            until,
            layers: &layers,
            stacked: panel.stacked,
            groups: run.groups().len(),
            marks: &marks,
        };
        let (width, height) = (device(wide), device(tall));
        pixels.clear();
        pixels.resize(width * height, 0);
        let place = Place { width, height, top: device(top), bottom: device(bottom), grain: device(1.0) };
        chart.paint(&place, theme, &mut pixels);
        if is_strip {
            let counts: Vec<[u32; 2]> = run
                .timeline
                .series()
                .iter()
                .map(|sample| [sample.spans_created, sample.spans_freed.max(sample.moves)])
                .collect();
            let rows = Place { top: device(bottom + 1.0), bottom: device(bottom + ACTIVITY - 1.0), ..place };
            chart.paint_activity(&counts, &rows, theme, &mut pixels);
        }
        let mut plate = Self {
            key,
            width,
            height,
            pixels,
            labels: Vec::new(),
            swatches: Vec::new(),
            edges: (top, bottom),
            until,
        };
        plate.name_steps(wide, bottom + if is_strip { ACTIVITY } else { 0.0 });
        if is_strip {
            plate.name_compactions(wide, &compactions);
        } else {
            let most = if chart.highest() < 100.0 {
                tenths(chart.highest().into())
            } else {
                grouped(chart.highest() as u64)
            };
            plate.labels.push(text(0.0, 7.0, most, Align::Start, Role::Ink3));
            plate.legend(run, panel, &layers, theme, bottom + AXIS);
        }
        plate
    }

    fn name_steps(&mut self, wide: f64, top: f64) {
        let ticks = if wide < 500.0 { 3 } else { 6 };
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
    fn name_compactions(&mut self, wide: f64, compactions: &[(u32, u64)]) {
        if wide < 700.0 || compactions.len() > 3 {
            return;
        }
        for &(step, pages) in compactions {
            let said = format!("compaction: {} returned", counted(pages, "page", "pages"));
            let x = self.x_of(step);
            let (x, align) = if x > wide - 160.0 { (x - 4.0, Align::End) } else { (x + 4.0, Align::Start) };
            self.labels.push(text(x, 11.0, said, align, Role::Ink2));
        }
    }

    fn legend(&mut self, run: &Run, panel: &Panel, layers: &[(Look, Vec<f32>)], theme: Theme, top: f64) {
        let groups = run.groups().len();
        let rgb = |look: Look| {
            let [red, green, blue, _] = look.colour(theme, groups).to_le_bytes();
            [red, green, blue]
        };
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

    /// Device pixels per CSS pixel.
    pub(crate) fn scale(&self) -> f64 {
        self.key.scale.into()
    }

    /// The theme it was drawn in.
    pub(crate) const fn theme(&self) -> Theme {
        if self.key.dark { Theme::Dark } else { Theme::Light }
    }

    /// Where a step is, in CSS pixels.
    pub(crate) fn x_of(&self, step: u32) -> f64 {
        f64::from(self.key.size.0) * f64::from(step) / f64::from(self.until.max(1))
    }

    /// The step at a place in CSS pixels.
    pub(crate) fn step_at(&self, x: f32) -> u32 {
        let part = f64::from(x) / f64::from(self.key.size.0).max(1.0);
        (part.clamp(0.0, 1.0) * f64::from(self.until)).round() as u32
    }

    /// What lies over the ground: the range, the cursor, and where the pointer is.
    pub(crate) fn over(
        &self,
        step: u32,
        range: Option<(u32, u32)>,
        pointer: Option<u32>,
    ) -> Vec<(Rect, Role)> {
        let (top, bottom) = self.edges;
        let line = |step: u32, width: f64| {
            let x = (self.x_of(step) - width / 2.0).max(0.0).min(f64::from(self.key.size.0) - width);
            Rect { x, y: 0.0, width, height: bottom }
        };
        let mut over = Vec::new();
        if let Some((from, to)) = range {
            let (left, right) = (self.x_of(from), self.x_of(to));
            over.push((
                Rect { x: left, y: 0.0, width: (right - left).max(1.0), height: top.min(4.0) },
                Role::Accent,
            ));
            over.extend([from, to].map(|step| (line(step, 1.0), Role::Accent)));
        }
        over.extend(pointer.map(|step| (line(step, 1.0), Role::Ink2)));
        over.push((line(step, 2.0), Role::Accent));
        over
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
