//! The Pool view's pictures over time, as SVG.

use slabscope_charts::map::layout::Rect;
use slabscope_charts::over_time::Field;
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::svg::{colour, hex, number, wrapped, write_label};
use slabscope_charts::theme::{Role, Theme};
use slabscope_worker::quantity::Panel;
use slabscope_worker::run::Run;
use slabscope_worker::sketch::Sketch;

use crate::drawn::ground;

/// CSS pixels of a picture, and of the line above it that names it.
const SIZE: (u32, u32) = (720, 300);
const HEADING: f64 = 20.0;

/// A panel of a run, with a line after the step that is looked at.
pub(crate) fn over_time(run: &Run, panel: &Panel, step: u32, theme: Theme, title: &str) -> String {
    let (wide, tall) = (f64::from(SIZE.0), f64::from(SIZE.1) - HEADING);
    let Sketch { curves, frame } = Sketch::new(run, panel, false, (wide, tall), theme);
    let (top, bottom) = frame.edges;
    let mut body = ground(wide, tall + HEADING, theme);
    let name = Label {
        x: 0.0,
        y: 9.0,
        text: panel.name.clone(),
        align: Align::Start,
        role: Role::Ink,
        strong: true,
    };
    write_label(&mut body, &name, theme);
    body.push_str(&format!("<g transform=\"translate(0 {})\">\n", number(HEADING)));
    body.push_str(&curves.chart().svg(&Field { width: SIZE.0, top, bottom }, theme));
    for (rect, rgb) in &frame.swatches {
        body.push_str(&area(rect, &hex(*rgb)));
    }
    let x = (frame.x_of(step) - 1.0).clamp(0.0, wide - 2.0);
    body.push_str(&area(&Rect { x, y: 0.0, width: 2.0, height: bottom }, &colour(theme, Role::Accent)));
    for label in &frame.labels {
        write_label(&mut body, label, theme);
    }
    body.push_str("</g>\n");
    wrapped(SIZE, title, &body)
}

fn area(rect: &Rect, fill: &str) -> String {
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(number);
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n")
}
