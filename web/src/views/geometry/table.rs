//! A table of classes, block types or caches: sorted, filtered and copied as the reader wants.

use std::rc::Rc;

use slabscope_core::ranked::ascending;
use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::controls::CopyButton;

/// A cell: what it says and what it is sorted by.
pub(super) type Cell = (String, f64);

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// In the order of the columns; the second is what a row is called by.
    pub(super) cells: Vec<Cell>,
    /// Sizes that it serves; `None` where no request comes to it.
    pub(super) requests: Option<(u32, u32)>,
    /// A size that finds it though no request has it.
    pub(super) size: u32,
}

impl Row {
    fn serves(&self, size: u32) -> bool {
        self.requests.is_some_and(|(from, to)| (from..=to).contains(&size))
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct TableProps {
    /// One of the rows, and several.
    pub(super) noun: (&'static str, &'static str),
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Rc<Vec<Row>>,
    /// The size that is looked at.
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
    /// Texts to copy, by the name of their button.
    pub(super) copies: Vec<(&'static str, Callback<(), String>)>,
}

/// The table with its tools.
#[component]
pub(super) fn SizeTable(props: &TableProps) -> Html {
    let sort = use_state(|| (0usize, false));
    let filter = use_state(String::new);
    let found: Vec<&Row> = props.rows.iter().filter(|row| matches(row, &filter)).collect();
    let (column, descending) = *sort;
    let key = |row: &&Row| (row.cells.get(column).map_or(0.0, |cell| cell.1) * 1000.0) as i64;
    let order = ascending(&found.iter().map(key).collect::<Vec<_>>());
    let mut rows: Vec<&Row> = order.into_iter().filter_map(|at| found.get(at as usize).copied()).collect();
    if descending {
        rows.reverse();
    }
    let on_filter = {
        let filter = filter.clone();
        move |event: InputEvent| filter.set(event.target_unchecked_into::<HtmlInputElement>().value())
    };
    let (one, several) = props.noun;
    // One row can be reached by Tab, and from it the others by the arrow keys.
    let entry = rows.iter().position(|row| row.serves(props.size)).unwrap_or(0);
    html! {
        <section class="classes" aria-label={several}>
            <div class="classes-tools">
                <strong>{ format!("{} of {} {several}", rows.len(), props.rows.len()) }</strong>
                <label>
                    <span class="visually-hidden">{ format!("Show only the {one} of this size, or a range as in 1000-2000") }</span>
                    <input class="input" type="search" placeholder="size, or 1000-2000" value={(*filter).clone()} oninput={on_filter} />
                </label>
                <span class="push" />
                for (label, text) in props.copies.clone() { <CopyButton key={label} {label} {text} /> }
            </div>
            <table>
                <caption class="visually-hidden">{ format!("{several}; choose a row to take its {one} apart") }</caption>
                <thead><tr>
                    for (index, name) in props.columns.iter().enumerate() { { header(index, name, &sort) } }
                </tr></thead>
                <tbody>
                    for (index, row) in rows.into_iter().enumerate() { { line(row, props.size, index == entry, &props.pick) } }
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

fn line(row: &Row, size: u32, is_entry: bool, pick: &Callback<u32>) -> Html {
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
        let here = event.target_unchecked_into::<HtmlElement>();
        let there = match event.key().as_str() {
            "Enter" | " " => {
                choose();
                None
            }
            "ArrowUp" => here.previous_element_sibling(),
            "ArrowDown" => here.next_element_sibling(),
            _ => return,
        };
        event.prevent_default();
        if let Some(row) = there.and_then(|row| row.dyn_into::<HtmlElement>().ok()) {
            // Where it cannot be focused, the focus stays.
            let _ = row.focus();
        }
    };
    html! {
        <tr class="pick" key={row.size} tabindex={if is_entry { "0" } else { "-1" }} aria-selected={row.serves(size).then_some("true")} {onclick} {onkeydown}>
            for (index, (text, _)) in row.cells.iter().enumerate() {
                <td key={index}>if index == 1 { <strong>{ text }</strong> } else { { text } }</td>
            }
        </tr>
    }
}

/// A size finds what serves it, a range everything that serves part of it.
fn matches(row: &Row, filter: &str) -> bool {
    let plain: String = filter.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    let (from, to) = plain.split_once('-').unwrap_or((&plain, &plain));
    let (Ok(low), Ok(high)) = (from.parse::<u32>(), to.parse::<u32>()) else { return true };
    row.size == low || row.requests.is_some_and(|(first, last)| first <= high && last >= low)
}
