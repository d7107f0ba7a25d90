//! The page: a Yew app over the models.
//!
//! One [`State`](state::State), one reducer, [`Command`](state::Command)s in. The page computes nothing
//! about allocators: every number and picture comes from the crates below it.

mod address;
mod app;
mod canvas;
mod clipboard;
mod controls;
mod frame;
mod icons;
mod panel;
mod state;
mod theme;
mod views;

fn main() {
    yew::Renderer::<app::App>::new().render();
}
