//! A span drawn page by page, and the field for the size that it is drawn for.

use plotters::prelude::IntoDrawingArea as _;
use plotters_canvas::CanvasBackend;
use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::SpanPicture;
use web_sys::{HtmlCanvasElement, HtmlInputElement};
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, Size, paint_labels};

#[derive(Properties, PartialEq)]
pub(super) struct SpanFigureProps {
    /// What it shows, in words.
    pub(super) label: String,
    pub(super) picture: SpanPicture,
    pub(super) theme: Theme,
}

/// The drawing.
#[component]
pub(super) fn SpanFigure(props: &SpanFigureProps) -> Html {
    let draw = use_memo((props.picture.clone(), props.theme), |(picture, theme)| {
        let (picture, theme) = (picture.clone(), *theme);
        Draw::new(move |canvas, size| paint(canvas, size, &picture, theme))
    });
    html! { <Canvas class="span-picture" label={props.label.clone()} height={Some(props.picture.height())} draw={(*draw).clone()} /> }
}

fn paint(canvas: &HtmlCanvasElement, size: Size, picture: &SpanPicture, theme: Theme) {
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
    // The canvas backend has no way to fail.
    if let Ok(labels) = picture.draw(&backend.into_drawing_area(), size.width, size.scale, theme) {
        paint_labels(canvas, &labels, size, theme);
    }
}

/// Where a size is typed.
pub(super) fn size_field(size: u32, most: u32, pick: &Callback<u32>) -> Html {
    let onchange = {
        let pick = pick.clone();
        move |event: Event| {
            let size = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            if size >= 1.0 {
                pick.emit((size as u32).clamp(1, most));
            }
        }
    };
    html! {
        <>
            <h2>{ "Follow one object" }</h2>
            <div class="field">
                <div class="row">
                    <label for="inspected">{ "Size" }</label>
                    <input type="number" id="inspected" min="1" max={most.to_string()} value={size.to_string()} {onchange} />
                    <span>{ "bytes" }</span>
                </div>
            </div>
        </>
    }
}
