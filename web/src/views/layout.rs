//! Where a view's parts go.

use slabscope_scenario::{Key, Ui};
use yew::prelude::*;

use crate::app::is_embed;
use crate::panel::Panel;
use crate::state::State;

#[derive(Properties, PartialEq)]
pub(crate) struct LayoutProps {
    pub(crate) state: UseReducerHandle<State>,
    /// Notices above the picture.
    pub(crate) notices: Html,
    /// The sentence and the picture.
    pub(crate) picture: Html,
    /// The same close up.
    pub(crate) inspector: Html,
    /// Below the parameters.
    #[prop_or_default]
    pub(crate) below_panel: Html,
    /// What replaces the parameters, where a view has its own.
    #[prop_or_default]
    pub(crate) panel: Option<Html>,
    /// The timeline.
    pub(crate) dock: Html,
}

/// Parameters, picture, inspector, timeline; in a frame what its link asks for.
#[component]
pub(crate) fn Layout(props: &LayoutProps) -> Html {
    // The cursor in time is no parameter: while it moves, what is here stays as it is.
    let mut still = props.state.scenario.clone();
    still.reset(Key::At);
    let panel = use_memo((still, props.panel.clone(), props.below_panel.clone()), |(_, panel, below)| {
        html! {
            <aside class="left" aria-label="Parameters">
                if let Some(panel) = panel {
                    { panel.clone() }
                } else {
                    <Panel state={props.state.clone()}>{ below.clone() }</Panel>
                }
            </aside>
        }
    });
    let panel = (*panel).clone();
    let main = html! {
        <main class="main" id="main" tabindex="-1">
            { props.notices.clone() }
            { props.picture.clone() }
        </main>
    };
    if is_embed() {
        let ui = props.state.scenario.text(Key::Ui);
        return html! {
            <>
                { main }
                if ui != Ui::Min.name() { { props.dock.clone() } }
                if ui == Ui::Full.name() { { panel } }
            </>
        };
    }
    html! {
        <>
            { panel }
            { main }
            <aside class="right" tabindex="0" aria-label="Close up">{ props.inspector.clone() }</aside>
            { props.dock.clone() }
        </>
    }
}
