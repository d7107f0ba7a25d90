//! Workers beside that of the pool: work that takes longer than a frame and ends in something to read.
//!
//! The page sends a [`Task`], a [`ReadTask`] or an [`AnswerTask`], each to a worker of its own; it is worked on in steps, so that it can be told how far it is, and answered with a
//! [`document::Document`]. A new task takes the place of the one before.

mod answering;
mod asked;
mod browser;
mod captures;
mod compare;
mod desk;
pub mod document;
mod file;
mod inquiry;
mod locks;
mod memory;
mod play;
mod pool;
mod reading;
mod slabinfo;
mod task;
mod whatif;

pub use asked::Asked;
pub use desk::Step;
pub use task::{AnswerTask, LockSetup, Override, Read, ReadTask, Reply, Task};

/// Does comparisons and lock contention from now on.
pub fn start() {
    browser::serve::<desk::Laboratory>();
}

/// Reads what was pasted from now on.
pub fn start_reader() {
    browser::serve::<desk::ReadingRoom>();
}

/// Answers for what was read from now on.
pub fn start_answers() {
    browser::serve::<desk::AnswerDesk>();
}
