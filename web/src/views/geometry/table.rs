//! The class table.

use slabscope_core::tell::grouped;
use slabscope_core::zsmalloc::{Geometry, Pool, SizeClass};
use slabscope_formats::zsmalloc_tables::{CLASS_COLUMNS, class_rows, write_tsv};
use slabscope_formats::zsmalloc_text::write_classes;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::Shared;
use crate::controls::CopyButton;

#[derive(Properties, PartialEq)]
pub(super) struct TableProps {
    pub(super) geometry: Shared,
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
}

/// A row with everything it can be sorted by.
struct Row {
    class: SizeClass,
    requests: Option<(u32, u32)>,
    crossing: u16,
    waste_percent: f64,
}

/// A column: its heading and what it is sorted by.
struct Column {
    name: &'static str,
    by: fn(&Row) -> f64,
}

const COLUMNS: [Column; 7] = [
    Column { name: "Index", by: |row| row.class.index.into() },
    Column { name: "Class", by: |row| row.class.size.into() },
    Column { name: "Objects from, to", by: |row| row.requests.map_or(0.0, |(from, _)| from.into()) },
    Column { name: "Pages", by: |row| row.class.pages.into() },
    Column { name: "Objects", by: |row| row.class.objects.into() },
    Column { name: "Lost per zspage", by: |row| row.waste_percent },
    Column { name: "Crossing a page", by: |row| f64::from(row.crossing) / f64::from(row.class.objects) },
];

/// Every distinct class, sorted and filtered as the reader wants.
#[component]
pub(super) fn ClassTable(props: &TableProps) -> Html {
    let sort = use_state(|| (0usize, false));
    let filter = use_state(String::new);
    let geometry = &props.geometry.0;
    let selected = geometry.class_of(props.size).ok();
    let mut rows = rows(geometry);
    let all = rows.len();
    rows.retain(|row| matches(row, &filter));
    let (column, descending) = *sort;
    rows.sort_by(|a, b| {
        let order = (COLUMNS[column].by)(a).total_cmp(&(COLUMNS[column].by)(b));
        if descending { order.reverse() } else { order }
    });
    let on_filter = {
        let filter = filter.clone();
        move |event: InputEvent| filter.set(event.target_unchecked_into::<HtmlInputElement>().value())
    };
    let as_kernel = {
        let geometry = props.geometry.clone();
        Callback::from(move |()| kernel_text(&geometry.0))
    };
    let as_tsv = {
        let geometry = props.geometry.clone();
        Callback::from(move |()| tsv(&geometry.0))
    };
    html! {
        <section class="classes" aria-label="Size classes">
            <div class="classes-tools">
                <strong>{ format!("{} of {} classes", rows.len(), all) }</strong>
                <label>
                    <span class="visually-hidden">{ "Show only the class of this size, or a range as in 1000-2000" }</span>
                    <input class="input" type="search" placeholder="size, or 1000-2000" value={(*filter).clone()} oninput={on_filter} />
                </label>
                <span class="push" />
                <CopyButton label="Copy as the kernel prints it" text={as_kernel} />
                <CopyButton label="Copy as TSV" text={as_tsv} />
            </div>
            <table>
                <caption class="visually-hidden">{ "Size classes; choose a row to take its class apart" }</caption>
                <thead><tr>
                    for (index, heading) in COLUMNS.iter().enumerate() {
                        { header(index, heading.name, &sort) }
                    }
                </tr></thead>
                <tbody>
                    for row in &rows {
                        { line(row, selected.is_some_and(|at| geometry.classes()[at].index == row.class.index), &props.pick) }
                    }
                </tbody>
            </table>
        </section>
    }
}

fn header(index: usize, name: &'static str, sort: &UseStateHandle<(usize, bool)>) -> Html {
    let (column, descending) = **sort;
    let is_sorted = column == index;
    let onclick = {
        let sort = sort.clone();
        move |_: MouseEvent| sort.set((index, is_sorted && !descending))
    };
    let direction = if descending { "descending" } else { "ascending" };
    let arrow = match (is_sorted, descending) {
        (false, _) => "",
        (true, false) => " \u{25b2}",
        (true, true) => " \u{25bc}",
    };
    html! {
        <th scope="col" key={name} aria-sort={is_sorted.then_some(direction)}>
            <button type="button" {onclick}>{ name }{ arrow }</button>
        </th>
    }
}

fn line(row: &Row, is_selected: bool, pick: &Callback<u32>) -> Html {
    let class = &row.class;
    let indices = if class.lowest_index == class.index {
        class.index.to_string()
    } else {
        format!("{}\u{2013}{}", class.lowest_index, class.index)
    };
    let requests = row.requests.map_or_else(
        || "none".to_owned(),
        |(from, to)| format!("{}\u{2013}{}", grouped(from.into()), grouped(to.into())),
    );
    let target = row.requests.map(|(_, to)| to);
    let choose = {
        let pick = pick.clone();
        move || {
            if let Some(size) = target {
                pick.emit(size)
            }
        }
    };
    let onclick = {
        let choose = choose.clone();
        move |_: MouseEvent| choose()
    };
    let onkeydown = move |event: KeyboardEvent| {
        if event.key() == "Enter" || event.key() == " " {
            event.prevent_default();
            choose();
        }
    };
    html! {
        <tr class="pick" key={class.index} tabindex="0" aria-selected={is_selected.then_some("true")} {onclick} {onkeydown}>
            <td>{ indices }</td>
            <td><strong>{ class.size }</strong>{ if class.huge { " huge" } else { "" } }</td>
            <td>{ requests }</td>
            <td>{ class.pages }</td>
            <td>{ class.objects }</td>
            <td>{ format!("{} B, {:.1} %", grouped(class.waste.into()), row.waste_percent) }</td>
            <td>{ format!("{} of {}", row.crossing, class.objects) }</td>
        </tr>
    }
}

fn rows(geometry: &Geometry) -> Vec<Row> {
    let page = geometry.config().page_bytes();
    let row = |(position, class): (usize, &SizeClass)| Row {
        class: *class,
        requests: geometry.requests(position),
        crossing: class.crossing(page),
        waste_percent: 100.0 * f64::from(class.waste) / f64::from(u32::from(class.pages) * page),
    };
    geometry.classes().iter().enumerate().map(row).collect()
}

/// A size finds the class that serves it, a range all classes that serve part of it.
fn matches(row: &Row, filter: &str) -> bool {
    let plain: String = filter.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    let (from, to) = plain.split_once('-').unwrap_or((&plain, &plain));
    let (Ok(low), Ok(high)) = (from.parse::<u32>(), to.parse::<u32>()) else { return true };
    row.class.size == low || row.requests.is_some_and(|(first, last)| first <= high && last >= low)
}

/// The classes file of an empty pool.
fn kernel_text(geometry: &Geometry) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_classes(&Pool::new(geometry.clone()), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn tsv(geometry: &Geometry) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_tsv(&CLASS_COLUMNS, class_rows(geometry), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
