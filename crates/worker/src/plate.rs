//! The pictures over time: the strip above the time axis, and the plot. Their ground is kept and put again; what
//! moves (cursor, range, pointer) lies over it.

use slabscope_charts::map::layout::Rect;
use slabscope_charts::over_time::Place;
use slabscope_charts::theme::{Role, Theme};

use crate::protocol::{Show, Surface};
use crate::quantity::Panel;
use crate::run::Run;
use crate::sketch::{ACTIVITY, Frame, Sketch};

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
    /// What stands around the curves.
    pub(crate) frame: Frame,
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
        let panel = Panel::all(run).into_iter().nth(key.panel.into()).unwrap_or_default();
        let Sketch { curves, frame } = Sketch::new(run, &panel, is_strip, (wide, tall), theme);
        let chart = curves.chart();
        let (top, bottom) = frame.edges;
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
        Self { key, width, height, pixels, frame }
    }

    /// Device pixels per CSS pixel.
    pub(crate) fn scale(&self) -> f64 {
        self.key.scale.into()
    }

    /// The theme it was drawn in.
    pub(crate) const fn theme(&self) -> Theme {
        if self.key.dark { Theme::Dark } else { Theme::Light }
    }

    /// What lies over the ground: the range, the cursor, and where the pointer is.
    pub(crate) fn over(
        &self,
        step: u32,
        range: Option<(u32, u32)>,
        pointer: Option<u32>,
    ) -> Vec<(Rect, Role)> {
        let (top, bottom) = self.frame.edges;
        let line = |step: u32, width: f64| {
            let x = (self.frame.x_of(step) - width / 2.0).max(0.0).min(f64::from(self.key.size.0) - width);
            Rect { x, y: 0.0, width, height: bottom }
        };
        let mut over = Vec::new();
        if let Some((from, to)) = range {
            let (left, right) = (self.frame.x_of(from), self.frame.x_of(to));
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
