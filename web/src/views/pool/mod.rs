//! stub

use super::geometry::ViewProps;
use super::layout::Layout;
use yew::prelude::*;

#[component]
pub(crate) fn PoolView(props: &ViewProps) -> Html {
    html! { <Layout state={props.state.clone()} notices={props.notices.clone()} picture={Html::default()} inspector={Html::default()} dock={Html::default()} /> }
}
