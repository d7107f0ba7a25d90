//! The second worker: work that takes longer than a frame and ends in something to read.
//!
//! The page sends a [`Task`]; the lab works on it in steps, so that it can be told how far it is, and answers with a
//! [`document::Document`]. A new task takes the place of the one before.

mod browser;
mod compare;
mod desk;
pub mod document;
mod file;
mod locks;
mod reading;
mod task;

pub use browser::start;
pub use desk::{Desk, Step};
pub use task::{LockSetup, Reply, Task};
