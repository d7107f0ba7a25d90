//! A span drawn page by page.

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::SpanPicture;
use yew::prelude::*;

use crate::canvas::{Canvas, Draw, paint_chart};

#[derive(Properties, PartialEq)]
pub(crate) struct SpanFigureProps {
    /// What it shows, in words.
    pub(crate) label: String,
    pub(crate) picture: SpanPicture,
    pub(crate) theme: Theme,
}

/// The drawing.
#[component]
pub(crate) fn SpanFigure(props: &SpanFigureProps) -> Html {
    let draw = use_memo((props.picture.clone(), props.theme), |(picture, theme)| {
        let (picture, theme) = (picture.clone(), *theme);
        Draw::new(move |canvas, size| {
            paint_chart(canvas, size, theme, |area| picture.draw(area, size.width, size.scale, theme));
        })
    });
    html! { <Canvas class="span-picture" label={props.label.clone()} height={Some(props.picture.height())} draw={(*draw).clone()} /> }
}
