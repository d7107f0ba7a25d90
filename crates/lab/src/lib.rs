//! Workers for what takes longer than a frame and ends in something to read: comparisons, locks and a reader's sizes;
//! pasted texts, and answers about them; cases, each with a worker of its own.
//!
//! The page sends a [`Task`], a [`ReadTask`] or a [`CaseTask`] to the worker that is for it. It is worked on in steps, so
//! that the page can be told how far it is, and answered with a [`document::Document`]. A new task takes the place of
//! the one before. Pools have a worker in `slabscope-worker`, exports one in `slabscope-exporter`.

mod answering;
mod browser;
mod captures;
mod casebook;
mod compare;
mod desk;
pub mod document;
mod file;
mod inquiry;
mod kept;
mod locks;
mod memory;
mod own;
mod play;
mod pool;
mod reading;
mod slabinfo;
mod task;
mod whatif;

use slabscope_cases::{Case, Part};

pub use desk::Step;
pub use task::{AnswerTask, CaseTask, LockSetup, Override, Read, ReadTask, Reply, Task};

/// Does comparisons, lock contention and what a reader's own sizes take from now on.
pub fn start() {
    browser::serve(desk::Laboratory::default());
}

/// Works out cases from now on: those that `shelf` has, so that each worker loads only its own.
pub fn start_casebook(shelf: fn(Case) -> Option<&'static Part>) {
    browser::serve(casebook::Casebook::new(shelf));
}

/// Reads what was pasted from now on.
pub fn start_reader() {
    browser::serve(desk::ReadingRoom::default());
}

/// Answers for what was read from now on.
pub fn start_answers() {
    browser::serve(desk::AnswerDesk::default());
}
