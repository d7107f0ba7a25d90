//! A picture that the worker draws: its canvas is handed over, its pointers are passed on.

use slabscope_worker::protocol::{Answer, Request, Surface};
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use super::Do;
use crate::canvas::use_size;
use crate::worker::Client;

/// How far a pointer goes before it is a drag and not a press, in CSS pixels.
const DRAG: f32 = 4.0;

#[derive(Properties, PartialEq)]
pub(super) struct SurfaceProps {
    pub(super) worker: Client<Answer>,
    /// Which picture.
    pub(super) on: Surface,
    /// What it shows, in words.
    pub(super) label: AttrValue,
    /// Takes its size, and how much two pointers spread.
    pub(super) act: Callback<Do>,
}

/// A canvas that fills its frame, which is the element around it.
#[component]
pub(super) fn SurfaceCanvas(props: &SurfaceProps) -> Html {
    let canvas = use_node_ref();
    let size = use_size(&canvas);
    let on = props.on;
    use_effect_with(size, {
        let act = props.act.clone();
        move |size| size.iter().for_each(|size| act.emit(Do::Size(on, *size)))
    });
    {
        let canvas = canvas.clone();
        use_effect_with(props.worker.clone(), move |worker| {
            let handed =
                canvas.cast::<HtmlCanvasElement>().map(|canvas| canvas.transfer_control_to_offscreen());
            if let Some(Ok(canvas)) = handed {
                worker.ask_with(&Request::Canvas(on), &canvas);
            }
        });
    }
    let fingers = use_mut_ref(Fingers::default);
    let point = |event: &PointerEvent| (event.offset_x() as f32, event.offset_y() as f32);
    let on_move = {
        let (worker, fingers, act) = (props.worker.clone(), fingers.clone(), props.act.clone());
        move |event: PointerEvent| {
            let mut fingers = fingers.borrow_mut();
            match fingers.moved(event.pointer_id(), point(&event)) {
                Some((_, Some(grown))) => act.emit(Do::Zoom(grown)),
                Some((by, None)) => {
                    let (x, y) = point(&event);
                    worker.ask(&Request::Drag { on, from: (x - by.0, y - by.1), by });
                }
                None => worker.ask(&Request::At { on, point: Some(point(&event)), chosen: false }),
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
                worker.ask(&Request::At { on, point: Some(point(&event)), chosen: true });
            }
        }
    };
    let on_cancel = move |event: PointerEvent| {
        fingers.borrow_mut().down.retain(|finger| finger.0 != event.pointer_id());
    };
    let on_leave = {
        let worker = props.worker.clone();
        move |_: PointerEvent| worker.ask(&Request::At { on, point: None, chosen: false })
    };
    html! {
        <canvas class="surface" ref={canvas} role="img" aria-label={props.label.clone()}
            onpointermove={on_move} onpointerdown={on_down} onpointerup={on_up} onpointercancel={on_cancel} onpointerleave={on_leave} />
    }
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
