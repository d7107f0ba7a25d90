//! The worker: pools are run, told and drawn here, off the page's main thread.
//!
//! The page sends a [`protocol::Request`] and gets a [`protocol::Answer`]. The worker holds the run that was
//! asked for last; it knows nothing of the page's elements but three canvases.
//!
//! Lengths are brought into range by `max` and `min`: `clamp` says the numbers when it panics, and writing out
//! fractions would weigh more than all pictures over time.

mod browser;
pub mod close;
mod desk;
mod moment;
mod picture;
mod plate;
pub mod port;
pub mod protocol;
pub mod quantity;
pub mod run;
mod setup;
pub mod sketch;
mod words;

pub use browser::start;
pub use desk::{Desk, Reply};
