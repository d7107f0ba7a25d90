//! Threads as lanes: pale while they compute, hatched while they wait, dark while they hold a lock.

use std::rc::Rc;

use slabscope_charts::plot::blend;
use slabscope_charts::theme::{Role, Theme};
use slabscope_lab::document::{Doing, Lanes};
use web_sys::CanvasRenderingContext2d;
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, context, css};

/// Height of a lane in CSS pixels.
const LANE: f64 = 12.0;

#[derive(Properties, PartialEq)]
pub(super) struct LanesProps {
    pub(super) lanes: Rc<Lanes>,
    pub(super) theme: Theme,
}

/// The lanes and what their shades mean.
#[component]
pub(super) fn LanesFigure(props: &LanesProps) -> Html {
    let draw = use_memo((props.lanes.clone(), props.theme), |(lanes, theme)| {
        let (lanes, theme) = (lanes.clone(), *theme);
        Draw::new(move |canvas, size| {
            let Some(context) = context(canvas) else { return };
            let across = size.width * size.scale / lanes.until.max(1) as f64;
            for (index, lane) in lanes.lanes.iter().enumerate() {
                let (top, height) = (index as f64 * LANE * size.scale, (LANE - 2.0) * size.scale);
                for segment in lane {
                    let (from, to) = (segment.0 as f64 * across, segment.1 as f64 * across);
                    stretch(
                        &context,
                        segment.2,
                        (from, top, (to - from).max(0.5), height),
                        theme,
                        size.scale,
                    );
                }
            }
        })
    });
    let lanes = &props.lanes;
    html! {
        <section aria-label={lanes.caption.clone()}>
            <div class="tools"><h3 class="part-title">{ &lanes.caption }</h3>
                <div class="legend push"><span><i class="swatch data" />{ "computes" }</span><span><i class="swatch rounding" />{ "waits for a lock" }</span><span><i class="swatch held" />{ "holds a lock" }</span></div></div>
            <Canvas label={lanes.caption.clone()} height={Some(lanes.lanes.len() as f64 * LANE)} draw={(*draw).clone()} />
        </section>
    }
}

fn stretch(
    context: &CanvasRenderingContext2d,
    doing: Doing,
    (left, top, width, height): (f64, f64, f64, f64),
    theme: Theme,
    scale: f64,
) {
    let paper = theme.colour(Role::Paper);
    let fill = match doing {
        Doing::Off => return,
        Doing::Compute => theme.colour(Role::Data),
        Doing::Wait => blend(theme.colour(Role::Rounding), paper, 0.35),
        Doing::Hold => theme.colour(Role::Ink),
    };
    context.set_fill_style_str(&css(fill));
    context.fill_rect(left, top, width, height);
    if doing == Doing::Wait {
        // Upright lines, so that waiting is known without its colour.
        context.set_fill_style_str(&css(theme.colour(Role::Rounding)));
        let mut x = left;
        while x < left + width {
            context.fill_rect(x, top, scale.min(left + width - x), height);
            x += 4.0 * scale;
        }
    }
}
