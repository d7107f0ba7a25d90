//! zblock: its block types, and one size looked up.

use std::rc::Rc;

use slabscope_charts::plot::Plot;
use slabscope_charts::shown::block;
use slabscope_charts::theme::Theme;
use slabscope_charts::zblock::{loss, lost};
use slabscope_core::tell::{bytes, counted, grouped, tenths};
use slabscope_core::zblock::{BlockType, Geometry, Lookup};
use slabscope_formats::zblock_tables::{TYPE_COLUMNS, type_rows};
use slabscope_formats::zsmalloc_tables::write_tsv;
use slabscope_scenario::Key;
use yew::prelude::*;

use super::rows::{self, TYPES};
use super::size_field::size_field;
use super::size_plot::{Curve, SizePlot};
use super::table::SizeTable;
use super::{ViewProps, inspected, picker, timeless_dock, trouble};
use crate::views::layout::Layout;
use crate::views::plain::{say, section, table};
use crate::views::span_figure::SpanFigure;

/// Types, what is lost, and the look-up.
#[component]
pub(super) fn BlockView(props: &ViewProps) -> Html {
    let scenario = &props.state.scenario;
    let config = scenario.side(0).zblock_config();
    let geometry = use_memo(config, |config| Geometry::new(config).map(Rc::new));
    let hover = use_state_eq(|| None::<u32>);
    let built = geometry.as_ref().as_ref().ok().cloned();
    let plot = use_memo((config, props.sizes.clone()), |(_, own)| {
        Rc::new(Plot { own: own.clone(), ..built.as_deref().map(loss).unwrap_or_default() })
    });
    let curve = use_memo(config, |_| {
        let geometry = built.clone();
        Curve(Rc::new(move |size| {
            let geometry = geometry.as_deref()?;
            let kind = geometry.types().get(usize::from(geometry.type_of(size).ok()?))?;
            Some(lost(geometry, kind, size))
        }))
    });
    let rows = use_memo(config, |_| built.as_deref().map(rows::types).unwrap_or_default());
    let dock = timeless_dock(&props.state);
    let geometry = match &*geometry {
        Ok(geometry) => geometry,
        Err(error) => {
            let picture = trouble("There is no such zblock", &error.to_string());
            return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
        }
    };
    let page = config.page_bytes();
    let size = inspected(&scenario.get(Key::Size), page);
    let pick = picker(&props.state, Key::Size);
    let lookup = geometry.lookup(size);
    let kind = lookup.result.ok().and_then(|at| geometry.types().get(usize::from(at)));
    let on_hover = {
        let hover = hover.setter();
        Callback::from(move |size| hover.set(size))
    };
    let tsv = {
        let geometry = geometry.clone();
        Callback::from(move |()| {
            let mut text = Vec::new();
            // Writing to memory cannot fail.
            let _ = write_tsv(&TYPE_COLUMNS, type_rows(geometry.config(), geometry.types()), &mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let label = format!("Bytes lost per object, {}", scenario.side(0).describe());
    let picture = html! {
        <>
            <section class="picture" aria-label="Plot">
                { sentence(geometry, &lookup, kind, size) }
                <SizePlot {label} plot={(*plot).clone()} curve={(*curve).clone()} theme={props.theme} {size} most={page}
                    hover={*hover} {on_hover} pick={pick.clone()} />
                <p class="fine" role="status">{ readout(geometry, hover.unwrap_or(size)) }</p>
                <div class="legend">
                    <span><i class="swatch rounding" />{ "Rounding to the slot" }</span>
                    <span><i class="swatch header" />{ "Header and tail of the block" }</span>
                </div>
            </section>
            { props.own.clone() }
            <SizeTable noun={("type", "block types")} columns={TYPES} {rows} {size} pick={pick.clone()} copies={vec![("Copy as TSV", tsv)]} />
        </>
    };
    let inspector = html! {
        <>
            <section class="section">{ size_field(size, page, &pick) }</section>
            if let Some(kind) = kind {
                { one_block(geometry, kind, size, props.theme) }
            }
            { comparisons(&lookup) }
        </>
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

fn sentence(geometry: &Geometry, lookup: &Lookup, kind: Option<&BlockType>, size: u32) -> Html {
    let compared = counted(lookup.count() as u64, "comparison", "comparisons");
    match (kind, lookup.result) {
        (Some(kind), _) => {
            let slots = counted(kind.slots.into(), "object", "objects");
            let pages = counted(kind.pages.into(), "page", "pages");
            let waste = bytes((kind.waste + geometry.header_bytes()).into());
            let slot = grouped(kind.slot_size.into());
            say(
                &format!("Type {} stores ", kind.index),
                &format!("{slots} in {pages}"),
                &format!(": {waste} lost per block."),
                &format!("{} go into a slot of {slot}, found with {compared}.", bytes(size.into())),
            )
        }
        (None, result) => {
            let why = result.err().map(|why| format!(": {why}.")).unwrap_or_default();
            say(&format!("{} ", bytes(size.into())), "are refused", &why, "")
        }
    }
}

fn readout(geometry: &Geometry, size: u32) -> String {
    match geometry.type_of(size) {
        Ok(at) => {
            let kind = &geometry.types()[usize::from(at)];
            format!(
                "{}: type {at}, slot {}, {} lost",
                bytes(size.into()),
                grouped(kind.slot_size.into()),
                tenths(lost(geometry, kind, size))
            )
        }
        Err(why) => format!("{}: {why}", bytes(size.into())),
    }
}

/// The block that the size goes to.
fn one_block(geometry: &Geometry, kind: &BlockType, size: u32, theme: Theme) -> Html {
    let label = format!("A block of type {}", kind.index);
    let parts = format!("header {}, slot {}, tail {}", geometry.header_bytes(), kind.slot_size, kind.waste);
    let body = html! {
        <>
            <SpanFigure {label} {theme} picture={block(geometry, size)} />
            <p class="fine">{ parts }</p>
        </>
    };
    let pages = counted(kind.pages.into(), "page", "pages");
    let slots = counted(kind.slots.into(), "slot", "slots");
    section(&format!("One block of type {}", kind.index), &format!("{pages}, {slots}"), body)
}

/// The look-up, comparison by comparison.
fn comparisons(lookup: &Lookup) -> Html {
    let lines = lookup.comparisons.iter().zip(1u32..).map(|(compared, step)| {
        vec![step.to_string(), compared.index.to_string(), grouped(compared.size.into())].into()
    });
    let note = counted(lookup.count() as u64, "comparison", "comparisons");
    section("The look-up", &note, table(&["Step", "Type", "Compared with"], lines.collect()))
}
