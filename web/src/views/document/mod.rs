//! What the lab answers, shown block by block.

mod lanes;
mod lines;
mod scenes;
mod sheet;

use std::rc::Rc;

use slabscope_charts::theme::Theme;
use slabscope_core::tell::{grouped, tenths};
use slabscope_lab::Reply;
use slabscope_lab::document::{Block, Document, Fate, LineNote, Part, PartKind};
use slabscope_scenario::View;
use wasm_bindgen::JsValue;
use yew::prelude::*;

use self::lanes::LanesFigure;
use self::lines::LinesFigure;
use self::scenes::{controls, prose, scenes, span};
use self::sheet::SheetTable;
use super::plain::{head, say};
use crate::state::Command;
use crate::worker::{Client, use_answers, use_asking};

/// What came of a task so far.
#[derive(Clone, Default)]
pub(crate) struct Work {
    /// The result last come; it stays while the next is worked on.
    result: Option<Rc<Reply>>,
    /// So much of the task in hand is done, of a thousand.
    progress: Option<u16>,
    /// Why there is no result.
    failed: Option<String>,
    /// Something to read beside the result.
    aside: Option<Rc<Reply>>,
    /// The script of the worker that answered last.
    from: &'static str,
}

/// Documents are large, and each is made once: the same place is the same document.
impl PartialEq for Work {
    fn eq(&self, other: &Self) -> bool {
        let place = |reply: &Option<Rc<Reply>>| reply.as_ref().map(Rc::as_ptr);
        place(&self.result) == place(&other.result)
            && place(&self.aside) == place(&other.aside)
            && self.progress == other.progress
            && self.failed == other.failed
    }
}

impl Work {
    /// The result last come.
    pub(crate) fn result(&self) -> Option<&Document> {
        document_of(&self.result)
    }

    /// The result alone: how far the next one is tells it from no other.
    pub(crate) fn come(&self) -> Self {
        Self::of(&self.result)
    }

    fn of(result: &Option<Rc<Reply>>) -> Self {
        Self { result: result.clone(), ..Self::default() }
    }

    /// Tables of a text that was read, for those who answer; empty without any.
    pub(crate) fn tables(&self) -> &[u8] {
        match self.result.as_deref() {
            Some(Reply::Read(read)) => &read.tables,
            _ => &[],
        }
    }
}

fn document_of(reply: &Option<Rc<Reply>>) -> Option<&Document> {
    match reply.as_deref()? {
        Reply::Done(document) | Reply::Partly(document, _) => Some(document),
        Reply::Read(read) => Some(&read.document),
        _ => None,
    }
}

impl Reducible for Work {
    type Action = (Rc<Reply>, &'static str);

    fn reduce(self: Rc<Self>, (reply, from): Self::Action) -> Rc<Self> {
        let mut next = Self { progress: None, failed: None, from, ..(*self).clone() };
        match &*reply {
            Reply::Ready => return self,
            Reply::Progress(done) => next.progress = Some(*done),
            Reply::Partly(_, None) => next.aside = Some(reply),
            Reply::Partly(_, done) => (next.progress, next.result) = (*done, Some(reply)),
            Reply::Done(_) | Reply::Read(_) => next.result = Some(reply),
            Reply::Failed(why) => (next.result, next.failed) = (None, Some(why.clone())),
        }
        Rc::new(next)
    }
}

/// Has the lab work on an encoded task, and on the file that comes along, whenever it changes. Gives what came of it, and a way to end it.
#[hook]
pub(crate) fn use_work(
    lab: &Client<Reply>,
    task: Rc<Option<Vec<u8>>>,
    along: JsValue,
) -> (UseReducerHandle<Work>, Callback<()>) {
    let work = use_reducer(Work::default);
    let from = lab.script();
    let tell = {
        let work = work.dispatcher();
        Callback::from(move |reply| work.dispatch((reply, from)))
    };
    let crashes = use_answers(lab, tell.clone());
    use_asking(lab, (task, along), crashes, |lab, (task, along)| {
        if let Some(task) = &**task {
            lab.ask_encoded(task, along);
        }
    });
    use_effect_with(crashes.given_up(), {
        let tell = tell.clone();
        move |why| why.iter().for_each(|why| tell.emit(Rc::new(Reply::Failed((*why).to_owned()))))
    });
    let cancel = {
        let lab = lab.clone();
        Callback::from(move |()| {
            lab.stop();
            tell.emit(Rc::new(Reply::Failed("Cancelled. Any change starts it again.".to_owned())));
        })
    };
    (work, cancel)
}

#[derive(Properties, PartialEq)]
pub(crate) struct PageProps {
    pub(crate) work: UseReducerHandle<Work>,
    pub(crate) theme: Theme,
    /// Ends the task in hand.
    pub(crate) cancel: Callback<()>,
    /// The position of a figure that has several.
    #[prop_or_default]
    pub(crate) at: usize,
    /// Takes what the reader does with figures and controls, in the same way always.
    #[prop_or_default]
    pub(crate) tell: Callback<Command>,
}

/// The document, with how far the next one is above it.
#[component]
pub(crate) fn Page(props: &PageProps) -> Html {
    let Work { progress, failed, from, result, .. } = &*props.work;
    let document = use_document(result, props);
    html! {
        <section class="picture document" data-from={result.as_ref().map(|_| *from)}>
            if let Some(why) = failed {
                <div class="trouble" role="alert"><p>{ why }</p></div>
            }
            if let Some(done) = *progress {
                <p class="tools" role="status">
                    <progress max="1000" value={done.to_string()} aria-label="Working" />
                    <button type="button" class="button" onclick={props.cancel.reform(|_: MouseEvent| ())}>{ "Cancel" }</button>
                </p>
            }
            { document }
        </section>
    }
}

/// A document, made anew only where it or its position changes: steps of the next one come often, and tables are large.
#[hook]
fn use_document(reply: &Option<Rc<Reply>>, props: &PageProps) -> Html {
    let shown = use_memo((Work::of(reply), props.theme, props.at), |(work, ..)| {
        work.result().map_or_else(Html::default, |document| blocks(document, props))
    });
    (*shown).clone()
}

/// What there is to read beside the result, under a heading; nothing without any.
#[hook]
pub(crate) fn use_aside(heading: &str, props: &PageProps) -> Html {
    let document = use_document(&props.work.aside, props);
    match props.work.aside {
        Some(_) => html! { <section class="section document"><h2>{ heading }</h2>{ document }</section> },
        None => Html::default(),
    }
}

/// A document from top to bottom.
fn blocks(document: &Document, props: &PageProps) -> Html {
    html! { for (index, part) in document.iter().enumerate() { <div key={index}>{ block(part, props) }</div> } }
}

/// Views that take what a reader brought.
const TAKEN: [(View, &str); 3] =
    [(View::Pool, "Play it in Pool"), (View::Geometry, "Its sizes in Geometry"), (View::Compare, "Compare")];

/// One block.
fn block(block: &Block, props: &PageProps) -> Html {
    let theme = props.theme;
    match block {
        Block::Say(lead, strong, rest, more) => say(lead, strong, rest, more),
        Block::Title(title) => html! { <h3 class="part-title">{ title }</h3> },
        Block::Text(text) => html! { <p class="say-more">{ text }</p> },
        Block::Mono(text) => html! { <pre class="mono">{ text }</pre> },
        Block::Sheet(sheet) => html! { <SheetTable sheet={Rc::new(sheet.clone())} /> },
        Block::Plot(plot) => html! { <LinesFigure plot={Rc::new(plot.clone())} {theme} /> },
        Block::Parts(parts) => self::parts(parts),
        Block::Warning(text) => html! { <p class="warn">{ text }</p> },
        Block::Lines(lines) => as_read(lines),
        Block::Play(offer) => {
            let offer = Rc::new(offer.clone());
            let onclick = |view| {
                let play = Command::Play(offer.clone(), view);
                props.tell.reform(move |_: MouseEvent| play.clone())
            };
            html! {
                <p class="tools">
                    for (view, label) in TAKEN { <button type="button" class="button" onclick={onclick(view)}>{ label }</button> }
                    { &offer.text }
                </p>
            }
        }
        Block::Prose(pieces) => prose(pieces, props),
        Block::Scenes(all) => scenes(all, props),
        Block::Span(name, numbers) => span(name, numbers, theme),
        Block::Controls(all) => controls(all, props),
        Block::Lanes(lanes) => html! { <LanesFigure lanes={Rc::new(lanes.clone())} {theme} /> },
    }
}

/// A text line by line, with what became of each.
fn as_read(lines: &[LineNote]) -> Html {
    let class = |line: &LineNote| match line.fate {
        Fate::Skipped => ("skipped", "left out: "),
        Fate::Doubtful => ("doubtful", "doubtful: "),
        Fate::Heading => ("heading", ""),
        Fate::Used => ("used", ""),
        Fate::Aside => ("dim", ""),
    };
    html! {
        <section aria-label="As it was read">
            <h3 class="part-title">{ "As it was read" }</h3>
            <div class="scroll as-read" tabindex="0" role="group" aria-label="Lines of the file">
                <table class="mono">
                    <tbody>
                        for line in lines {
                            <tr key={line.number} class={class(line).0}><td class="dim">{ line.number }</td><td><pre>{ &line.text }</pre>
                                if let Some(why) = &line.why { <span class="fine">{ class(line).1 }{ why }</span> }</td></tr>
                        }
                    </tbody>
                </table>
            </div>
        </section>
    }
}

/// Parts of a whole, each a bar to scale that is its own text for those who cannot see it.
fn parts(parts: &[Part]) -> Html {
    let whole = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.bytes));
    html! {
        <table class="parts" data-waterfall="">
            { head(&["Part", "Share", "Bytes", "Percent"]) }
            <tbody>
                for part in parts {
                    <tr key={part.name.clone()}>
                        <td><i class={classes!("swatch", kind(part.kind))} />{ " " }{ &part.name }{ if part.exact { "" } else { " (estimated)" } }</td>
                        <td class="wide">{ bar(kind(part.kind), part.bytes, whole) }</td>
                        <td>{ grouped(part.bytes) }</td>
                        <td>{ percent(part.bytes, whole) }</td>
                    </tr>
                }
                <tr><td><strong>{ "In all" }</strong></td><td /><td><strong>{ grouped(whole) }</strong></td><td>{ "100 %" }</td></tr>
            </tbody>
        </table>
    }
}

const fn kind(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Data => "data",
        PartKind::Handle => "handle",
        PartKind::Rounding => "rounding",
        PartKind::Tail => "tail",
        PartKind::Empty => "free",
        PartKind::Header => "header",
    }
}

fn percent(part: u64, whole: u64) -> String {
    format!("{} %", tenths(100.0 * part as f64 / whole.max(1) as f64))
}

/// A bar to scale. SVG attributes, unlike style attributes, are within the content policy.
fn bar(class: &'static str, part: u64, whole: u64) -> Html {
    let width = (1000.0 * part as f64 / whole.max(1) as f64).round() as u32;
    html! {
        <svg class="bar-line" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class={classes!("bar-fill", class)} x="0" y="0" width={width.to_string()} height="10" />
        </svg>
    }
}
