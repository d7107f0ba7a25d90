//! The worker's port and canvas: messages in, answers and pixels out.

use std::cell::RefCell;
use std::rc::Rc;

use slabscope_charts::plot::Align;
use slabscope_charts::theme::{Rgb, Role, Theme};
use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{ImageData, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

use crate::desk::{Desk, Reply};
use crate::picture::Picture;
use crate::port::{Port, later};
use crate::protocol::{Answer, Request};

/// Listens to the page from now on.
pub fn start() {
    let Some(port) = Port::new() else { return };
    let worker = Rc::new(Worker { port: port.clone(), state: RefCell::default() });
    port.listen(&Answer::Ready, move |request: Request, along| worker.take(&request, along));
}

#[derive(Default)]
struct State {
    desk: Desk,
    canvas: Option<(OffscreenCanvas, OffscreenCanvasRenderingContext2d)>,
    show_waits: bool,
    record_waits: bool,
}

struct Worker {
    port: Port,
    state: RefCell<State>,
}

impl Worker {
    fn take(self: &Rc<Self>, request: &Request, along: JsValue) {
        if let Ok(canvas) = along.dyn_into::<OffscreenCanvas>() {
            self.state.borrow_mut().canvas = drawable(canvas);
        }
        let reply = self.state.borrow_mut().desk.take(request);
        match reply {
            Reply::Now(answer) => {
                let over = matches!(answer, Answer::Over(_));
                self.port.send(&answer);
                if over {
                    self.draw();
                }
            }
            Reply::Nothing => {}
            Reply::Later => self.show_later(),
        }
        if matches!(request, Request::Run(_)) {
            // The first slice at once: short runs need no second.
            self.record();
            self.show_later();
        }
    }

    fn record(self: &Rc<Self>) {
        let answer = self.state.borrow_mut().desk.record();
        let Some(answer) = answer else { return };
        self.port.send(&answer);
        if self.state.borrow().desk.waits_for_more() {
            self.show_later();
        }
        if !std::mem::replace(&mut self.state.borrow_mut().record_waits, true) {
            self.later(|worker| {
                worker.state.borrow_mut().record_waits = false;
                worker.record();
            });
        }
    }

    fn show_later(self: &Rc<Self>) {
        if !std::mem::replace(&mut self.state.borrow_mut().show_waits, true) {
            self.later(|worker| {
                worker.state.borrow_mut().show_waits = false;
                worker.show();
            });
        }
    }

    /// Does something after the messages that wait.
    fn later(self: &Rc<Self>, work: impl FnOnce(&Rc<Self>) + 'static) {
        let worker = self.clone();
        later(&self.port, move || work(&worker));
    }

    fn show(&self) {
        let start = self.port.now();
        let told = self.state.borrow_mut().desk.show().cloned();
        let Some(mut told) = told else { return };
        self.draw();
        told.took = (self.port.now() - start) as f32;
        self.port.send(&Answer::Shown(Box::new(told)));
    }

    fn draw(&self) {
        let state = self.state.borrow();
        if let (Some((canvas, context)), Some((picture, run))) = (&state.canvas, state.desk.picture()) {
            let labels = picture.labels(run, state.desk.followed());
            put(canvas, context, picture);
            outline(context, picture, state.desk.followed(), Role::Accent);
            outline(context, picture, state.desk.hovered(), Role::Ink);
            heading(canvas, context, picture, run.groups().len());
            for label in &labels {
                write(context, label, picture);
            }
        }
    }
}

fn drawable(canvas: OffscreenCanvas) -> Option<(OffscreenCanvas, OffscreenCanvasRenderingContext2d)> {
    let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    Some((canvas, context))
}

fn put(canvas: &OffscreenCanvas, context: &OffscreenCanvasRenderingContext2d, picture: &Picture) {
    let view = picture.view();
    let head = (picture.head() * view.scale).round();
    let (width, height) = (view.width as u32, view.height as u32);
    let whole = height + head as u32;
    if (canvas.width(), canvas.height()) != (width, whole) {
        canvas.set_width(width);
        canvas.set_height(whole);
    }
    let bytes = Clamped(bytemuck::cast_slice::<u32, u8>(&picture.pixels));
    if let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(bytes, width, height) {
        // Putting pixels of our own size on our own canvas cannot fail.
        let _ = context.put_image_data(&image, 0.0, head);
    }
}

fn outline(
    context: &OffscreenCanvasRenderingContext2d,
    picture: &Picture,
    span: Option<slabscope_core::pool::SpanId>,
    role: Role,
) {
    let Some(rect) = span.and_then(|id| picture.place(id)) else { return };
    let scale = picture.view().scale;
    context.set_stroke_style_str(&css(picture.theme().colour(role)));
    context.set_line_width(2.0 * scale);
    context.stroke_rect(
        (rect.x - 2.0) * scale,
        (rect.y - 2.0) * scale,
        (rect.width + 4.0) * scale,
        (rect.height + 4.0) * scale,
    );
}

/// The ground of the headings, over outlines that reach into them, with a band of its colour for each group.
fn heading(
    canvas: &OffscreenCanvas,
    context: &OffscreenCanvasRenderingContext2d,
    picture: &Picture,
    groups: usize,
) {
    let (scale, theme) = (picture.view().scale, picture.theme());
    context.set_fill_style_str(&css(theme.colour(Role::Paper)));
    context.fill_rect(0.0, 0.0, canvas.width().into(), (picture.head() * scale).round());
    for (left, width, group) in picture.bands() {
        context.set_fill_style_str(&css(theme.fullness(group.into(), groups)));
        context.fill_rect(left * scale, (picture.head() - 5.0) * scale, width * scale, 3.0 * scale);
    }
}

fn write(
    context: &OffscreenCanvasRenderingContext2d,
    label: &slabscope_charts::plot::Label,
    picture: &Picture,
) {
    let (scale, theme): (f64, Theme) = (picture.view().scale, picture.theme());
    let weight = if label.strong { "600 " } else { "" };
    context.set_text_baseline("middle");
    // Whole pixels: writing out a fraction would weigh more than all the rest of this file.
    context.set_font(&format!("{weight}{}px system-ui, sans-serif", (11.0 * scale).round() as u32));
    context.set_text_align(match label.align {
        Align::Start => "left",
        Align::Middle => "center",
        Align::End => "right",
    });
    context.set_fill_style_str(&css(theme.colour(label.role)));
    // Text outside the canvas is no error worth more than its absence.
    let _ = context.fill_text(&label.text, label.x * scale, label.y * scale);
}

fn css([red, green, blue]: Rgb) -> String {
    format!("rgb({red} {green} {blue})")
}
