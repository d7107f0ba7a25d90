//! Your data: files of the reader's machine.

mod known;

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_lab::{AnswerTask, Override, ReadTask, Reply};
use slabscope_worker::protocol::{Allocator, encode};
use wasm_bindgen::JsValue;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use self::known::known;
use super::document::{Page, PageProps, Work, use_aside, use_work};
use super::layout::Layout;
use crate::intake::Source;
use crate::panel::Panel;
use crate::state::State;
use crate::worker::Client;

#[derive(Properties, PartialEq)]
pub(crate) struct DataProps {
    pub(crate) state: UseReducerHandle<State>,
    pub(crate) theme: Theme,
    pub(crate) notices: Html,
    pub(crate) reader: Client<Reply>,
    pub(crate) answers: Client<Reply>,
    pub(crate) held: UseStateHandle<Option<Source>>,
}

/// What the two workers are asked.
#[derive(PartialEq)]
enum Asking {
    /// To read.
    Read(Option<Source>),
    /// About what was read, where something was: what is known better, and the panel's setting.
    Answer(Option<Work>, Override, Allocator),
}

/// The task in bytes. Texts and tables are large: they are packed when they change, not whenever the page is drawn.
#[hook]
fn use_task(asking: Asking) -> Rc<Option<Vec<u8>>> {
    use_memo(asking, |asking| {
        let task = match asking {
            Asking::Read(None | Some(Source::TooLong)) => return None,
            Asking::Read(Some(Source::Text(text))) => ReadTask::Text(text.to_string()),
            Asking::Read(Some(Source::File(_))) => ReadTask::File,
            Asking::Answer(None, ..) => ReadTask::Captures,
            &Asking::Answer(Some(ref work), machine, asked) => {
                ReadTask::Answer(AnswerTask { tables: work.tables().to_vec(), machine, asked: Some(asked) })
            }
        };
        Some(encode(&task))
    })
}

/// Takes files and says what they are and where their memory goes.
#[component]
pub(crate) fn DataView(props: &DataProps) -> Html {
    let machine = use_state_eq(Override::default);
    let task = use_task(Asking::Read((*props.held).clone()));
    let along = match &*props.held {
        Some(Source::File(file)) => file.clone().into(),
        _ => JsValue::UNDEFINED,
    };
    let (work, cancel) = use_work(&props.reader, task, along);
    let is_answered = !work.tables().is_empty() && props.held.is_some();
    let asked = Allocator::new(&props.state.scenario.side(0).any_config());
    let task = use_task(Asking::Answer(is_answered.then(|| work.come()), *machine, asked));
    let (answers, stop) = use_work(&props.answers, task, JsValue::UNDEFINED);
    let tell = {
        let dispatch = props.state.dispatcher();
        Callback::from(move |command| dispatch.dispatch(command))
    };
    let picture = match &*props.held {
        None => empty(),
        Some(Source::TooLong) => {
            html! { <section class="picture"><div class="trouble" role="alert"><p>{ "This paste is larger than 5 MB: drop the file instead" }</p></div></section> }
        }
        Some(_) => html! {
            <>
                if is_answered { <Page work={answers.clone()} theme={props.theme} cancel={stop} tell={tell.clone()} /> }
                <Page work={work.clone()} theme={props.theme} {cancel} {tell} />
            </>
        },
    };
    let aside = PageProps {
        work: answers.clone(),
        theme: props.theme,
        cancel: Callback::noop(),
        at: 0,
        tell: Callback::noop(),
    };
    let inspector = use_aside("How to get it", &aside);
    let panel = html! { <>{ intake(&props.held) }if is_answered { { known(&machine) }<section class="section"><h2>{ "Another setting" }</h2></section><Panel state={props.state.clone()} /> }</> };
    let dock = html! {
        <footer class="dock"><strong>{ "One moment" }</strong><span class="dim">{ "A file of numbers has no history to play" }</span></footer>
    };
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} {picture} {inspector} panel={Some(panel)} {dock} /> }
}

/// Paste, choose, clear.
fn intake(held: &UseStateHandle<Option<Source>>) -> Html {
    let name = match &**held {
        None => None,
        Some(Source::File(file)) => Some(file.name()),
        Some(_) => Some("Pasted text".to_owned()),
    };
    let (typed, chosen, cleared) = (held.clone(), held.clone(), held.clone());
    let oninput = move |event: InputEvent| {
        typed.set(Source::of_text(&event.target_unchecked_into::<HtmlTextAreaElement>().value()));
    };
    let onfile = move |event: Event| {
        let files = event.target_unchecked_into::<HtmlInputElement>().files();
        if let Some(file) = files.and_then(|files| files.get(0)) {
            chosen.set(Some(Source::File(file)));
        }
    };
    html! {
        <>
            <section class="section intake">
                <h2>{ "Your data" }</h2>
                <div class="field">
                    <label for="paste">{ "Paste here, or anywhere in the page" }</label>
                    <textarea id="paste" class="input mono" rows="4" spellcheck="false" placeholder=" class  size ..." {oninput} />
                </div>
                <div class="field">
                    <label for="file">{ "Or drop or choose a file" }</label>
                    <input id="file" type="file" onchange={onfile} />
                </div>
            </section>
            if let Some(name) = name {
                <section class="section"><div class="head"><h2>{ name }</h2>
                    <button type="button" class="link" onclick={move |_| cleared.set(None)}>{ "Clear" }</button></div></section>
            }
        </>
    }
}

fn empty() -> Html {
    html! {
        <section class="picture">
            <h2 class="say">{ "Paste or drop a file " }<strong>{ "of your machine" }</strong>{ "." }</h2>
            <p class="say-more">{ "It is recognised by its structure, whatever surrounds it, and every line is accounted for. It is read in this page and goes nowhere else. What is known, and how to get it, stands beside." }</p>
        </section>
    }
}
