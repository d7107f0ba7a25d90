//! Figures with positions, the prose that sets them, and values that may be changed.

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::{Slot, SpanPicture};
use slabscope_lab::document::{Control, Document, Piece, Span};
use slabscope_scenario::Key;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{PageProps, blocks};
use crate::state::Command;
use crate::views::span_figure::SpanFigure;

/// A button that puts the figure into a position.
fn go(props: &PageProps, to: usize, class: &'static str, words: &str) -> Html {
    let onclick = props.tell.reform(move |_: MouseEvent| Command::Slide {
        key: Key::At,
        number: to as u64,
        first: false,
    });
    html! { <button type="button" {class} aria-pressed={(to == props.at).to_string()} {onclick}>{ words.to_owned() }</button> }
}

pub(super) fn prose(pieces: &[Piece], props: &PageProps) -> Html {
    html! {
        <p class="prose">
            for piece in pieces {
                { match piece {
                    Piece::Words(words) => html! { { words } },
                    Piece::Scene(to, words) => go(props, usize::from(*to), "link", words),
                    Piece::Link(fragment, words) => html! { <a href={format!("#{fragment}")}>{ words }</a> },
                } }
            }
        </p>
    }
}

pub(super) fn scenes(scenes: &[(String, Document)], props: &PageProps) -> Html {
    let at = props.at.min(scenes.len().saturating_sub(1));
    html! {
        <section class="scenes" aria-label="Figure">
            <p class="tools">
                for index in 0..scenes.len() { { go(props, index, "chip", &(index + 1).to_string()) } }
                if let Some((title, _)) = scenes.get(at) { <strong role="status">{ title }</strong> }
            </p>
            if let Some((_, document)) = scenes.get(at) { { blocks(document, props) } }
        </section>
    }
}

pub(super) fn span(span: &Span, theme: Theme) -> Html {
    let slot =
        |(index, data): (usize, &Option<u32>)| Slot { text: index.to_string(), data: *data, selected: false };
    let picture = SpanPicture {
        page_bytes: span.page_bytes,
        pages: span.pages,
        header: span.header,
        size: span.size,
        handle: span.handle,
        slots: span.places.iter().enumerate().map(slot).collect(),
    };
    html! { <><p class="fine">{ &span.name }</p><SpanFigure label={span.name.clone()} {picture} {theme} /></> }
}

pub(super) fn controls(controls: &[Control], props: &PageProps) -> Html {
    html! {
        <p class="tools">
            for Control { label, value, usual, choices, range, before } in controls {
                <label class="field" key={label.clone()}>{ label }
                    { {
                        let before = before.clone();
                        let onchange = props.tell.reform(move |event: Event| {
                            // A list of choices has a value too.
                            Command::Enter(Key::Assumed, format!("{before}{}", event.target_unchecked_into::<HtmlInputElement>().value()))
                        });
                        if choices.is_empty() {
                            html! { <input type="number" min={range.0.to_string()} max={range.1.to_string()} value={value.clone()} {onchange} /> }
                        } else {
                            html! { <select {onchange}>for choice in choices { <option selected={choice == value}>{ choice }</option> }</select> }
                        }
                    } }
                    <span class={if value == usual { "fine" } else { "changed" }}>{ format!("usually {usual}") }</span>
                </label>
            }
        </p>
    }
}
