//! The one canvas component: sharp at every density, redrawn when its size changes.

use std::rc::Rc;

use gloo_events::EventListener;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea as _};
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Rgb, Theme};
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ResizeObserver};
use yew::prelude::*;

use crate::brush::Brush;

/// Size of a canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// CSS pixels.
    pub(crate) width: f64,
    /// CSS pixels.
    pub(crate) height: f64,
    /// Device pixels per CSS pixel.
    pub(crate) scale: f64,
}

/// Draws onto a canvas of device pixels; two are equal if they are the same closure.
#[derive(Clone)]
pub(crate) struct Draw(Rc<Painter>);

type Painter = dyn Fn(&HtmlCanvasElement, Size);

impl Draw {
    pub(crate) fn new(draw: impl Fn(&HtmlCanvasElement, Size) + 'static) -> Self {
        Self(Rc::new(draw))
    }
}

impl PartialEq for Draw {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What the picture shows, in words.
    pub(crate) label: AttrValue,
    /// Class of the frame around it, which gives it its height.
    #[prop_or_default]
    pub(crate) class: Classes,
    /// Height in CSS pixels where it follows from the content.
    #[prop_or_default]
    pub(crate) height: Option<f64>,
    /// The picture.
    pub(crate) draw: Draw,
    /// What changes while the pointer moves, on a layer above.
    #[prop_or_default]
    pub(crate) over: Option<Draw>,
    /// Pointer moved over it, in CSS pixels; `None` when it leaves.
    #[prop_or_default]
    pub(crate) on_hover: Callback<Option<(f64, f64)>>,
    /// Pointer pressed, in CSS pixels.
    #[prop_or_default]
    pub(crate) on_pick: Callback<(f64, f64)>,
}

/// A canvas in a frame.
#[component]
pub(crate) fn Canvas(props: &Props) -> Html {
    let (frame, base, over) = (use_node_ref(), use_node_ref(), use_node_ref());
    let size = use_size(&frame);
    {
        let frame = frame.clone();
        use_effect_with(props.height.map(|height| height.ceil() as u32), move |height| {
            if let (Some(element), Some(height)) = (frame.cast::<web_sys::HtmlElement>(), height) {
                // A style attribute would be against the content policy; the object model is not.
                let _ = element.style().set_property("height", &format!("{height}px"));
            }
        });
    }
    use_paint(&base, size, Some(props.draw.clone()));
    use_paint(&over, size, props.over.clone());

    let at = |event: &PointerEvent| (f64::from(event.offset_x()), f64::from(event.offset_y()));
    let on_move = props.on_hover.reform(move |event: PointerEvent| Some(at(&event)));
    let on_leave = props.on_hover.reform(|_: PointerEvent| None);
    let on_down = props.on_pick.reform(move |event: PointerEvent| at(&event));
    html! {
        <div class={classes!("canvas", props.class.clone())} ref={frame}>
            <canvas ref={base} role="img" aria-label={props.label.clone()}
                onpointermove={on_move} onpointerleave={on_leave} onpointerdown={on_down} />
            if props.over.is_some() {
                <canvas ref={over} class="over" aria-hidden="true" />
            }
        </div>
    }
}

/// The size of an element, followed.
#[hook]
pub(crate) fn use_size(frame: &NodeRef) -> Option<Size> {
    let size = use_state_eq(|| None::<Size>);
    let (frame, set) = (frame.clone(), size.setter());
    use_effect_with((), move |()| {
        let measure = move || {
            if let Some(element) = frame.cast::<web_sys::Element>() {
                let rect = element.get_bounding_client_rect();
                let scale = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
                set.set(Some(Size { width: rect.width(), height: rect.height(), scale }));
            }
            frame.cast::<web_sys::Element>()
        };
        let element = measure();
        let on_resize = measure.clone();
        // The window tells when the density changes, the observer when the element does.
        let listener =
            web_sys::window().map(|window| EventListener::new(&window, "resize", move |_| drop(on_resize())));
        let callback = Closure::<dyn FnMut()>::new(move || drop(measure()));
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((callback, listener));
        }
    });
    *size
}

#[hook]
fn use_paint(canvas: &NodeRef, size: Option<Size>, draw: Option<Draw>) {
    let canvas = canvas.clone();
    use_effect_with((size, draw), move |(size, draw)| {
        let (Some(canvas), Some(size), Some(draw)) = (canvas.cast::<HtmlCanvasElement>(), size, draw) else {
            return;
        };
        if size.width < 1.0 || size.height < 1.0 {
            return;
        }
        let device = |css: f64| (css * size.scale).round().max(1.0) as u32;
        if canvas.width() != device(size.width) || canvas.height() != device(size.height) {
            canvas.set_width(device(size.width));
            canvas.set_height(device(size.height));
        } else if let Some(context) = context(&canvas) {
            context.clear_rect(0.0, 0.0, canvas.width().into(), canvas.height().into());
        }
        (draw.0)(&canvas, *size);
    });
}

/// The drawing context of a canvas.
pub(crate) fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// Paints a picture of the charts crate: what plotters draws, then the texts that came back.
pub(crate) fn paint_chart<E>(
    canvas: &HtmlCanvasElement,
    size: Size,
    theme: Theme,
    draw: impl FnOnce(&DrawingArea<Brush, Shift>) -> Result<Vec<Label>, E>,
) {
    let Some(brush) = Brush::new(canvas) else { return };
    // A brush has no way to fail.
    if let Ok(labels) = draw(&brush.into_drawing_area()) {
        paint_labels(canvas, &labels, size, theme);
    }
}

/// Writes the texts of a picture.
pub(crate) fn paint_labels(canvas: &HtmlCanvasElement, labels: &[Label], size: Size, theme: Theme) {
    let Some(context) = context(canvas) else { return };
    context.set_text_baseline("middle");
    for label in labels {
        let weight = if label.strong { "600 " } else { "" };
        let pixels = (11.0 * size.scale).round() as u32;
        context.set_font(&format!("{weight}{pixels}px system-ui, sans-serif"));
        context.set_text_align(match label.align {
            Align::Start => "left",
            Align::Middle => "center",
            Align::End => "right",
        });
        context.set_fill_style_str(&css(theme.colour(label.role)));
        // Text outside the canvas is no error worth more than its absence.
        let _ = context.fill_text(&label.text, label.x * size.scale, label.y * size.scale);
    }
}

/// A colour as the canvas wants it.
pub(crate) fn css([red, green, blue]: Rgb) -> String {
    format!("rgb({red} {green} {blue})")
}
