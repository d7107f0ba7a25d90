//! Parts that look the same in every view: the sentence, sections with a heading, tables that are only read.

use yew::prelude::*;

/// The sentence above a picture: what comes first, what matters most, what follows, and a second line.
pub(crate) fn say(lead: &str, strong: &str, rest: &str, more: &str) -> Html {
    html! {
        <>
            <h2 class="say">{ lead }<strong>{ strong }</strong>{ rest }</h2>
            <p class="say-more" aria-live="polite">{ more }</p>
        </>
    }
}

/// A section: its title, a note beside it, and what it holds.
pub(crate) fn section(title: &str, note: &str, body: Html) -> Html {
    html! {
        <section class="section">
            <div class="head"><h2>{ title }</h2><span class="dim">{ note }</span></div>
            { body }
        </section>
    }
}

/// A row of a table.
pub(crate) struct Line {
    /// In the order of the columns.
    pub(crate) cells: Vec<String>,
    /// True for the row that stands out.
    pub(crate) chosen: bool,
    /// True for a row of lesser interest.
    pub(crate) dim: bool,
}

impl From<Vec<String>> for Line {
    fn from(cells: Vec<String>) -> Self {
        Self { cells, chosen: false, dim: false }
    }
}

/// The headings of a table.
pub(crate) fn head(columns: &[&str]) -> Html {
    let names = columns.iter().map(|name| html! { <th scope="col">{ *name }</th> });
    html! { <thead><tr>{ for names }</tr></thead> }
}

/// The cells of a row.
pub(crate) fn cells(texts: Vec<String>) -> Html {
    html! { for text in texts { <td>{ text }</td> } }
}

/// A table to read.
pub(crate) fn table(columns: &[&str], lines: Vec<Line>) -> Html {
    let rows = lines.into_iter().map(|line| {
        html! {
            <tr class={line.dim.then_some("dim")} aria-selected={line.chosen.then_some("true")}>{ cells(line.cells) }</tr>
        }
    });
    html! {
        <table>
            { head(columns) }
            <tbody>{ for rows }</tbody>
        </table>
    }
}
