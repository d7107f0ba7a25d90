//! Your data: files of the reader's machine.

mod intake;

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_lab::{ReadTask, Reply};
use slabscope_worker::protocol::encode;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use self::intake::Intake;
use super::document::{Page, use_work};
use super::layout::Layout;
use crate::state::State;
use crate::worker::Client;

/// What was pasted, dropped or chosen last; it outlives a change of views.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// A paste.
    Text(Rc<str>),
    /// A file, which the lab reads.
    File(web_sys::File),
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Text(_) => "Pasted text".to_owned(),
            Self::File(file) => file.name(),
        }
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct DataProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) reader: Client<Reply>,
    pub(crate) held: UseStateHandle<Option<Source>>,
}

/// Takes files and says where their memory goes.
#[component]
pub(crate) fn DataView(props: &DataProps) -> Html {
    let (task, along) = match &*props.held {
        None => (None, JsValue::UNDEFINED),
        Some(Source::Text(text)) => (Some(encode(&ReadTask(Some(text.to_string())))), JsValue::UNDEFINED),
        Some(Source::File(file)) => (Some(encode(&ReadTask(None))), file.clone().into()),
    };
    let (work, cancel) = use_work(&props.reader, task, along);
    let take = {
        let held = props.held.clone();
        Callback::from(move |source| held.set(source))
    };
    let panel = html! { <Intake {take} held={(*props.held).clone()} /> };
    let dock = html! {
        <footer class="dock"><strong>{ "One moment" }</strong><span class="dim">{ "A file of numbers has no history to play" }</span></footer>
    };
    let picture = match &*props.held {
        None => empty(),
        Some(_) => html! { <Page {work} theme={props.theme} {cancel} /> },
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} inspector={Html::default()} panel={Some(panel)} {dock} /> }
}

fn empty() -> Html {
    html! {
        <section class="picture">
            <h2 class="say">{ "Paste or drop a file " }<strong>{ "of your machine" }</strong>{ "." }</h2>
            <p class="say-more">{ "The class table of a zsmalloc pool, which Linux keeps in debugfs when built with CONFIG_ZSMALLOC_STAT; the caches of SLUB; or sizes and counts, one pair a line:" }</p>
            <pre class="mono">{ "cat /sys/kernel/debug/zsmalloc/*/classes\nsudo cat /proc/slabinfo" }</pre>
            <p class="say-more">{ "It is read in this page and goes nowhere else." }</p>
        </section>
    }
}
