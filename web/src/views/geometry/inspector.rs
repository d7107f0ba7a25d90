//! One class taken apart: the ladder of candidates, the merge group, a zspage drawn.

use slabscope_charts::theme::Theme;
use slabscope_charts::zspage::SpanPicture;
use slabscope_core::tell::{counted, grouped};
use slabscope_core::zsmalloc::{Chain, Config, Cost, Geometry, SizeClass};
use yew::prelude::*;

use super::Shared;
use super::size_field::size_field;
use crate::views::span_figure::SpanFigure;

#[derive(Properties, PartialEq)]
pub(super) struct InspectorProps {
    pub(super) geometry: Shared,
    pub(super) theme: Theme,
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
}

/// Follows an object of a size into its class.
#[component]
pub(super) fn Inspector(props: &InspectorProps) -> Html {
    let geometry = &props.geometry.0;
    let Ok(cost) = geometry.cost(props.size) else { return Html::default() };
    let class = geometry.classes()[cost.class];
    let label = format!(
        "A zspage of class {}: {} in {}",
        class.size,
        counted(class.objects.into(), "object", "objects"),
        counted(class.pages.into(), "page", "pages")
    );
    html! {
        <>
            <section class="section">
                { size_field(props.size, geometry.config().page_bytes(), &props.pick) }
                <p>{ way(geometry, &cost, &class) }</p>
            </section>
            <section class="section">
                <div class="head"><h2>{ format!("One zspage of class {}", class.size) }</h2>
                    <span class="dim">{ format!("{}, {}", counted(class.pages.into(), "page", "pages"), counted(class.objects.into(), "object", "objects")) }</span></div>
                <SpanFigure {label} picture={picture(geometry, props.size)} theme={props.theme} />
                <p class="fine">{ format!("handle {}, rounding {}, tail {}", cost.handle, cost.rounding, class.waste) }</p>
                { object_table(geometry, &class) }
            </section>
            { ladder(geometry, &class, props.size) }
            { merge_group(geometry, &class) }
        </>
    }
}

/// From the request to the class, in words.
fn way(geometry: &Geometry, cost: &Cost, class: &SizeClass) -> String {
    let handle = geometry.constants().handle_bytes;
    let with_handle = cost.request + handle;
    let Ok(index) = geometry.index_of_request(cost.request) else { return String::new() };
    let nominal = geometry.nominal(index);
    let shares = if class.index == index { "is" } else { "shares" };
    format!(
        "{} + {handle} for the handle = {}, which rounds up to {} (index {index}) and {shares} class {}.",
        grouped(cost.request.into()),
        grouped(with_handle.into()),
        grouped(nominal.into()),
        class.size
    )
}

/// Most objects that the table lists.
const LISTED: u16 = 512;

fn picture(geometry: &Geometry, size: u32) -> SpanPicture {
    let Ok(cost) = geometry.cost(size) else { return SpanPicture::default() };
    let class = &geometry.classes()[cost.class];
    let page = geometry.config().page_bytes();
    // The object that crosses a page first is the one worth looking at.
    let selected = (0..class.objects).find(|&index| class.crosses(index, page)).unwrap_or(0);
    SpanPicture {
        page_bytes: page,
        pages: class.pages,
        size: class.size,
        handle: cost.handle,
        ..SpanPicture::default()
    }
    .full(class.objects, size, selected)
}

/// The drawing's table: where each object lies.
fn object_table(geometry: &Geometry, class: &SizeClass) -> Html {
    let page = geometry.config().page_bytes();
    html! {
        <details>
            <summary>{ "Show as table" }</summary>
            <table>
                <thead><tr><th scope="col">{ "Object" }</th><th scope="col">{ "From byte" }</th><th scope="col">{ "To byte" }</th><th scope="col">{ "Page" }</th></tr></thead>
                <tbody>
                    for index in 0..class.objects.min(LISTED) {
                        { object_row(index, class, page) }
                    }
                </tbody>
            </table>
        </details>
    }
}

fn object_row(index: u16, class: &SizeClass, page: u32) -> Html {
    let from = u32::from(index) * class.size;
    let to = from + class.size - 1;
    let pages = if from / page == to / page {
        (from / page).to_string()
    } else {
        format!("{} and {}", from / page, to / page)
    };
    html! {
        <tr key={index}><td>{ index }</td><td>{ grouped(from.into()) }</td><td>{ grouped(to.into()) }</td><td>{ pages }</td></tr>
    }
}

/// Every number of pages the class could have had, and why one won.
fn ladder(geometry: &Geometry, class: &SizeClass, request: u32) -> Html {
    let Ok(index) = geometry.index_of_request(request) else { return Html::default() };
    let nominal = geometry.nominal(index);
    let candidates = geometry.candidates(nominal, *Config::MAX_PAGES.end());
    let rule = match geometry.config().era.rules().chain {
        Chain::UsedPercent => "up to 6.2: the first with the largest used percentage",
        Chain::LeastWaste if nominal.is_power_of_two() => "from 6.3: a power of two gets one page",
        Chain::LeastWaste => "from 6.3: the first with the fewest bytes left over",
    };
    html! {
        <section class="section">
            <div class="head"><h2>{ format!("Why {}", counted(class.pages.into(), "page", "pages")) }</h2>
                <span class="dim">{ format!("candidates for {}", grouped(nominal.into())) }</span></div>
            <p class="fine">{ rule }</p>
            <table>
                <thead><tr><th scope="col">{ "Pages" }</th><th scope="col">{ "Objects" }</th><th scope="col">{ "Bytes lost" }</th><th scope="col">{ "Used" }</th><th scope="col"><span class="visually-hidden">{ "Choice" }</span></th></tr></thead>
                <tbody>
                    for candidate in candidates {
                        <tr key={candidate.pages} class={(!candidate.allowed).then_some("dim")} aria-selected={candidate.chosen.then_some("true")}>
                            <td>{ candidate.pages }</td><td>{ candidate.objects }</td>
                            <td>{ grouped(candidate.waste.into()) }</td><td>{ format!("{} %", candidate.used_percent) }</td>
                            <td>{ if candidate.chosen { "chosen" } else if candidate.allowed { "" } else { "not allowed" } }</td>
                        </tr>
                    }
                </tbody>
            </table>
        </section>
    }
}

/// The nominal sizes that became one class.
fn merge_group(geometry: &Geometry, class: &SizeClass) -> Html {
    let merged = class.index - class.lowest_index + 1;
    let objects = counted(class.objects.into(), "object", "objects");
    let pages = counted(class.pages.into(), "page", "pages");
    let text = if merged == 1 {
        format!("Index {} stands alone: no neighbour has {objects} in {pages}.", class.index)
    } else {
        format!(
            "Indices {} to {} (nominal sizes {} to {} bytes) all have {objects} in {pages} and merge into class {}.",
            class.lowest_index,
            class.index,
            grouped(geometry.nominal(class.lowest_index).into()),
            grouped(class.size.into()),
            class.size
        )
    };
    html! { <section class="section"><h2>{ "Merge group" }</h2><p>{ text }</p></section> }
}
