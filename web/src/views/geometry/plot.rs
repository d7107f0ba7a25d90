//! The plot against object size.

use plotters::prelude::IntoDrawingArea as _;
use plotters_canvas::CanvasBackend;
use slabscope_charts::plot::{Axes, Plot as Drawing, Style, axes, draw};
use slabscope_charts::theme::{Role, Theme};
use slabscope_charts::zsmalloc;
use slabscope_core::tell::{bytes, grouped};
use slabscope_core::zsmalloc::{Config, Geometry};
use slabscope_scenario::{Key, Plot};
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::Shared;
use crate::canvas::{Canvas, Draw, Size, context, css, paint_labels, use_size};
use crate::controls::Segments;
use crate::state::{Command, State};

#[derive(Properties, PartialEq)]
pub(super) struct PlotProps {
    pub(super) state: UseReducerHandle<State>,
    pub(super) theme: Theme,
    pub(super) geometry: Shared,
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
}

/// Max pages offered for comparison.
const ALSO: [u8; 6] = [4, 5, 6, 8, 12, 16];

/// The plot with its tools, readout and legend.
#[component]
pub(super) fn PlotPanel(props: &PlotProps) -> Html {
    let hover = use_state_eq(|| None::<u32>);
    let scenario = &props.state.scenario;
    let kind = Plot::from_name(&scenario.text(Key::Plot)).unwrap_or(Plot::Loss);
    let also = numbers(&scenario.text(Key::Also));
    let config = *props.geometry.0.config();
    let drawing = use_memo((config, also.clone(), kind), |(config, also, kind)| drawing(config, also, *kind));
    let base = use_memo((config, also.clone(), kind, props.theme), {
        let (drawing, theme) = (drawing.clone(), props.theme);
        move |_| Draw::new(move |canvas, size| paint(canvas, size, &drawing, theme))
    });
    let over = use_memo((*hover, props.size, config, kind, props.theme), {
        let (drawing, theme, geometry) = (drawing.clone(), props.theme, props.geometry.clone());
        move |&(hover, size, ..)| {
            Draw::new(move |canvas, area| {
                paint_over(canvas, area, &drawing, &geometry.0, (hover, size), theme, kind)
            })
        }
    });
    let size_at = {
        let (drawing, page) = (drawing.clone(), config.page_bytes());
        move |x: f64, width: f64| {
            let style = Style { width, height: 300.0, scale: 1.0, theme: Theme::Light };
            (axes(&drawing, &style).size_at(x).round() as u32).clamp(1, page)
        }
    };
    let frame = use_node_ref();
    let width = use_size(&frame).map_or(0.0, |size| size.width);
    let on_hover = {
        let (hover, size_at, width) = (hover.clone(), size_at.clone(), width);
        Callback::from(move |at: Option<(f64, f64)>| hover.set(at.map(|(x, _)| size_at(x, width))))
    };
    let on_pick = {
        let (pick, width) = (props.pick.clone(), width);
        Callback::from(move |(x, _): (f64, f64)| pick.emit(size_at(x, width)))
    };
    let dispatch = props.state.dispatcher();
    let on_kind =
        Callback::from(move |name: AttrValue| dispatch.dispatch(Command::Enter(Key::Plot, name.to_string())));
    let label = format!("{}, {}", kind.label(), scenario.side(0).describe());
    let shown = [Plot::Loss, Plot::Cost, Plot::Crossing];
    html! {
        <>
            <div class="tools">
                <Segments label="Plot" value={kind.name()} on_change={on_kind}
                    options={shown.iter().map(|plot| (plot.name().into(), plot.label().into())).collect::<Vec<_>>()} />
                <Also state={props.state.clone()} chosen={also} current={config.max_pages} />
            </div>
            <div ref={frame}>
                <Canvas class="plot" {label} draw={(*base).clone()} over={(*over).clone()} {on_hover} {on_pick} />
            </div>
            <p class="fine" role="status">{ readout(&props.geometry.0, hover.unwrap_or(props.size)) }</p>
            { legend(kind) }
        </>
    }
}

fn numbers(text: &str) -> Vec<u8> {
    text.split(',').filter_map(|part| part.parse().ok()).collect()
}

fn drawing(config: &Config, also: &[u8], kind: Plot) -> Drawing {
    let geometry = |max_pages: u8| Geometry::new(&Config { max_pages, ..*config }).ok();
    let Some(current) = geometry(config.max_pages) else { return Drawing::default() };
    let others: Vec<Geometry> = also.iter().filter_map(|&pages| geometry(pages)).collect();
    match kind {
        Plot::Cost => zsmalloc::cost(&current, &others),
        Plot::Crossing => zsmalloc::crossing(&current, &others),
        _ => {
            let rest = ALSO.iter().filter(|pages| !also.contains(pages) && **pages != config.max_pages);
            zsmalloc::loss(&current, &others, &rest.filter_map(|&pages| geometry(pages)).collect::<Vec<_>>())
        }
    }
}

fn style(size: Size, theme: Theme) -> Style {
    Style { width: size.width, height: size.height, scale: size.scale, theme }
}

fn paint(canvas: &HtmlCanvasElement, size: Size, drawing: &Drawing, theme: Theme) {
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
    // The canvas backend has no way to fail.
    if let Ok(labels) = draw(&backend.into_drawing_area(), drawing, &style(size, theme)) {
        paint_labels(canvas, &labels, size, theme);
    }
}

/// The line of the size in hand and that of the one inspected.
fn paint_over(
    canvas: &HtmlCanvasElement,
    area: Size,
    drawing: &Drawing,
    geometry: &Geometry,
    (hover, size): (Option<u32>, u32),
    theme: Theme,
    kind: Plot,
) {
    let Some(context) = context(canvas) else { return };
    let axes: Axes = axes(drawing, &style(area, theme));
    let scale = area.scale;
    let line = |size: u32, role: Role| {
        let x = axes.x_of(size.into()) * scale;
        context.set_fill_style_str(&css(theme.colour(role)));
        context.fill_rect(x - 0.75 * scale, axes.top * scale, 1.5 * scale, (axes.bottom - axes.top) * scale);
        let Ok(cost) = geometry.cost(size) else { return };
        let value = match kind {
            Plot::Cost => cost.paid(),
            Plot::Loss => cost.lost(),
            _ => return,
        };
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

fn readout(geometry: &Geometry, size: u32) -> String {
    let Ok(cost) = geometry.cost(size) else { return String::new() };
    let class = &geometry.classes()[cost.class];
    let crossing = class.crossing(geometry.config().page_bytes());
    format!(
        "{}: class {}, {:.1} paid, {:.1} lost (handle {}, rounding {}, tail {:.1}); {} of {} objects cross a page",
        bytes(size.into()),
        class.size,
        cost.paid(),
        cost.lost(),
        cost.handle,
        grouped(cost.rounding.into()),
        cost.tail,
        crossing,
        class.objects
    )
}

fn legend(kind: Plot) -> Html {
    let ribbon = html! {
        <span>
            <i class="swatch pages1" /><i class="swatch pages2" /><i class="swatch pages3" /><i class="swatch pages4" />
            { "1, 2, 3, 4 and more pages in a zspage" }
        </span>
    };
    let entries = match kind {
        Plot::Loss => html! {
            <>
                <span><i class="swatch handle" />{ "Handle" }</span>
                <span><i class="swatch rounding" />{ "Rounding" }</span>
                <span><i class="swatch tail" />{ "Tail" }</span>
                <span><i class="swatch line" />{ "Compared" }</span>
            </>
        },
        Plot::Cost => html! { <span>{ "Thin straight line: nothing lost" }</span> },
        _ => html! { <span><i class="swatch line" />{ "Compared" }</span> },
    };
    html! { <div class="legend">{ entries }{ ribbon }</div> }
}

#[derive(Properties, PartialEq)]
struct AlsoProps {
    state: UseReducerHandle<State>,
    chosen: Vec<u8>,
    current: u8,
}

/// Further max pages to draw.
#[component]
fn Also(props: &AlsoProps) -> Html {
    let toggle = |pages: u8| {
        let mut chosen = props.chosen.clone();
        match chosen.iter().position(|&one| one == pages) {
            Some(at) => drop(chosen.remove(at)),
            None => chosen.push(pages),
        }
        chosen.sort_unstable();
        let text = chosen.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let dispatch = props.state.dispatcher();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(Command::Enter(Key::Also, text.clone())))
    };
    html! {
        <div class="chips" role="group" aria-label="Compared max pages">
            <span class="dim">{ "Also at" }</span>
            for pages in ALSO.into_iter().filter(|pages| *pages != props.current) {
                <button type="button" class="chip" key={pages} aria-pressed={props.chosen.contains(&pages).to_string()}
                    aria-label={format!("Also at {pages} pages")} onclick={toggle(pages)}>{ pages }</button>
            }
            <span class="dim">{ "pages" }</span>
        </div>
    }
}
