//! A table that can be sorted and copied.

use std::rc::Rc;

use slabscope_core::ranked::ascending;
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
        let value = |row: &Vec<String>| row.get(column).map_or(0, |cell| number(cell));
        let keys: Vec<i64> = sheet.rows.iter().map(value).collect();
        order = ascending(&keys).into_iter().map(|row| row as usize).collect();
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

/// What a cell is sorted by: its digits as a number in hundredths, with its sign.
fn number(cell: &str) -> i64 {
    let (mut value, mut decimals, mut seen_point, mut seen_digit) = (0i64, 0, false, false);
    for c in cell.chars() {
        match c {
            '0'..='9' if decimals < 2 => {
                value = value.saturating_mul(10).saturating_add(i64::from(c as u8 - b'0'));
                decimals += u32::from(seen_point);
                seen_digit = true;
            }
            '.' if !seen_point => seen_point = true,
            ',' | '0'..='9' => {}
            '\u{2212}' | '-' | '+' if !seen_digit => {}
            _ if seen_digit => break,
            _ => {}
        }
    }
    let value = value.saturating_mul(10i64.pow(2 - decimals));
    if cell.starts_with(['\u{2212}', '-']) { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn cells_are_sorted_by_their_numbers() {
        assert_eq!(number("1,234"), 123_400);
        assert_eq!(number("\u{2212}50 (\u{2212}25.0 %)"), -5_000);
        assert_eq!((number("3.5"), number("3.25"), number("same")), (350, 325, 0));
    }
}
