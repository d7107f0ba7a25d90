//! A plot against object size that can be pointed at and chosen from.

use std::rc::Rc;

use slabscope_charts::plot::{Plot, Style, axes, draw};
use slabscope_charts::theme::{Role, Theme};
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, Size, context, css, paint_chart, use_size};

/// The value at a size, where the plot has one; two are equal if they are the same closure.
#[derive(Clone)]
pub(super) struct Curve(pub(super) Rc<dyn Fn(u32) -> Option<f64>>);

impl PartialEq for Curve {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct SizePlotProps {
    /// What it shows, in words.
    pub(super) label: String,
    pub(super) plot: Rc<Plot>,
    pub(super) curve: Curve,
    pub(super) theme: Theme,
    /// The size that is looked at.
    pub(super) size: u32,
    /// Largest size that can be chosen.
    pub(super) most: u32,
    /// The size under the pointer.
    pub(super) hover: Option<u32>,
    pub(super) on_hover: Callback<Option<u32>>,
    pub(super) pick: Callback<u32>,
}

/// The plot; a line over it for the size in hand and one for that looked at.
#[component]
pub(super) fn SizePlot(props: &SizePlotProps) -> Html {
    let base = use_memo((props.plot.clone(), props.theme), |(plot, theme)| {
        let (plot, theme) = (plot.clone(), *theme);
        Draw::new(move |canvas, size| paint(canvas, size, &plot, theme))
    });
    let over = use_memo(
        (props.hover, props.size, props.plot.clone(), props.curve.clone(), props.theme),
        |(hover, size, plot, curve, theme)| {
            let (sizes, plot, curve, theme) = ((*hover, *size), plot.clone(), curve.clone(), *theme);
            Draw::new(move |canvas, area| paint_over(canvas, area, &plot, &curve, sizes, theme))
        },
    );
    let frame = use_node_ref();
    let width = use_size(&frame).map_or(0.0, |size| size.width);
    let size_at = {
        let (plot, most) = (props.plot.clone(), props.most);
        move |x: f64| {
            let style = Style { width, height: 300.0, scale: 1.0, theme: Theme::Light };
            (axes(&plot, &style).size_at(x).round() as u32).clamp(1, most)
        }
    };
    let on_hover = props.on_hover.reform({
        let size_at = size_at.clone();
        move |at: Option<(f64, f64)>| at.map(|(x, _)| size_at(x))
    });
    let on_pick = props.pick.reform(move |(x, _): (f64, f64)| size_at(x));
    html! {
        <div ref={frame}>
            <Canvas class="plot" label={props.label.clone()} draw={(*base).clone()} over={(*over).clone()} {on_hover} {on_pick} />
        </div>
    }
}

fn style(size: Size, theme: Theme) -> Style {
    Style { width: size.width, height: size.height, scale: size.scale, theme }
}

fn paint(canvas: &HtmlCanvasElement, size: Size, plot: &Plot, theme: Theme) {
    paint_chart(canvas, size, theme, |area| draw(area, plot, &style(size, theme)));
}

/// The line of the size in hand and that of the one looked at.
fn paint_over(
    canvas: &HtmlCanvasElement,
    area: Size,
    plot: &Plot,
    curve: &Curve,
    (hover, size): (Option<u32>, u32),
    theme: Theme,
) {
    let Some(context) = context(canvas) else { return };
    let axes = axes(plot, &style(area, theme));
    let scale = area.scale;
    let line = |size: u32, role: Role| {
        let x = axes.x_of(size.into()) * scale;
        context.set_fill_style_str(&css(theme.colour(role)));
        context.fill_rect(x - 0.75 * scale, axes.top * scale, 1.5 * scale, (axes.bottom - axes.top) * scale);
        let Some(value) = (curve.0)(size) else { return };
        context.begin_path();
        // A circle of a positive radius is one.
        let _ = context.arc(x, axes.y_of(value) * scale, 3.5 * scale, 0.0, std::f64::consts::TAU);
        context.fill();
    };
    if let Some(hover) = hover.filter(|hover| *hover != size) {
        line(hover, Role::Ink3);
    }
    line(size, Role::Accent);
}
