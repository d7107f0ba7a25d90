//! What a reader knows better than the tables tell.

use slabscope_core::zsmalloc::Era;
use slabscope_lab::Override;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Lists of eras, page sizes and max pages, each with the choice to leave it to the table.
pub(super) fn known(machine: &UseStateHandle<Override>) -> Html {
    let eras = Era::ALL.iter().zip(0..).map(|(era, place)| (place, era.name().to_owned())).collect();
    let shifts = (12..=16).map(|shift: u8| (shift, format!("{} KiB", 1u32 << (shift - 10)))).collect();
    let pages = (1..=16).map(|pages: u8| (pages, pages.to_string())).collect();
    let field = |id: &'static str,
                 label: &str,
                 choices: Vec<(u8, String)>,
                 place: fn(&mut Override) -> &mut Option<u8>| {
        let taken = *place(&mut (**machine).clone());
        let machine = machine.clone();
        let onchange = move |event: Event| {
            let mut next = *machine;
            *place(&mut next) = event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok();
            machine.set(next);
        };
        html! {
            <div class="field">
                <label for={id}>{ label }</label>
                <select {id} {onchange}>
                    <option value="" selected={taken.is_none()}>{ "as the rows tell" }</option>
                    for (value, name) in choices { <option value={value.to_string()} selected={taken == Some(value)}>{ name }</option> }
                </select>
            </div>
        }
    };
    html! {
        <section class="section">
            <h2>{ "What you know better" }</h2>
            { field("known-era", "Era", eras, |known| &mut known.era) }
            { field("known-page", "Page size", shifts, |known| &mut known.page_shift) }
            { field("known-chain", "Max pages per zspage", pages, |known| &mut known.max_pages) }
        </section>
    }
}
