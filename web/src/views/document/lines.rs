//! Lines over a common axis, with their table.

use std::rc::Rc;

use slabscope_charts::lines::{Line, plot};
use slabscope_charts::plot::{Style, axes, draw};
use slabscope_charts::theme::{Role, Theme};
use slabscope_lab::document::{LinePlot, MOST_ROWS};
use yew::prelude::*;

use super::sheet::SheetTable;
use crate::canvas::{Canvas, Draw, context, css, paint_chart};

#[derive(Properties, PartialEq)]
pub(super) struct LinesProps {
    pub(super) plot: Rc<LinePlot>,
    pub(super) theme: Theme,
}

/// The plot and its table.
#[component]
pub(super) fn LinesFigure(props: &LinesProps) -> Html {
    let open = use_state_eq(|| false);
    let draws = use_memo((props.plot.clone(), props.theme), |(plot, theme)| draws(plot, *theme));
    let LinePlot { caption, along, up, .. } = &*props.plot;
    let on_toggle = {
        let open = open.clone();
        move |event: Event| open.set(event.target_unchecked_into::<web_sys::HtmlDetailsElement>().open())
    };
    html! {
        <figure>
            <h3 class="part-title">{ caption }</h3>
            <Canvas class="plot" label={format!("{caption}: {up} against {along}")} draw={draws.0.clone()} over={draws.1.clone()} />
            <p class="fine">{ format!("Along: {along}.") }</p>
            <details ontoggle={on_toggle}>
                <summary class="link">{ "Show as table" }</summary>
                if *open { <SheetTable sheet={Rc::new(props.plot.sheet(MOST_ROWS))} /> }
            </details>
        </figure>
    }
}

/// The lines, and the cursor above them.
fn draws(source: &Rc<LinePlot>, theme: Theme) -> (Draw, Draw) {
    let lines: Vec<Line> = source
        .lines
        .iter()
        .map(|line| Line {
            name: line.name.clone(),
            points: line.points.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect(),
        })
        .collect();
    let plot = Rc::new(plot(&lines, &source.up));
    let base = Draw::new({
        let plot = plot.clone();
        move |canvas, size| {
            let style = Style { width: size.width, height: size.height, scale: size.scale, theme };
            paint_chart(canvas, size, theme, |area| draw(area, &plot, &style));
        }
    });
    let cursor = source.cursor;
    let over = Draw::new(move |canvas, size| {
        let (Some(context), Some(cursor)) = (context(canvas), cursor) else { return };
        let style = Style { width: size.width, height: size.height, scale: size.scale, theme };
        let axes = axes(&plot, &style);
        let x = axes.x_of(f64::from(cursor).min(axes.x_max)) * size.scale;
        context.set_fill_style_str(&css(theme.colour(Role::Ink2)));
        context.fill_rect(x, axes.top * size.scale, size.scale, (axes.bottom - axes.top) * size.scale);
    });
    (base, over)
}
