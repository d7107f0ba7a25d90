//! zsmalloc's plots against object size.

use std::rc::Rc;

use slabscope_charts::plot::Plot as Drawing;
use slabscope_charts::theme::Theme;
use slabscope_charts::zsmalloc::{self, ALSO};
use slabscope_core::tell::{bytes, grouped, tenths};
use slabscope_core::zsmalloc::{Config, Geometry};
use slabscope_scenario::{Key, Plot};
use yew::prelude::*;

use super::Shared;
use super::size_plot::{Curve, SizePlot};
use crate::controls::Segments;
use crate::state::{Command, State};

#[derive(Properties, PartialEq)]
pub(super) struct PlotProps {
    pub(super) state: UseReducerHandle<State>,
    pub(super) theme: Theme,
    pub(super) geometry: Shared,
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
    pub(super) sizes: Vec<(f32, f32)>,
}

/// The plot with its tools, readout and legend.
#[component]
pub(super) fn PlotPanel(props: &PlotProps) -> Html {
    let hover = use_state_eq(|| None::<u32>);
    let scenario = &props.state.scenario;
    let kind = Plot::from_name(&scenario.text(Key::Plot)).unwrap_or(Plot::Loss);
    let also = numbers(&scenario.text(Key::Also));
    let config = *props.geometry.0.config();
    let plot = use_memo((config, also.clone(), kind, props.sizes.clone()), |(config, also, kind, own)| {
        Rc::new(Drawing { own: own.clone(), ..drawing(config, also, *kind) })
    });
    let curve = use_memo((config, kind), {
        let geometry = props.geometry.clone();
        move |&(_, kind)| {
            Curve(Rc::new(move |size| {
                let cost = geometry.0.cost(size).ok()?;
                match kind {
                    Plot::Cost => Some(cost.paid()),
                    Plot::Loss => Some(cost.lost()),
                    _ => None,
                }
            }))
        }
    });
    let on_hover = {
        let hover = hover.setter();
        Callback::from(move |size| hover.set(size))
    };
    let dispatch = props.state.dispatcher();
    let on_kind =
        Callback::from(move |name: AttrValue| dispatch.dispatch(Command::Enter(Key::Plot, name.to_string())));
    let label = format!("{}, {}", kind.label(), scenario.side(0).describe());
    let shown = [Plot::Loss, Plot::Cost, Plot::Crossing];
    html! {
        <>
            <div class="tools">
                <Segments label="Plot" value={kind.name()} on_change={on_kind}
                    options={shown.iter().map(|plot| (plot.name().into(), plot.label().into())).collect::<Vec<_>>()} />
                { compared(&props.state, &also, config.max_pages) }
            </div>
            <SizePlot {label} plot={(*plot).clone()} curve={(*curve).clone()} theme={props.theme} size={props.size}
                most={config.page_bytes()} hover={*hover} {on_hover} pick={props.pick.clone()} />
            <p class="fine" role="status">{ readout(&props.geometry.0, hover.unwrap_or(props.size)) }</p>
            { legend(kind) }
        </>
    }
}

fn numbers(text: &str) -> Vec<u8> {
    text.split(',').filter_map(|part| part.parse().ok()).collect()
}

fn drawing(config: &Config, also: &[u8], kind: Plot) -> Drawing {
    let geometry = |max_pages: u8| Geometry::new(&Config { max_pages, ..*config }).ok();
    let Some(current) = geometry(config.max_pages) else { return Drawing::default() };
    let others: Vec<Geometry> = also.iter().filter_map(|&pages| geometry(pages)).collect();
    match kind {
        Plot::Cost => zsmalloc::cost(&current, &others),
        Plot::Crossing => zsmalloc::crossing(&current, &others),
        _ => zsmalloc::loss_marked(&current, &others),
    }
}

fn readout(geometry: &Geometry, size: u32) -> String {
    let Ok(cost) = geometry.cost(size) else { return String::new() };
    let class = &geometry.classes()[cost.class];
    let crossing = class.crossing(geometry.config().page_bytes());
    format!(
        "{}: class {}, {} paid, {} lost (handle {}, rounding {}, tail {}); {} of {} objects cross a page",
        bytes(size.into()),
        class.size,
        tenths(cost.paid()),
        tenths(cost.lost()),
        cost.handle,
        grouped(cost.rounding.into()),
        tenths(cost.tail),
        crossing,
        class.objects
    )
}

fn legend(kind: Plot) -> Html {
    let ribbon = html! {
        <span>
            <i class="swatch pages1" /><i class="swatch pages2" /><i class="swatch pages3" /><i class="swatch pages4" />
            { "1, 2, 3, 4 and more pages in a zspage" }
        </span>
    };
    let entries = match kind {
        Plot::Loss => html! {
            <>
                <span><i class="swatch handle" />{ "Handle" }</span>
                <span><i class="swatch rounding" />{ "Rounding" }</span>
                <span><i class="swatch tail" />{ "Tail" }</span>
                <span><i class="swatch line" />{ "Compared" }</span>
            </>
        },
        Plot::Cost => html! { <span>{ "Thin straight line: nothing lost" }</span> },
        _ => html! { <span><i class="swatch line" />{ "Compared" }</span> },
    };
    html! { <div class="legend">{ entries }{ ribbon }</div> }
}

/// Further max pages to draw.
fn compared(state: &UseReducerHandle<State>, chosen: &[u8], current: u8) -> Html {
    let toggle = |pages: u8| {
        let mut chosen = chosen.to_vec();
        match chosen.iter().position(|&one| one == pages) {
            Some(at) => drop(chosen.remove(at)),
            None => chosen.push(pages),
        }
        // The table of parameters puts them in order.
        let text = chosen.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let dispatch = state.dispatcher();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(Command::Enter(Key::Also, text.clone())))
    };
    html! {
        <div class="chips" role="group" aria-label="Compared max pages">
            <span class="dim">{ "Also at" }</span>
            for pages in ALSO.into_iter().filter(|pages| *pages != current) {
                <button type="button" class="chip" key={pages} aria-pressed={chosen.contains(&pages).to_string()}
                    aria-label={format!("Also at {pages} pages")} onclick={toggle(pages)}>{ pages }</button>
            }
            <span class="dim">{ "pages" }</span>
        </div>
    }
}
