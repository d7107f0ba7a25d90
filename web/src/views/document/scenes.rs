//! Figures with positions, the prose that sets them, and values that may be changed.

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::{Slot, SpanPicture};
use slabscope_lab::document::{Document, FREE};
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

pub(super) fn prose(pieces: &[(String, String)], props: &PageProps) -> Html {
    html! {
        <p class="prose">
            for (words, target) in pieces {
                if let Ok(to) = target.parse() {
                    { go(props, to, "link", words) }
                } else if target.is_empty() {
                    { words }
                } else {
                    <a href={target.clone()}>{ words }</a>
                }
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

pub(super) fn span(name: &str, numbers: &[u32], theme: Theme) -> Html {
    let &[page_bytes, pages, header, size, handle, ref places @ ..] = numbers else { return Html::default() };
    let slot = |(index, &stored): (usize, &u32)| Slot {
        text: index.to_string(),
        data: (stored != FREE).then_some(stored),
        selected: false,
    };
    let slots = places.iter().enumerate().map(slot).collect();
    let picture = SpanPicture { page_bytes, pages: pages as u16, header, size, handle, slots };
    html! { <><p class="fine">{ name }</p><SpanFigure label={name.to_owned()} {picture} {theme} /></> }
}

pub(super) fn controls(controls: &[Vec<String>], props: &PageProps) -> Html {
    html! { <p class="tools">for cells in controls { { control(cells, props) } }</p> }
}

fn control(cells: &[String], props: &PageProps) -> Html {
    let [label, value, usual, before, choices @ ..] = cells else { return Html::default() };
    let before = before.clone();
    let onchange = props.tell.reform(move |event: Event| {
        // A list of choices has a value too.
        let value = event.target_unchecked_into::<HtmlInputElement>().value();
        Command::Enter(Key::Assumed, format!("{before}{value}"))
    });
    html! {
        <label class="field" key={label.clone()}>{ label }
            if choices.is_empty() {
                <input type="number" value={value.clone()} {onchange} />
            } else {
                <select {onchange}>for choice in choices { <option selected={choice == value}>{ choice }</option> }</select>
            }
            <span class={if value == usual { "fine" } else { "changed" }}>{ format!("usually {usual}") }</span>
        </label>
    }
}
