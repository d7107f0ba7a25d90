//! SLUB: which order the slabs of a cache have, and why.

use slabscope_charts::order_map::OrderMap;
use slabscope_charts::shown;
use slabscope_charts::theme::Theme;
use slabscope_core::slub::{
    Cache, Explanation, Geometry, Goal, OrderAnswer, OrderParams, Outcome, Step, explain,
};
use slabscope_core::tell::{bytes, counted, grouped, tenths};
use slabscope_scenario::Key;
use yew::prelude::*;

use super::order_map::OrderPicture;
use super::rows::{self, CACHES};
use super::size_field::size_field;
use super::table::SizeTable;
use super::{ViewProps, inspected, picker, timeless_dock, trouble};
use crate::views::layout::Layout;
use crate::views::plain::{Line, say, section, table};
use crate::views::span_figure::SpanFigure;

/// The map of orders, the caches, and the search step by step.
#[component]
pub(super) fn SlabView(props: &ViewProps) -> Html {
    let scenario = &props.state.scenario;
    let config = scenario.side(0).slub_config();
    let geometry = use_memo(config, Geometry::new);
    let rows = use_memo(config, |_| geometry.as_ref().as_ref().map(rows::caches).unwrap_or_default());
    let dock = timeless_dock(&props.state);
    let geometry = match &*geometry {
        Ok(geometry) => geometry,
        Err(error) => {
            let picture = trouble("There is no such SLUB", &error.to_string());
            return html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} {dock} /> };
        }
    };
    let page = scenario.side(0).page_bytes();
    let most = OrderMap::most(&config);
    let asked = inspected(&scenario.get(Key::Size), most);
    // The map is about any size, not only those of the caches that there are.
    let map = shown::orders(&config, asked);
    let params = map.params;
    let (size, found) = (params.size, explain(&params));
    let pick = picker(&props.state, if config.object_size > 0 { Key::ObjectSize } else { Key::Size });
    let cache = geometry.cache_of(asked).ok().and_then(|at| geometry.caches().get(usize::from(at)));
    let tsv = Callback::from({
        let rows = rows.clone();
        move |()| rows::tsv(CACHES, &rows)
    });
    let label = format!("Orders by object size, {}", scenario.side(0).describe());
    let picture = html! {
        <>
            <section class="picture" aria-label="Orders by object size">
                { sentence(&params, &found, cache) }
                <OrderPicture {map} theme={props.theme} {label} pick={pick.clone()} />
            </section>
            { props.own.clone() }
            <SizeTable noun={("cache", "caches")} columns={CACHES} {rows} size={asked} pick={pick.clone()} copies={vec![("Copy as TSV", tsv)]} />
        </>
    };
    let inspector = html! {
        <>
            <section class="section">{ size_field(size, most, &pick) }</section>
            if let Ok(answer) = found.result {
                { one_slab(page, &params, answer, props.theme) }
            }
            { steps(&found) }
        </>
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} {dock} /> }
}

fn sentence(params: &OrderParams, found: &Explanation, cache: Option<&Cache>) -> Html {
    let wanted = counted(found.wanted.into(), "object", "objects");
    let why = if params.min_objects == 0 {
        format!("On {} the kernel wants {wanted} in a slab", counted(params.cpus.into(), "CPU", "CPUs"))
    } else {
        format!("slab_min_objects asks for {wanted} in a slab")
    };
    let kmalloc = cache.map(|cache| {
        format!(" kmalloc takes such a request to the cache of {}.", grouped(cache.object_size.into()))
    });
    match &found.result {
        Ok(answer) => {
            let pages = counted(1 << answer.order, "page", "pages");
            let slab = f64::from(answer.objects) * f64::from(params.size) + f64::from(answer.waste);
            let percent = tenths(100.0 * f64::from(answer.waste) / slab);
            say(
                &format!("Objects of {} get slabs of ", bytes(params.size.into())),
                &format!("order {}: {} in {pages}", answer.order, grouped(answer.objects.into())),
                &format!(", {} left over, {percent}\u{a0}%.", bytes(answer.waste.into())),
                &format!("{why}.{}", kmalloc.unwrap_or_default()),
            )
        }
        Err(error) => say("", "No order", &format!(": {error}."), ""),
    }
}

/// The slab that the search gives.
fn one_slab(page_bytes: u32, params: &OrderParams, answer: OrderAnswer, theme: Theme) -> Html {
    let label = format!("A slab of order {} with objects of {} bytes", answer.order, params.size);
    let picture = shown::slab(page_bytes, params, &answer);
    let body = html! {
        <>
            <SpanFigure {label} {theme} {picture} />
            <p class="fine">{ format!("{} left over at the end", bytes(answer.waste.into())) }</p>
        </>
    };
    let objects = counted(answer.objects.into(), "object", "objects");
    section("One slab", &format!("order {}, {objects}", answer.order), body)
}

/// calculate_order() as it went.
fn steps(found: &Explanation) -> Html {
    let columns = ["Objects", "Order", "Left over", "Allowed", "Verdict"];
    let body = html! {
        <>
            if let Some(limited) = found.limited {
                <p>{ format!("A slab would hold more than {} objects, so the order that holds those decides, less one.", grouped(limited.most_objects.into())) }</p>
            }
            { table(&columns, found.steps.iter().map(step_line).collect()) }
            if found.left_out > 0 { <p class="fine">{ format!("{} more steps", grouped(found.left_out.into())) }</p> }
            if let Some(than) = found.one_more_than {
                <p>{ format!("Half an object or more is left over at order {than}: the patch takes the next.") }</p>
            }
        </>
    };
    section("calculate_order()", &counted(found.steps.len() as u64, "step", "steps"), body)
}

fn step_line(step: &Step) -> Line {
    let verdict = match step.outcome {
        Outcome::Accepted => "taken".to_owned(),
        Outcome::TooMuchWaste => format!("more than 1/{}", step.fraction),
        Outcome::MoreThanHalfAnObject => "more than half an object".to_owned(),
        Outcome::AboveLimit { limit } => format!("above order {limit}"),
    };
    let goal = match step.goal {
        Goal::Wanted => grouped(step.min_objects.into()),
        Goal::OneObject => "1, any waste".to_owned(),
        Goal::Beyond => "1, any order".to_owned(),
    };
    let tried = |bytes: u64| step.slab_bytes.map_or_else(String::new, |_| grouped(bytes));
    Line {
        cells: vec![goal, step.order.to_string(), tried(step.remainder.into()), tried(step.allowed), verdict],
        chosen: step.outcome == Outcome::Accepted,
        dim: false,
    }
}
