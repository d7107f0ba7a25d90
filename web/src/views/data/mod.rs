//! Your data: a classes file of the reader's machine.

mod bars;
mod intake;
mod parsed;

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use yew::prelude::*;

use self::bars::waterfall;
use self::intake::Intake;
use self::parsed::Parsed;
use super::layout::Layout;
use crate::state::State;

#[derive(Properties, PartialEq)]
pub(crate) struct DataProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    /// What was pasted or dropped last; it outlives a change of views.
    pub(crate) parsed: UseStateHandle<Option<Rc<Parsed>>>,
}

/// What was read last.
pub(crate) type Held = Option<Rc<Parsed>>;

/// Takes files and says where their memory goes.
#[component]
pub(crate) fn DataView(props: &DataProps) -> Html {
    let take = {
        let parsed = props.parsed.clone();
        Callback::from(move |(name, text): (String, String)| {
            parsed.set(Some(Rc::new(Parsed::of(&name, &text))))
        })
    };
    let clear = {
        let parsed = props.parsed.clone();
        Callback::from(move |()| parsed.set(None))
    };
    let held = props.parsed.as_deref();
    let panel = html! { <Intake {take} {clear} parsed={(*props.parsed).clone()} /> };
    let dock = html! {
        <footer class="dock"><strong>{ "One moment" }</strong><span class="dim">{ "A class table has no history to play" }</span></footer>
    };
    let (picture, inspector) = match held {
        None => (empty(), Html::default()),
        Some(parsed) => (picture(parsed), largest(parsed)),
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} panel={Some(panel)} {dock} /> }
}

fn empty() -> Html {
    html! {
        <section class="picture">
            <h2 class="say">{ "Paste or drop the " }<strong>{ "classes file" }</strong>{ " of a machine." }</h2>
            <p class="say-more">{ "Linux keeps it in debugfs, one for each pool, when built with CONFIG_ZSMALLOC_STAT:" }</p>
            <pre class="mono">{ "cat /sys/kernel/debug/zsmalloc/*/classes" }</pre>
            <p class="say-more">{ "It is read in this page and goes nowhere else." }</p>
        </section>
    }
}

fn picture(parsed: &Parsed) -> Html {
    match &parsed.result {
        Err(why) => html! {
            <div class="trouble" role="alert"><h2>{ parsed.name.clone() }</h2><p>{ format!("{why}.") }</p></div>
        },
        Ok(read) => html! {
            <section class="picture">
                { bars::sentence(read) }
                { waterfall(read) }
                { bars::classes(read) }
            </section>
        },
    }
}

fn largest(parsed: &Parsed) -> Html {
    parsed.result.as_ref().map_or_else(|_| Html::default(), bars::largest)
}
