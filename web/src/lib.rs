//! The page: a Yew app over the models.
//!
//! One `State`, one reducer, `Command`s in. The page computes nothing
//! about allocators: every number and picture comes from the crates below it.

mod address;
mod app;
mod brush;
mod canvas;
mod clipboard;
mod commands;
#[cfg(all(test, target_arch = "wasm32"))]
mod component_tests;
mod controls;
mod frame;
mod icons;
mod intake;
mod panel;
mod state;
mod theme;
mod views;
mod visible;
mod worker;

/// Starts the page in the document's body.
pub fn run() {
    yew::Renderer::<app::App>::new().render();
}
