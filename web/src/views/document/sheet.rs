//! A table that can be sorted and copied.

use std::rc::Rc;

use slabscope_core::ranked::cells;
use slabscope_lab::document::Sheet;
use yew::prelude::*;

use crate::controls::CopyButton;

#[derive(Properties, PartialEq)]
pub(super) struct SheetProps {
    pub(super) sheet: Rc<Sheet>,
}

/// Bytes of a cell from which on it is a text rather than a figure.
const LONG: usize = 32;
/// Rows shown until more are asked for.
const SHOWN: usize = 40;

/// The table with its tools.
#[component]
pub(super) fn SheetTable(props: &SheetProps) -> Html {
    let sheet = &props.sheet;
    let sort = use_state(|| None::<(usize, bool)>);
    let all = use_state_eq(|| false);
    let mut order: Vec<usize> = (0..sheet.rows.len()).collect();
    if let Some((column, descending)) = *sort {
        let column: Vec<&str> =
            sheet.rows.iter().map(|row| row.get(column).map_or("", String::as_str)).collect();
        order = cells(&column).into_iter().map(|row| row as usize).collect();
        if descending {
            order.reverse();
        }
    }
    let most = if *all { usize::MAX } else { SHOWN };
    // A text in one row makes its column one of texts.
    let long =
        |column: usize| sheet.rows.iter().any(|row: &Vec<String>| row[column].len() > LONG).then_some("long");
    let classes: Vec<Option<&'static str>> = (0..sheet.columns.len()).map(long).collect();
    let copy = |text: fn(&Sheet) -> String| {
        let sheet = sheet.clone();
        Callback::from(move |()| text(&sheet))
    };
    html! {
        <div class="sheet" role="group" aria-label={sheet.caption.clone()}>
            <div class="tools"><h3 class="part-title">{ &sheet.caption }</h3><span class="push" />
                <CopyButton label="Copy as text" text={copy(Sheet::aligned)} /><CopyButton label="Copy as CSV" text={copy(Sheet::csv)} /></div>
            <div class="scroll" tabindex="0">
                <table>
                    <thead><tr>
                        for (index, name) in sheet.columns.iter().enumerate() { { header(index, name, classes[index], &sort) } }
                    </tr></thead>
                    <tbody>
                        for &row in order.iter().take(most) {
                            <tr key={row}>
                                for (column, cell) in sheet.rows[row].iter().enumerate() { <td key={column} class={classes[column]}>{ cell }</td> }
                            </tr>
                        }
                    </tbody>
                </table>
            </div>
            if order.len() > most {
                <button type="button" class="link" onclick={move |_: MouseEvent| all.set(true)}>{ format!("Show all {} rows", order.len()) }</button>
            }
        </div>
    }
}

fn header(
    index: usize,
    name: &str,
    class: Option<&'static str>,
    sort: &UseStateHandle<Option<(usize, bool)>>,
) -> Html {
    let sorted = sort.filter(|(column, _)| *column == index).map(|(_, descending)| descending);
    let direction = sorted.map(|descending| if descending { "descending" } else { "ascending" });
    let onclick = {
        let sort = sort.clone();
        move |_: MouseEvent| sort.set(Some((index, sorted == Some(false))))
    };
    html! {
        <th scope="col" key={index} {class} aria-sort={direction}>
            <button type="button" {onclick}>{ name }{ match sorted { None => "", Some(false) => " \u{25b2}", Some(true) => " \u{25bc}" } }</button>
        </th>
    }
}
