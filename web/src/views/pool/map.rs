//! The map of the pool on a canvas of its own, as tall as the window lets it be.

use std::rc::Rc;

use slabscope_charts::map::layout::Rect;
use slabscope_charts::map::{MapLayout, MapOptions, Palette, RowOrder, Viewport, paint};
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Rgb, Role, Theme};
use slabscope_core::pool::{Pool as _, SpanId};
use slabscope_core::tell::grouped;
use wasm_bindgen::Clamped;
use web_sys::{HtmlCanvasElement, ImageData};
use yew::prelude::*;

use super::run::Run;
use crate::canvas::{Canvas, Draw, Size, context, css, paint_labels, use_size};
use crate::controls::Segments;

#[derive(Properties, PartialEq)]
pub(super) struct MapProps {
    pub(super) run: Rc<Run>,
    pub(super) step: u32,
    pub(super) theme: Theme,
    pub(super) selected: Option<SpanId>,
    pub(super) select: Callback<Option<SpanId>>,
}

/// Height of the column headings in CSS pixels.
const HEAD: f64 = 36.0;

/// Rows by class, columns by group, a bar per span.
#[component]
pub(super) fn Map(props: &MapProps) -> Html {
    let order = use_state_eq(RowOrder::default);
    let zoom = use_state_eq(|| 1.0f64);
    let top = use_state_eq(|| 0.0f64);
    let frame = use_node_ref();
    let size = use_size(&frame);
    let width = size.map_or(0.0, |size| size.width);
    let layout = use_memo(
        (props.run.clone(), props.step, *order, *zoom as f32, width as u32),
        |(run, step, order, zoom, width)| {
            run.with(|timeline| {
                timeline.seek(*step);
                let columns = run.groups().len() - usize::from(run.first_group());
                let options = MapOptions::for_width(
                    f64::from(*width),
                    f64::from(*zoom),
                    *order,
                    columns,
                    run.longest(),
                );
                MapLayout::new(timeline.pool(), run.first_group(), options)
            })
        },
    );
    let visible = size.map_or(0.0, |size| size.height - HEAD).max(0.0);
    let shown_top = top.min((layout.height - visible).max(0.0));
    use_sight(&top, &layout, props.selected, visible);
    let draw = Draw::new({
        let (run, layout, step, theme) = (props.run.clone(), layout.clone(), props.step, props.theme);
        let selected = props.selected;
        move |canvas, size| {
            run.with(|timeline| {
                timeline.seek(step);
                paint_map(
                    canvas,
                    size,
                    &View {
                        run: &run,
                        pool: timeline.pool(),
                        layout: &layout,
                        top: shown_top,
                        theme,
                        selected,
                    },
                );
            });
        }
    });
    let on_pick = {
        let (layout, select) = (layout.clone(), props.select.clone());
        Callback::from(move |(x, y): (f64, f64)| {
            if y > HEAD {
                select.emit(layout.hit(x, y - HEAD + shown_top, 2.0).map(|span| span.id));
            }
        })
    };
    let limit = (layout.height - visible).max(0.0);
    let onwheel = {
        let (top, zoom) = (top.clone(), zoom.clone());
        move |event: WheelEvent| {
            if event.ctrl_key() || event.meta_key() {
                event.prevent_default();
                zoom.set((*zoom * if event.delta_y() < 0.0 { 1.15 } else { 1.0 / 1.15 }).clamp(0.2, 4.0));
                return;
            }
            let next = (shown_top + event.delta_y()).clamp(0.0, limit);
            // At either end the page may scroll instead.
            if (next - shown_top).abs() > 0.5 {
                event.prevent_default();
                top.set(next);
            }
        }
    };
    let onkeydown = {
        let (top, zoom, layout, select, selected) =
            (top.clone(), zoom.clone(), layout.clone(), props.select.clone(), props.selected);
        move |event: KeyboardEvent| {
            match event.key().as_str() {
                "+" | "=" => zoom.set((*zoom * 1.25).min(4.0)),
                "-" => zoom.set((*zoom / 1.25).max(0.2)),
                "0" => zoom.set(1.0),
                "PageDown" => top.set((shown_top + visible * 0.9).min(limit)),
                "PageUp" => top.set((shown_top - visible * 0.9).max(0.0)),
                "ArrowDown" | "ArrowUp" => {
                    let next = neighbour(&layout, selected, event.key() == "ArrowDown");
                    select.emit(next);
                }
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let on_order = {
        let order = order.clone();
        Callback::from(move |name: AttrValue| {
            order.set(if name == "regain" { RowOrder::ByRegain } else { RowOrder::BySize });
        })
    };
    let terms = props.run.terms();
    let label =
        format!("Map of the pool: {} as bars, rows by {}, columns by group", terms.spans, terms.class);
    html! {
        <section class="map" aria-label="Map of the pool">
            <div class="tools map-tools">
                <Segments label="Order of the rows" value={if *order == RowOrder::ByRegain { "regain" } else { "size" }} on_change={on_order}
                    options={vec![("size".into(), "By size".into()), ("regain".into(), "By pages to regain".into())]} />
                { legend(props.theme, &props.run) }
            </div>
            <div class="map-frame" ref={frame} tabindex="0" role="group" {onwheel} {onkeydown}
                aria-label="Map. Up and down choose a bar, plus and minus zoom, page up and down scroll">
                <Canvas class="map-canvas" {label} {draw} {on_pick} />
            </div>
            <p class="fine map-foot">
                { format!("A bar is a {}: as wide as its pages, filled where objects are. {} {} shown.", terms.span, grouped(layout.spans.len() as u64), terms.spans) }
                if limit > 0.0 {
                    <label class="push">{ "Scroll " }<input type="range" min="0" max={limit.ceil().to_string()} value={shown_top.to_string()}
                        aria-label="Scroll the map"
                        oninput={ let top = top.clone(); move |event: InputEvent| top.set(event.target_unchecked_into::<web_sys::HtmlInputElement>().value_as_number()) } /></label>
                }
            </p>
            { table(&props.run, props.step) }
        </section>
    }
}

/// Brings a newly followed bar into sight.
#[hook]
fn use_sight(top: &UseStateHandle<f64>, layout: &Rc<MapLayout>, selected: Option<SpanId>, visible: f64) {
    let (top, layout) = (top.clone(), layout.clone());
    use_effect_with((selected, visible > 0.0), move |_| {
        if let Some((row, rect)) = selected.and_then(|id| layout.find(id)) {
            let limit = (layout.height - visible).max(0.0);
            if row.top < *top {
                top.set(row.top.min(limit));
            } else if rect.y + rect.height + 8.0 > *top + visible {
                top.set((rect.y + rect.height + 8.0 - visible).min(limit));
            }
        }
    });
}

/// The next or previous bar in reading order.
fn neighbour(layout: &MapLayout, selected: Option<SpanId>, forward: bool) -> Option<SpanId> {
    let at = selected.and_then(|id| layout.spans.iter().position(|span| span.id == id));
    let next = match (at, forward) {
        (Some(at), true) => (at + 1).min(layout.spans.len().saturating_sub(1)),
        (Some(at), false) => at.saturating_sub(1),
        (None, _) => 0,
    };
    layout.spans.get(next).map(|span| span.id)
}

struct View<'a> {
    run: &'a Rc<Run>,
    pool: &'a slabscope_core::model::AnyPool,
    layout: &'a MapLayout,
    top: f64,
    theme: Theme,
    selected: Option<SpanId>,
}

fn paint_map(canvas: &HtmlCanvasElement, size: Size, view: &View<'_>) {
    let Some(context) = context(canvas) else { return };
    let device = |css: f64| (css * size.scale).round().max(0.0) as usize;
    let (width, height) = (canvas.width() as usize, (canvas.height() as usize).saturating_sub(device(HEAD)));
    if width == 0 || height == 0 {
        return;
    }
    let viewport = Viewport { top: view.top, width, height, scale: size.scale };
    let mut pixels = vec![0u32; width * height];
    let class = view.selected.and_then(|id| view.pool.span(id)).map(|span| span.class);
    paint(
        view.pool,
        view.layout,
        viewport,
        &palette(view.theme, view.run.groups().len()),
        class,
        &mut pixels,
    );
    let bytes = Clamped(bytemuck::cast_slice::<u32, u8>(&pixels));
    if let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(bytes, width as u32, height as u32) {
        // Putting pixels of our own size on our own canvas cannot fail.
        let _ = context.put_image_data(&image, 0.0, device(HEAD) as f64);
    }
    if let Some((_, Rect { x, y, width, height })) = view.selected.and_then(|id| view.layout.find(id)) {
        context.set_stroke_style_str(&css(view.theme.colour(Role::Accent)));
        context.set_line_width(2.0 * size.scale);
        let y = (y - view.top + HEAD) * size.scale;
        if y > HEAD * size.scale - 4.0 {
            context.stroke_rect(
                (x - 2.0) * size.scale,
                y - 2.0 * size.scale,
                (width + 4.0) * size.scale,
                (height + 4.0) * size.scale,
            );
        }
    }
    context.set_fill_style_str(&css(view.theme.colour(Role::Paper)));
    context.fill_rect(0.0, 0.0, canvas.width().into(), device(HEAD) as f64);
    for column in &view.layout.columns {
        context.set_fill_style_str(&css(view
            .theme
            .fullness(usize::from(column.group), view.run.groups().len())));
        let (x, width) = (column.left * size.scale, (column.width - 6.0).max(2.0) * size.scale);
        context.fill_rect(x, (HEAD - 5.0) * size.scale, width, 3.0 * size.scale);
    }
    paint_labels(canvas, &labels(view, size), size, view.theme);
}

fn labels(view: &View<'_>, size: Size) -> Vec<Label> {
    let text = |x, y, text: String, align, role, strong| Label { x, y, text, align, role, strong };
    let narrow = size.width < 500.0;
    let mut labels = vec![
        text(
            0.0,
            22.0,
            if narrow { String::new() } else { "Class".to_owned() },
            Align::Start,
            Role::Ink3,
            false,
        ),
        text(
            size.width,
            22.0,
            if narrow { "Back" } else { "Regain" }.to_owned(),
            Align::End,
            Role::Ink3,
            false,
        ),
    ];
    for column in &view.layout.columns {
        let name = view.run.groups().get(usize::from(column.group)).copied().unwrap_or_default();
        let name = if narrow { name.trim_end_matches('%').to_owned() } else { name.replace('_', " ") };
        labels.push(text(column.left, 9.0, name, Align::Start, Role::Ink, false));
        labels.push(text(column.left, 22.0, grouped(column.spans as u64), Align::Start, Role::Ink3, false));
    }
    let selected = view.selected.and_then(|id| view.pool.span(id)).map(|span| span.class);
    for row in view.layout.rows_between(view.top, view.top + size.height) {
        let y = row.top - view.top + HEAD + 10.0;
        if y < HEAD {
            continue;
        }
        let totals = &row.totals;
        let strong = selected == Some(totals.class);
        labels.push(text(
            if narrow { 32.0 } else { 40.0 },
            y,
            totals.size.to_string(),
            Align::End,
            Role::Ink,
            strong,
        ));
        if !narrow {
            let inside = format!("{} in {}", totals.objects_per_span, totals.pages_per_span);
            labels.push(text(view.layout.options.left - 6.0, y, inside, Align::End, Role::Ink3, false));
        }
        if totals.freeable_pages > 0 {
            labels.push(text(size.width, y, grouped(totals.freeable_pages), Align::End, Role::Ink2, false));
        }
    }
    labels
}

fn palette(theme: Theme, groups: usize) -> Palette {
    let word = |[red, green, blue]: Rgb| u32::from_le_bytes([red, green, blue, 0xff]);
    Palette {
        paper: word(theme.colour(Role::Paper)),
        edge: word(theme.colour(Role::Edge)),
        line: word(theme.colour(Role::Line)),
        selected_row: word(theme.colour(Role::AccentSoft)),
        groups: (0..groups).map(|group| word(theme.fullness(group, groups))).collect(),
        huge: word(theme.colour(Role::Huge)),
    }
}

fn legend(theme: Theme, run: &Run) -> Html {
    let groups = run.groups().len();
    let draw = Draw::new(move |canvas, size| {
        let Some(context) = context(canvas) else { return };
        let shown = groups.saturating_sub(1).max(1);
        let step = size.width / shown as f64;
        for index in 0..shown {
            context.set_fill_style_str(&css(theme.fullness(index + 1, groups)));
            context.fill_rect(
                index as f64 * step * size.scale,
                0.0,
                step * size.scale,
                size.height * size.scale,
            );
        }
    });
    html! {
        <div class="legend push">
            <span>{ "Nearly empty" }</span>
            <Canvas class="ramp" label="Colours from nearly empty to full" {draw} />
            <span>{ "full" }</span>
            if run.has_huge() { <span><i class="swatch huge" />{ "huge" }</span> }
        </div>
    }
}

/// The map's table: a row per class that holds something.
fn table(run: &Rc<Run>, step: u32) -> Html {
    let (classes, counts) = run.with(|timeline| {
        timeline.seek(step);
        let classes: Vec<_> = timeline.pool().classes().into_iter().filter(|class| class.spans > 0).collect();
        let counts: Vec<_> = classes.iter().map(|class| timeline.pool().group_counts(class.class)).collect();
        (classes, counts)
    });
    html! {
        <details class="map-table">
            <summary class="link">{ "Show as table" }</summary>
            <div class="scroll">
                <table>
                    <thead><tr>
                        <th scope="col">{ "Class" }</th>
                        for name in run.groups().iter().skip(run.first_group().into()) { <th scope="col" key={*name}>{ name.replace('_', " ") }</th> }
                        <th scope="col">{ "Objects" }</th><th scope="col">{ "Room for" }</th><th scope="col">{ "Pages" }</th><th scope="col">{ "Freeable" }</th>
                    </tr></thead>
                    <tbody>
                        for (class, counts) in classes.iter().zip(&counts) {
                            <tr key={class.class}>
                                <td>{ class.size }</td>
                                for (group, count) in counts.iter().enumerate().skip(run.first_group().into()) { <td key={group}>{ count }</td> }
                                <td>{ grouped(class.objects) }</td><td>{ grouped(class.capacity) }</td>
                                <td>{ grouped(u64::from(class.spans) * u64::from(class.pages_per_span)) }</td><td>{ grouped(class.freeable_pages) }</td>
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
        </details>
    }
}
