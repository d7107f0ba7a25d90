//! The map of orders on a canvas, with its table.

use slabscope_charts::order_map::OrderMap;
use slabscope_charts::theme::{Role, Theme};
use slabscope_core::slub::{OrderParams, calculate_order};
use slabscope_core::tell::{bytes, grouped};
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, Size, context, css, paint_chart, use_size};
use crate::views::plain::{Line, table};

#[derive(Properties, PartialEq)]
pub(super) struct OrderPictureProps {
    /// The map; its own size is the one looked at.
    pub(super) map: OrderMap,
    pub(super) theme: Theme,
    /// What it shows, in words.
    pub(super) label: String,
    pub(super) pick: Callback<u32>,
}

/// Sizes along, orders upward; the order taken is marked.
#[component]
pub(super) fn OrderPicture(props: &OrderPictureProps) -> Html {
    let hover = use_state_eq(|| None::<u32>);
    // The size looked at is drawn above, so that moving it does not redraw the cells.
    let cells = OrderMap { params: OrderParams { size: 8, ..props.map.params }, ..props.map };
    let base = use_memo((cells, props.theme), |&(map, theme)| {
        Draw::new(move |canvas, size| paint(canvas, size, &map, theme))
    });
    let over = use_memo((props.map, *hover, props.theme), |&(map, hover, theme)| {
        Draw::new(move |canvas, size| paint_over(canvas, size, &map, hover, theme))
    });
    let frame = use_node_ref();
    let width = use_size(&frame).map_or(0.0, |size| size.width);
    let map = props.map;
    let on_hover = {
        let hover = hover.setter();
        Callback::from(move |at: Option<(f64, f64)>| hover.set(at.map(|(x, _)| map.size_at(x, width))))
    };
    let on_pick = props.pick.reform(move |(x, _): (f64, f64)| map.size_at(x, width));
    let shown = map.of_size(hover.unwrap_or(map.params.size));
    html! {
        <>
            <div ref={frame}>
                <Canvas class="plot" label={props.label.clone()} draw={(*base).clone()} over={(*over).clone()} {on_hover} {on_pick} />
            </div>
            <p class="fine" role="status">{ readout(&shown) }</p>
            <div class="legend">
                <span><i class="swatch order-good" />{ "nothing left over" }</span>
                <span><i class="swatch order-bad" />{ "an eighth of the slab and more" }</span>
                <span><i class="swatch order-taken" />{ "the order taken" }</span>
            </div>
            <details>
                <summary class="link">{ "Show as table" }</summary>
                { table(&["Order", "Objects", "Left over", "Taken"], (0..=map.highest).map(|order| line(&map.params, order)).collect()) }
            </details>
        </>
    }
}

fn line(params: &OrderParams, order: u8) -> Line {
    let chosen = calculate_order(params).is_ok_and(|answer| answer.order == order);
    let (objects, waste) =
        params.slab(order).map_or((0, String::new()), |slab| (slab.objects, grouped(slab.waste.into())));
    let taken = if chosen { "taken" } else { "" };
    Line { cells: vec![order.to_string(), objects.to_string(), waste, taken.to_owned()], chosen, dim: false }
}

fn readout(params: &OrderParams) -> String {
    let size = bytes(params.size.into());
    match calculate_order(params) {
        Ok(answer) => format!(
            "{size}: order {}, {} objects, {} left over",
            answer.order,
            grouped(answer.objects.into()),
            bytes(answer.waste.into())
        ),
        Err(error) => format!("{size}: {error}"),
    }
}

fn paint(canvas: &HtmlCanvasElement, size: Size, map: &OrderMap, theme: Theme) {
    paint_chart(canvas, size, theme, |area| map.draw(area, (size.width, size.height), size.scale, theme));
}

fn paint_over(canvas: &HtmlCanvasElement, size: Size, map: &OrderMap, hover: Option<u32>, theme: Theme) {
    let Some(context) = context(canvas) else { return };
    let line = |at: u32, role: Role| {
        let x = map.x_of(at, size.width) * size.scale;
        context.set_fill_style_str(&css(theme.colour(role)));
        context.fill_rect(
            x - 0.75 * size.scale,
            14.0 * size.scale,
            1.5 * size.scale,
            (size.height - 32.0) * size.scale,
        );
    };
    if let Some(hover) = hover {
        line(hover, Role::Ink3);
    }
    line(map.params.size, Role::Ink);
}
