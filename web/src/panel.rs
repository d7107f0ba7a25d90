//! The parameter panel: made from the one table of parameters.

use slabscope_core::tell::{counted, grouped};
use slabscope_scenario::{Group, Key, Kind, PARAMS, Param, Scenario, Value, View};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::controls::Segments;
use crate::state::{Command, State};

#[derive(Properties, PartialEq)]
pub(crate) struct PanelProps {
    pub(crate) state: UseReducerHandle<State>,
    #[prop_or_default]
    pub(crate) children: Html,
    /// The side whose values are shown.
    #[prop_or_default]
    pub(crate) side: usize,
}

/// Parameters of the view in front, in the order and sections of the table.
#[component]
pub(crate) fn Panel(props: &PanelProps) -> Html {
    let side = props.side;
    let scenario = props.state.scenario.seen_from(side);
    let (allocator, view) = (scenario.allocator(), scenario.view());
    let shown = |param: &Param| {
        is_in_panel(param) && param.applies(allocator, view) && (side == 0 || param.is_compared())
    };
    let changed = PARAMS.iter().filter(|param| shown(param) && !scenario.side(0).is_default(param.key));
    let changed: Vec<Key> = changed.map(|param| param.key).collect();
    let state = props.state.dispatcher();
    let dispatch = Callback::from(move |command| {
        state.dispatch(if side == 0 { command } else { Command::On(side, Box::new(command)) });
    });
    let reset = {
        let (dispatch, keys) = (dispatch.clone(), changed.clone());
        move |_: MouseEvent| dispatch.emit(Command::ResetAll(keys.clone()))
    };
    let is_played = matches!(view, View::Pool | View::Compare | View::Geometry)
        && !scenario.side(0).is_default(Key::Data);
    let stop = props.state.dispatcher();
    html! {
        <>
            if is_played {
                <section class="section"><div class="head"><strong>{ "With your data" }</strong>
                    <button type="button" class="link" onclick={move |_| stop.dispatch(Command::Reset(Key::Data))}>{ "Stop" }</button></div></section>
            }
            for group in Group::ALL {
                if PARAMS.iter().any(|param| param.group == group && shown(param)) {
                    <section class="section" key={group.label()} aria-label={group.label()}>
                        for param in PARAMS.iter().filter(|param| param.group == group && shown(param)) {
                            <Field key={param.name} key_={param.key} scenario={scenario.clone()}
                                dispatch={dispatch.clone()} />
                        }
                    </section>
                }
            }
            { props.children.clone() }
            if !changed.is_empty() {
                <section class="section">
                    <button type="button" class="link" onclick={reset}>
                        { "Reset " }{ counted(changed.len() as u64, "change", "changes") }
                    </button>
                </section>
            }
        </>
    }
}

/// Position in time, selection, theme and the link's own keys have controls elsewhere.
fn is_in_panel(param: &Param) -> bool {
    matches!(param.group, Group::Allocator | Group::Settings | Group::Workload | Group::Locks)
}

#[derive(Properties, PartialEq)]
struct FieldProps {
    key_: Key,
    scenario: Scenario,
    dispatch: Callback<Command>,
}

/// One parameter: a slider with a number, buttons, or a list.
#[component]
fn Field(props: &FieldProps) -> Html {
    let param = props.key_.param();
    let side = props.scenario.side(0);
    let id = format!("p-{}", param.name);
    let help = format!("{id}-help");
    let key = param.key;
    let is_changed = !side.is_default(key);
    let reset = props.dispatch.reform(move |_: MouseEvent| Command::Reset(key));
    let default = shown_default(param, &props.scenario);
    html! {
        <div class="field" data-key={param.name}>
            <div class="head">
                <label for={id.clone()} title={param.help}>{ label_with_unit(param) }</label>
                if is_changed {
                    <button type="button" class="link changed" onclick={reset}
                        aria-label={format!("default {default}: reset {}", param.label)}>{ format!("default {default}") }</button>
                }
            </div>
            { control(param, &props.scenario, &id, &help, &props.dispatch) }
            <span class="visually-hidden" id={help}>{ param.help }{ " " }{ param.range() }</span>
        </div>
    }
}

fn label_with_unit(param: &Param) -> String {
    if param.unit.is_empty() || param.label.to_ascii_lowercase().contains(param.unit) {
        param.label.to_owned()
    } else {
        format!("{}, {}", param.label, param.unit)
    }
}

fn shown_default(param: &Param, scenario: &Scenario) -> String {
    let default = (param.default)(scenario.side(0));
    let choices = param.choices(scenario.side(0));
    let label = choices.iter().find(|choice| default.to_string() == choice.value).map(|choice| choice.label);
    label.map_or_else(|| shown_value(&default), str::to_owned)
}

fn shown_value(value: &Value) -> String {
    match value {
        Value::Number(number) => grouped(*number),
        other => other.to_string(),
    }
}

/// As many choices as fit into a row of buttons.
const ROW: usize = 3;

fn control(
    param: &'static Param,
    scenario: &Scenario,
    id: &str,
    help: &str,
    dispatch: &Callback<Command>,
) -> Html {
    let key = param.key;
    let value = scenario.get(key);
    match param.kind {
        Kind::Choice { .. } => {
            let choices = param.choices(scenario.side(0));
            if choices.len() <= ROW {
                let options =
                    choices.iter().map(|one| (one.value.into(), one.label.into())).collect::<Vec<_>>();
                let on_change =
                    dispatch.reform(move |value: AttrValue| Command::Enter(key, value.to_string()));
                return html! { <Segments label={param.label} {options} value={value.to_string()} wide=true {on_change} /> };
            }
            let onchange = dispatch.reform(move |event: Event| {
                Command::Enter(key, event.target_unchecked_into::<HtmlSelectElement>().value())
            });
            let value = value.to_string();
            html! {
                <select id={id.to_owned()} aria-describedby={help.to_owned()} {onchange}>
                    for choice in choices {
                        <option key={choice.value} value={choice.value} selected={choice.value == value}>{ choice.label }</option>
                    }
                </select>
            }
        }
        Kind::Integer { .. } if key == Key::PageShift => {
            segments_of(param, &value, dispatch, |shift| format!("{}K", 1u64 << (shift - 10)))
        }
        Kind::Integer { min, max, step, .. } if (max - min) / step < ROW as u64 => {
            segments_of(param, &value, dispatch, |number| number.to_string())
        }
        Kind::Integer { auto, .. } => html! {
            <Number key_={key} {value} id={id.to_owned()} help={help.to_owned()} open={auto} dispatch={dispatch.clone()} />
        },
        Kind::Text { .. } => {
            let onchange = dispatch.reform(move |event: Event| {
                Command::Enter(key, event.target_unchecked_into::<HtmlInputElement>().value())
            });
            html! { <input type="text" id={id.to_owned()} value={value.to_string()} aria-describedby={help.to_owned()} {onchange} /> }
        }
    }
}

fn segments_of(
    param: &'static Param,
    value: &Value,
    dispatch: &Callback<Command>,
    text: fn(u64) -> String,
) -> Html {
    let Kind::Integer { min, max, step, .. } = param.kind else { return Html::default() };
    let options = (min..=max)
        .step_by(step.max(1) as usize)
        .map(|number| (number.to_string().into(), text(number).into()))
        .collect::<Vec<_>>();
    let key = param.key;
    let on_change = dispatch.reform(move |value: AttrValue| Command::Enter(key, value.to_string()));
    html! { <Segments label={param.label} {options} value={value.to_string()} wide=true {on_change} /> }
}

#[derive(Properties, PartialEq)]
struct NumberProps {
    key_: Key,
    value: Value,
    id: AttrValue,
    help: AttrValue,
    open: Option<&'static str>,
    dispatch: Callback<Command>,
}

/// Most positions that a slider is worth having for.
const SLIDER: u64 = 20_000_000;

/// A slider and a field for a number; a typed number that is not allowed stays there with the reason.
#[component]
fn Number(props: &NumberProps) -> Html {
    let error = use_state(|| None::<String>);
    let dragging = use_mut_ref(|| false);
    let param = props.key_.param();
    let key = props.key_;
    let Kind::Integer { min, max, step, .. } = param.kind else { return Html::default() };
    let shown = match props.value {
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let typed = {
        let (dispatch, error) = (props.dispatch.clone(), error.clone());
        let open = props.open.is_some();
        move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            let text = if text.is_empty() && open { "auto".to_owned() } else { text };
            let number = text.parse::<u64>().ok();
            let allowed = text == "auto" && open
                || number.is_some_and(|number| (min..=max).contains(&number) && (number - min) % step == 0);
            if allowed {
                error.set(None);
                dispatch.emit(Command::Enter(key, text));
            } else {
                error.set(Some(param.range()));
            }
        }
    };
    let has_slider = props.open.is_none() && max - min <= SLIDER;
    let slide = {
        let (dispatch, dragging, error) = (props.dispatch.clone(), dragging.clone(), error.clone());
        move |event: InputEvent| {
            let position = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            let first = !dragging.replace(true);
            error.set(None);
            dispatch.emit(Command::Slide { key, number: param.from_slider(position.max(0.0) as u32), first });
        }
    };
    let released = move |_: Event| *dragging.borrow_mut() = false;
    let position = match props.value {
        Value::Number(number) => param.to_slider(number),
        _ => 0,
    };
    html! {
        <>
            <div class="row">
                if has_slider {
                    <input type="range" min="0" max={param.to_slider(max).to_string()} value={position.to_string()}
                        aria-label={param.label} aria-valuetext={shown.clone()} oninput={slide} onchange={released} />
                }
                <input type="number" id={props.id.clone()} min={min.to_string()} max={max.to_string()} step={step.to_string()}
                    value={shown} placeholder={props.open.unwrap_or_default()} aria-describedby={props.help.clone()}
                    aria-invalid={error.is_some().to_string()} onchange={typed} />
            </div>
            if let Some(reason) = &*error {
                <span class="error" role="alert">{ reason }</span>
            }
        </>
    }
}
