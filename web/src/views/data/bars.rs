//! Where the memory goes, as bars to scale with their figures.

use slabscope_core::tell::{counted, grouped};
use slabscope_formats::classes::ClassUse;
use yew::prelude::*;

use super::parsed::Read;

/// How much is in objects, and the largest of the rest.
pub(super) fn sentence(read: &Read) -> Html {
    let sums = &read.occupancy;
    if sums.total == 0 {
        return html! { <h2 class="say">{ "This pool is " }<strong>{ "empty" }</strong>{ "." }</h2> };
    }
    let lost = [("empty places", sums.empty), ("tails of zspages", sums.tails), ("handles", sums.handles)];
    let (name, amount) = lost.into_iter().max_by_key(|part| part.1).unwrap_or(("tails", 0));
    html! {
        <>
            <h2 class="say">{ format!("{} hold {}. ", mebi(sums.total), counted(sums.used, "object", "objects")) }
                <strong>{ format!("Of what is lost, {name} take most: {}.", mebi(amount)) }</strong></h2>
            <p class="say-more">{ format!("Compacting now would return {} of {}.", counted(sums.freeable_pages, "page", "pages"), grouped(sums.pages)) }</p>
        </>
    }
}

fn mebi(bytes: u64) -> String {
    let mebi = bytes as f64 / f64::from(1 << 20);
    if mebi >= 100.0 { format!("{} MiB", grouped(mebi.round() as u64)) } else { format!("{mebi:.2} MiB") }
}

/// A bar for each part of the whole; a progress element is its own text for those who cannot see it.
pub(super) fn waterfall(read: &Read) -> Html {
    let sums = &read.occupancy;
    let parts = [
        ("In objects, rounding included", "data", sums.objects),
        ("Handles", "handle", sums.handles),
        ("Empty places", "free", sums.empty),
        ("Tails of zspages", "tail", sums.tails),
    ];
    html! {
        <section aria-label="Where the memory goes">
            <h3 class="part-title">{ "Where the memory goes" }</h3>
            <table class="parts" data-waterfall="">
                <thead><tr><th scope="col">{ "Part" }</th><th scope="col">{ "Share" }</th><th scope="col">{ "Bytes" }</th><th scope="col">{ "Percent" }</th></tr></thead>
                <tbody>
                    for (name, class, bytes) in parts {
                        <tr key={name}>
                            <td><i class={classes!("swatch", class)} />{ " " }{ name }</td>
                            <td class="wide">{ bar(class, bytes, sums.total) }</td>
                            <td>{ grouped(bytes) }</td>
                            <td>{ percent(bytes, sums.total) }</td>
                        </tr>
                    }
                    <tr><td><strong>{ "Held in total" }</strong></td><td /><td><strong>{ grouped(sums.total) }</strong></td><td>{ "100 %" }</td></tr>
                </tbody>
            </table>
            <p class="fine">{ "The parts add up to the pages held, to the byte. How much of an object is rounding the file does not say." }</p>
        </section>
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "0 %".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// A bar to scale. SVG attributes, unlike style attributes, are within the content policy.
fn bar(class: &'static str, part: u64, whole: u64) -> Html {
    let width = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    html! {
        <svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class={classes!("bar-fill", class)} x="0" y="0" width={format!("{width:.3}")} height="10" />
        </svg>
    }
}

/// Rows shown.
const SHOWN: usize = 40;

/// Classes by the pages they hold, with what they waste.
pub(super) fn classes(read: &Read) -> Html {
    let sums = &read.occupancy;
    let most = sums.classes.iter().map(|class| class.pages).max().unwrap_or(1);
    html! {
        <section aria-label="Classes by pages">
            <h3 class="part-title">{ "Classes by pages held" }</h3>
            <div class="scroll">
                <table>
                    <thead><tr><th scope="col">{ "Class" }</th><th scope="col">{ "Share of the largest" }</th><th scope="col">{ "Objects" }</th><th scope="col">{ "Places" }</th><th scope="col">{ "In use" }</th><th scope="col">{ "Pages" }</th><th scope="col">{ "Freeable" }</th></tr></thead>
                    <tbody>
                        for class in sums.classes.iter().take(SHOWN) { { class_row(class, most) } }
                    </tbody>
                </table>
            </div>
            if sums.classes.len() > SHOWN {
                <p class="fine">{ format!("The {SHOWN} largest of {} classes in use.", sums.classes.len()) }</p>
            }
        </section>
    }
}

fn class_row(class: &ClassUse, most: u64) -> Html {
    let inside = class.zspage.map(|(pages, objects)| format!(" {objects} in {pages}")).unwrap_or_default();
    html! {
        <tr key={format!("{}-{}", class.class, class.size)}>
            <td><strong>{ class.size }</strong><span class="dim">{ inside }</span></td>
            <td class="wide">{ bar("data", class.pages, most) }</td>
            <td>{ grouped(class.used) }</td><td>{ grouped(class.allocated) }</td>
            <td>{ percent(class.used, class.allocated) }</td>
            <td>{ grouped(class.pages) }</td><td>{ grouped(class.freeable) }</td>
        </tr>
    }
}

/// Where compaction would gain most.
pub(super) fn largest(read: &Read) -> Html {
    let mut classes: Vec<&ClassUse> =
        read.occupancy.classes.iter().filter(|class| class.freeable > 0).collect();
    classes.sort_unstable_by_key(|class| (std::cmp::Reverse(class.freeable), class.class));
    html! {
        <section class="section">
            <h2>{ "What you can do" }</h2>
            if classes.is_empty() {
                <p>{ "Compaction would return nothing: no class has a whole zspage of empty places." }</p>
            } else {
                <p>{ format!("echo 1 > /sys/block/zram0/compact would return {}. Most of it from:", counted(read.occupancy.freeable_pages, "page", "pages")) }</p>
                <table>
                    <thead><tr><th scope="col">{ "Class" }</th><th scope="col">{ "Pages" }</th><th scope="col">{ "Freeable" }</th></tr></thead>
                    <tbody>
                        for class in classes.iter().take(8) {
                            <tr key={class.class}><td>{ class.size }</td><td>{ grouped(class.pages) }</td><td>{ grouped(class.freeable) }</td></tr>
                        }
                    </tbody>
                </table>
            }
        </section>
    }
}
