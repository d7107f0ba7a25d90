//! The worker's port and canvas: messages in, answers and pixels out.

use std::cell::RefCell;
use std::rc::Rc;

use slabscope_charts::map::layout::Rect;
use slabscope_charts::plot::{Align, Label};
use slabscope_charts::theme::{Rgb, Role, Theme};
use slabscope_core::pool::SpanId;
use wasm_bindgen::Clamped;
use wasm_bindgen::prelude::*;
use web_sys::{ImageData, OffscreenCanvas, OffscreenCanvasRenderingContext2d};

use crate::desk::{Desk, Reply};
use crate::picture::Picture;
use crate::port::{Port, later};
use crate::protocol::{Answer, Link, Request, Surface};

/// Listens to the page from now on.
pub fn start() {
    let Some(port) = Port::new() else { return };
    let worker = Rc::new(Worker { port: port.clone(), state: RefCell::default() });
    port.listen(&Answer::Ready, move |request: Request, along| worker.take(&request, along));
}

/// A canvas and how it is drawn on.
type Drawable = (OffscreenCanvas, OffscreenCanvasRenderingContext2d);

#[derive(Default)]
struct State {
    desk: Desk,
    /// Those of the map, the strip and the plot.
    canvases: [Option<Drawable>; 3],
    show_waits: bool,
    record_waits: bool,
}

struct Worker {
    port: Port,
    state: RefCell<State>,
}

impl Worker {
    fn take(self: &Rc<Self>, request: &Request, along: JsValue) {
        if let (Ok(canvas), Request::Canvas(on)) = (along.dyn_into::<OffscreenCanvas>(), request) {
            self.state.borrow_mut().canvases[*on as usize] = drawable(canvas);
        }
        let reply = self.state.borrow_mut().desk.take(request);
        match reply {
            Reply::Now(answer) => {
                let over = matches!(answer, Answer::Over(_) | Answer::Read(_));
                self.port.send(&answer);
                if over {
                    self.draw();
                }
            }
            Reply::Nothing => {}
            Reply::Redraw => self.draw(),
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
        } else {
            self.draw_plates();
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

    fn show(self: &Rc<Self>) {
        let start = self.port.now();
        let told = self.state.borrow_mut().desk.show().cloned();
        let Some(mut told) = told else { return };
        self.draw();
        told.took = (self.port.now() - start) as f32;
        told.memory = Port::memory();
        self.port.send(&Answer::Shown(Box::new(told)));
        if self.state.borrow().desk.has_past() {
            // After whatever waits: somebody who steps on does not wait for it.
            self.later(|worker| {
                let past = worker.state.borrow_mut().desk.past();
                past.iter().for_each(|past| worker.port.send(past));
            });
        }
    }

    fn draw(&self) {
        self.draw_plates();
        let state = self.state.borrow();
        if let (Some((canvas, context)), Some((picture, run))) = (&state.canvases[0], state.desk.picture()) {
            let labels = picture.labels(run, state.desk.followed());
            put(canvas, context, picture);
            let place = |span: u32| picture.place(SpanId(span));
            outline(context, picture, state.desk.followed().and_then(|id| picture.place(id)), Role::Accent);
            let object = state.desk.object().and_then(|object| picture.object_place(run, object));
            outline(context, picture, object, Role::Ink);
            outline(context, picture, state.desk.changed().and_then(|id| picture.place(id)), Role::Ink);
            match state.desk.looked_at() {
                Link::Span(one, other) => {
                    outline(context, picture, place(one), Role::Ink);
                    outline(context, picture, other.and_then(place), Role::Tail);
                }
                Link::Class(size) => outline(context, picture, picture.row(size), Role::Ink),
                Link::Step(_) | Link::None => {}
            }
            outline(context, picture, picture.mini_frame(), Role::Accent);
            heading(canvas, context, picture, run.groups().len());
            let (scale, theme) = (picture.view().scale, picture.theme());
            labels.iter().for_each(|label| write(context, label, scale, theme));
        }
    }

    /// The pictures over time.
    fn draw_plates(&self) {
        let state = self.state.borrow();
        for on in [Surface::Strip, Surface::Plot] {
            let (canvas, plate) = (&state.canvases[on as usize], state.desk.plate(on));
            if let (Some((canvas, context)), Some((plate, over))) = (canvas, plate) {
                let (scale, theme) = (plate.scale(), plate.theme());
                put_pixels(canvas, context, &plate.pixels, (plate.width as u32, plate.height as u32), 0);
                for (rect, colour) in &plate.frame.swatches {
                    fill(context, *rect, *colour, scale);
                }
                for (rect, role) in over {
                    fill(context, rect, theme.colour(role), scale);
                }
                plate.frame.labels.iter().for_each(|label| write(context, label, scale, theme));
            }
        }
    }
}

fn drawable(canvas: OffscreenCanvas) -> Option<Drawable> {
    let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    Some((canvas, context))
}

fn put(canvas: &OffscreenCanvas, context: &OffscreenCanvasRenderingContext2d, picture: &Picture) {
    let view = picture.view();
    let head = (picture.head() * view.scale).round() as u32;
    put_pixels(canvas, context, &picture.pixels, (view.width as u32, view.height as u32), head);
}

/// Puts pixels below so many lines that are left free.
fn put_pixels(
    canvas: &OffscreenCanvas,
    context: &OffscreenCanvasRenderingContext2d,
    pixels: &[u32],
    (width, height): (u32, u32),
    head: u32,
) {
    if (canvas.width(), canvas.height()) != (width, height + head) {
        canvas.set_width(width);
        canvas.set_height(height + head);
    }
    let bytes = Clamped(bytemuck::cast_slice::<u32, u8>(pixels));
    if let Ok(image) = ImageData::new_with_u8_clamped_array_and_sh(bytes, width, height) {
        // Putting pixels of our own size on our own canvas cannot fail.
        let _ = context.put_image_data(&image, 0.0, head.into());
    }
}

fn fill(context: &OffscreenCanvasRenderingContext2d, rect: Rect, colour: Rgb, scale: f64) {
    context.set_fill_style_str(&css(colour));
    context.fill_rect(rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale);
}

fn outline(context: &OffscreenCanvasRenderingContext2d, picture: &Picture, place: Option<Rect>, role: Role) {
    let Some(rect) = place else { return };
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

fn write(context: &OffscreenCanvasRenderingContext2d, label: &Label, scale: f64, theme: Theme) {
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
