//! The map of the pool: its canvas, which the worker draws on, and the controls around it.

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_core::tell::{grouped, hundredths};
use slabscope_worker::protocol::{Answer, Arrangement, Cast, Colouring, Moment, Request, Scroll, Sight};
use web_sys::{HtmlCanvasElement, HtmlDetailsElement, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, Size, context, css, use_size};
use crate::worker::Client;

#[derive(Properties, PartialEq)]
pub(super) struct MapProps {
    pub(super) worker: Client<Answer>,
    pub(super) cast: Rc<Cast>,
    pub(super) moment: Rc<Moment>,
    /// What the pointer is over, in words.
    pub(super) over: Option<String>,
    pub(super) sight: Sight,
    pub(super) on_sight: Callback<Sight>,
    pub(super) on_size: Callback<Option<Size>>,
    /// The table was opened or closed.
    pub(super) on_table: Callback<bool>,
    pub(super) theme: Theme,
    /// How often the worker lost the canvas.
    pub(super) crashes: u32,
}

/// Zoom at least and at most; 1 is the natural size.
const ZOOM: (f32, f32) = (0.2, 24.0);

/// How far a key moves the map, in CSS pixels.
const STEP: f32 = 60.0;
/// How far a pointer goes before it is a drag and not a press, in CSS pixels.
const DRAG: f32 = 4.0;

/// Map, tools and table.
#[component]
pub(super) fn Map(props: &MapProps) -> Html {
    let frame = use_node_ref();
    let size = use_size(&frame);
    use_effect_with((size, props.on_size.clone()), |(size, tell)| tell.emit(*size));
    let zoom = {
        let (sight, set) = (props.sight, props.on_sight.clone());
        Callback::from(move |by: f32| {
            let zoom = if by > 0.0 { (sight.zoom * by).clamp(ZOOM.0, ZOOM.1) } else { 1.0 };
            set.emit(Sight { zoom, ..sight });
        })
    };
    let terms = (&props.cast.span, &props.cast.spans);
    let label =
        format!("Map of the pool: {} as bars, rows by {}, columns by group", terms.1, props.cast.class);
    let hint = match &props.over {
        Some(words) => words.clone(),
        None if props.sight.arrangement == Arrangement::Flat => {
            format!("A cell is a {}, filled as far as it is full.", terms.0)
        }
        None => format!("A bar is a {}: as wide as its pages, filled where objects are.", terms.0),
    };
    html! {
        <section class="map" aria-label="Map of the pool">
            { tools(props, &zoom) }
            <div class="map-frame" ref={frame} tabindex="0" role="group"
                onwheel={on_wheel(props, zoom.clone())} onkeydown={on_key(props, zoom.clone())} data-drawn={hundredths(props.moment.took.into())}
                aria-label="Map. Up and down choose a bar, plus and minus zoom, page up, page down and W, A, S, D move it">
                <Drawn key={props.crashes} worker={props.worker.clone()} {label} {zoom} />
            </div>
            <p class="fine map-foot">
                { hint }{ format!(" {} {}.", grouped(props.moment.spans.into()), terms.1) }
                if props.moment.lowest > 0.0 {
                    <label class="push">{ "Scroll " }<input type="range" min="0" max={(props.moment.lowest.ceil() as u32).to_string()} value={(props.moment.top.round() as u32).to_string()}
                        aria-label="Scroll the map" oninput={
                            let worker = props.worker.clone();
                            move |event: InputEvent| {
                                let to = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
                                worker.ask(&Request::Scroll(Scroll::To(to as f32)));
                            }
                        } /></label>
                }
            </p>
            { table(props) }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct DrawnProps {
    worker: Client<Answer>,
    label: String,
    zoom: Callback<f32>,
}

/// Pointers that are down, by their number, and whether one of them has dragged.
#[derive(Default)]
struct Fingers {
    down: Vec<(i32, f32, f32)>,
    dragged: bool,
}

impl Fingers {
    /// Distance of the first two.
    fn spread(&self) -> Option<f32> {
        let [(_, x, y), (_, other_x, other_y), ..] = self.down[..] else { return None };
        Some((x - other_x).hypot(y - other_y))
    }

    /// A pointer moved: how far, and by how much two of them spread.
    fn moved(&mut self, id: i32, to: (f32, f32)) -> Option<((f32, f32), Option<f32>)> {
        let before = self.spread();
        let finger = self.down.iter_mut().find(|finger| finger.0 == id)?;
        let by = (to.0 - finger.1, to.1 - finger.2);
        if !self.dragged && by.0.abs() < DRAG && by.1.abs() < DRAG {
            return None;
        }
        (finger.1, finger.2) = to;
        self.dragged = true;
        let grown = before.zip(self.spread()).map(|(before, after)| after / before.max(1.0));
        Some((by, grown))
    }
}

/// The canvas, handed over to the worker as soon as it is there.
#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let canvas = use_node_ref();
    {
        let canvas = canvas.clone();
        use_effect_with(props.worker.clone(), move |worker| {
            let handed =
                canvas.cast::<HtmlCanvasElement>().map(|canvas| canvas.transfer_control_to_offscreen());
            if let Some(Ok(canvas)) = handed {
                worker.ask_with(&Request::Canvas, &canvas);
            }
        });
    }
    let fingers = use_mut_ref(Fingers::default);
    let point = |event: &PointerEvent| (event.offset_x() as f32, event.offset_y() as f32);
    let on_move = {
        let (worker, fingers, zoom) = (props.worker.clone(), fingers.clone(), props.zoom.clone());
        move |event: PointerEvent| {
            let mut fingers = fingers.borrow_mut();
            match fingers.moved(event.pointer_id(), point(&event)) {
                Some((_, Some(grown))) => zoom.emit(grown),
                Some(((x, y), None)) => worker.ask(&Request::Scroll(Scroll::By(-x, -y))),
                None => worker.ask(&Request::At { point: Some(point(&event)), chosen: false }),
            }
        }
    };
    let on_down = {
        let fingers = fingers.clone();
        move |event: PointerEvent| {
            let (x, y) = point(&event);
            let mut fingers = fingers.borrow_mut();
            fingers.dragged = !fingers.down.is_empty();
            fingers.down.push((event.pointer_id(), x, y));
            // Without capture a drag only ends at the edge.
            let _ =
                event.target_unchecked_into::<HtmlCanvasElement>().set_pointer_capture(event.pointer_id());
        }
    };
    let on_up = {
        let (worker, fingers) = (props.worker.clone(), fingers.clone());
        move |event: PointerEvent| {
            let mut fingers = fingers.borrow_mut();
            fingers.down.retain(|finger| finger.0 != event.pointer_id());
            if !fingers.dragged {
                worker.ask(&Request::At { point: Some(point(&event)), chosen: true });
            }
        }
    };
    let on_cancel = move |event: PointerEvent| {
        fingers.borrow_mut().down.retain(|finger| finger.0 != event.pointer_id());
    };
    let on_leave = {
        let worker = props.worker.clone();
        move |_: PointerEvent| worker.ask(&Request::At { point: None, chosen: false })
    };
    html! {
        <canvas class="map-canvas" ref={canvas} role="img" aria-label={props.label.clone()}
            onpointermove={on_move} onpointerdown={on_down} onpointerup={on_up} onpointercancel={on_cancel} onpointerleave={on_leave} />
    }
}

fn on_wheel(props: &MapProps, zoom: Callback<f32>) -> impl Fn(WheelEvent) + 'static {
    let worker = props.worker.clone();
    let (top, lowest, wide) = (props.moment.top, props.moment.lowest, props.moment.wide);
    move |event: WheelEvent| {
        if event.ctrl_key() || event.meta_key() {
            event.prevent_default();
            return zoom.emit(if event.delta_y() < 0.0 { 1.15 } else { 1.0 / 1.15 });
        }
        let by = event.delta_y() as f32;
        // At either end the page may scroll instead.
        if (by > 0.0 && top < lowest) || (by < 0.0 && top > 0.0) || (wide && event.delta_x().abs() > 0.0) {
            event.prevent_default();
            worker.ask(&Request::Scroll(Scroll::By(event.delta_x() as f32, by)));
        }
    }
}

fn on_key(props: &MapProps, zoom: Callback<f32>) -> impl Fn(KeyboardEvent) + 'static {
    let worker = props.worker.clone();
    move |event: KeyboardEvent| {
        let ask = |request| worker.ask(&request);
        match event.key().as_str() {
            "+" | "=" => zoom.emit(1.25),
            "-" => zoom.emit(0.8),
            "0" => zoom.emit(0.0),
            "a" | "A" => ask(Request::Scroll(Scroll::By(-STEP, 0.0))),
            "d" | "D" => ask(Request::Scroll(Scroll::By(STEP, 0.0))),
            "w" | "W" => ask(Request::Scroll(Scroll::By(0.0, -STEP))),
            "s" | "S" => ask(Request::Scroll(Scroll::By(0.0, STEP))),
            "PageDown" => ask(Request::Scroll(Scroll::Pages(0.9))),
            "PageUp" => ask(Request::Scroll(Scroll::Pages(-0.9))),
            "ArrowDown" => ask(Request::Neighbour { forward: true }),
            "ArrowUp" => ask(Request::Neighbour { forward: false }),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }
}

fn tools(props: &MapProps, zoom: &Callback<f32>) -> Html {
    let (sight, set) = (props.sight, props.on_sight.clone());
    let on_arrangement = set.reform(move |at: usize| Sight {
        arrangement: Arrangement::ALL.get(at).map_or(sight.arrangement, |found| found.0),
        ..sight
    });
    let on_colouring = set.reform(move |at: usize| Sight {
        colouring: Colouring::ALL.get(at).map_or(sight.colouring, |found| found.0),
        ..sight
    });
    let button = |text: &'static str, name: &'static str, by: f32| {
        html! { <button type="button" class="button" aria-label={name} title={name} onclick={zoom.reform(move |_: MouseEvent| by)}>{ text }</button> }
    };
    html! {
        <div class="tools map-tools">
            { pick("Arrange", &Arrangement::ALL.map(|(_, word)| word), sight.arrangement as usize, &on_arrangement) }
            { pick("Colour", &Colouring::ALL.map(|(_, word)| word), sight.colouring as usize, &on_colouring) }
            <span class="chips">{ button("\u{2212}", "Zoom out (\u{2212})", 0.8) }{ button("+", "Zoom in (+)", 1.25) }</span>
            { legend(props) }
        </div>
    }
}

/// A list to pick from by place.
fn pick(name: &'static str, words: &[&'static str], chosen: usize, on_pick: &Callback<usize>) -> Html {
    let onchange = on_pick.reform(|event: Event| {
        event.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as usize
    });
    html! {
        <label>{ name }{ " " }
            <select class="input" {onchange}>
                for (at, word) in words.iter().enumerate() { <option key={at} selected={at == chosen}>{ *word }</option> }
            </select>
        </label>
    }
}

fn legend(props: &MapProps) -> Html {
    let (low, high) = match props.sight.colouring {
        Colouring::Fullness => ("Nearly empty", "full"),
        Colouring::Age => ("Old", "new"),
        Colouring::Class => ("Small objects", "large"),
        Colouring::Freeable => {
            return html! {
                <div class="legend push">
                    <span><i class="swatch free" />{ "its class would return pages" }</span>
                    <span><i class="swatch data" />{ "would not" }</span>
                </div>
            };
        }
    };
    let groups = usize::from(props.cast.first_group) + props.cast.groups.len();
    let (first, theme) = (usize::from(props.cast.first_group), props.theme);
    let draw = Draw::new(move |canvas, size| {
        let Some(context) = context(canvas) else { return };
        let shown = groups.saturating_sub(first).max(1);
        let step = size.width / shown as f64;
        for index in 0..shown {
            context.set_fill_style_str(&css(theme.fullness(index + first, groups)));
            let left = index as f64 * step * size.scale;
            context.fill_rect(left, 0.0, step * size.scale, size.height * size.scale);
        }
    });
    html! {
        <div class="legend push">
            <span>{ low }</span>
            <Canvas class="ramp" label={format!("Colours from {low} to {high}")} {draw} />
            <span>{ high }</span>
            if props.cast.has_huge { <span><i class="swatch huge" />{ "huge" }</span> }
        </div>
    }
}

/// The map's table: a row per class that holds something.
fn table(props: &MapProps) -> Html {
    let on_toggle =
        props.on_table.reform(|event: Event| event.target_unchecked_into::<HtmlDetailsElement>().open());
    html! {
        <details class="map-table" ontoggle={on_toggle}>
            <summary class="link">{ "Show as table" }</summary>
            <div class="scroll">
                <table>
                    <thead><tr>
                        <th scope="col">{ "Class" }</th>
                        for name in &props.cast.groups { <th scope="col" key={name.clone()}>{ name }</th> }
                        <th scope="col">{ "Objects" }</th><th scope="col">{ "Room for" }</th><th scope="col">{ "Pages" }</th><th scope="col">{ "Freeable" }</th>
                    </tr></thead>
                    <tbody>
                        for row in &props.moment.table {
                            <tr key={row.size}>
                                <td>{ row.size }</td>
                                for (group, count) in row.groups.iter().enumerate() { <td key={group}>{ count }</td> }
                                <td>{ grouped(row.objects) }</td><td>{ grouped(row.capacity) }</td>
                                <td>{ grouped(row.pages) }</td><td>{ grouped(row.freeable) }</td>
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
        </details>
    }
}
