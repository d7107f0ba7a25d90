//! One class taken apart: the ladder of candidates, the merge group, a zspage drawn.

use slabscope_charts::shown::zspage;
use slabscope_charts::theme::Theme;
use slabscope_core::tell::{counted, grouped};
use slabscope_core::zsmalloc::{Chain, Config, Cost, Geometry, SizeClass};
use yew::prelude::*;

use super::size_field::size_field;
use crate::views::plain::{Line, section, table};
use crate::views::span_figure::SpanFigure;

/// Follows an object of a size into its class.
pub(super) fn inspector(geometry: &Geometry, size: u32, theme: Theme, pick: &Callback<u32>) -> Html {
    let Ok(cost) = geometry.cost(size) else { return Html::default() };
    let class = geometry.classes()[cost.class];
    let objects = counted(class.objects.into(), "object", "objects");
    let pages = counted(class.pages.into(), "page", "pages");
    let label = format!("A zspage of class {}: {objects} in {pages}", class.size);
    let drawing = html! {
        <>
            <SpanFigure {label} picture={zspage(geometry, size)} {theme} />
            <p class="fine">{ format!("handle {}, rounding {}, tail {}", cost.handle, cost.rounding, class.waste) }</p>
            <details>
                <summary>{ "Show as table" }</summary>
                { object_table(geometry, &class) }
            </details>
        </>
    };
    html! {
        <>
            <section class="section">
                { size_field(size, geometry.config().page_bytes(), pick) }
                <p>{ way(geometry, &cost, &class) }</p>
            </section>
            { section(&format!("One zspage of class {}", class.size), &format!("{pages}, {objects}"), drawing) }
            { ladder(geometry, &class, size) }
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

/// The drawing's table: where each object lies.
fn object_table(geometry: &Geometry, class: &SizeClass) -> Html {
    let page = geometry.config().page_bytes();
    let lines = (0..class.objects.min(LISTED)).map(|index| {
        let from = u32::from(index) * class.size;
        let to = from + class.size - 1;
        let (first, last) = (from / page, to / page);
        let pages = if first == last { first.to_string() } else { format!("{first} and {last}") };
        vec![index.to_string(), grouped(from.into()), grouped(to.into()), pages].into()
    });
    table(&["Object", "From byte", "To byte", "Page"], lines.collect())
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
    let lines = candidates.into_iter().map(|candidate| {
        let verdict = if candidate.chosen {
            "chosen"
        } else if candidate.allowed {
            ""
        } else {
            "not allowed"
        };
        Line {
            cells: vec![
                candidate.pages.to_string(),
                candidate.objects.to_string(),
                grouped(candidate.waste.into()),
                format!("{} %", candidate.used_percent),
                verdict.to_owned(),
            ],
            chosen: candidate.chosen,
            dim: !candidate.allowed,
        }
    });
    let columns = ["Pages", "Objects", "Bytes lost", "Used", "Choice"];
    let body = html! { <><p class="fine">{ rule }</p>{ table(&columns, lines.collect()) }</> };
    let title = format!("Why {}", counted(class.pages.into(), "page", "pages"));
    section(&title, &format!("candidates for {}", grouped(nominal.into())), body)
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
    section("Merge group", "", html! { <p>{ text }</p> })
}
