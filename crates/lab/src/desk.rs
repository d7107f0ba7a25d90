//! What a worker has in hand: its task, done in steps.

use serde::de::DeserializeOwned;

use crate::captures;
use crate::compare::Comparison;
use crate::document::Document;
use crate::inquiry::Inquiry;
use crate::locks::Contention;
use crate::memory::Wears;
use crate::own;
use crate::reading::Reading;
use crate::task::{Read, ReadTask, Task};

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// So much is done, of a thousand.
    Going(u16),
    /// What is known so far and how much is done, of a thousand; or something to read beside the result.
    Partly(Document, Option<u16>),
    /// The result.
    Done(Document),
    /// A text was read.
    Read(Read),
    /// Why there is none.
    Failed(String),
}

/// Is told how much is done, of a thousand.
pub(crate) type Tell = Box<dyn FnMut(u16)>;

/// Work that is done in steps of some milliseconds.
pub(crate) trait Job {
    /// Does a step.
    fn step(&mut self) -> Step;
}

/// Takes tasks of a kind and does them one at a time. Each kind has a worker of its own, so that none has to load what
/// the others need.
pub(crate) trait Desk {
    /// What it takes.
    type Task: DeserializeOwned;

    /// Takes a task, and the content of the file that came along if one did; the task before is dropped. Work that
    /// cannot be cut into steps calls `tell` on its way.
    ///
    /// # Errors
    /// It cannot be done; the text says why.
    fn take(&mut self, task: &Self::Task, file: Option<Vec<u8>>, tell: Tell) -> Result<(), String>;

    /// Does a step of the task; `None` if there is none.
    fn step(&mut self) -> Option<Step>;
}

/// Comparisons, lock contention, and what a reader's own sizes take.
#[derive(Default)]
pub(crate) struct Laboratory {
    contention: Option<Contention>,
    /// Kept for its next step, after it is done too.
    comparison: Option<Comparison>,
    /// True while the comparison is the task.
    compares: bool,
    /// What sizes take, until it is told.
    sizes: Option<Document>,
}

impl Desk for Laboratory {
    type Task = Task;

    fn take(&mut self, task: &Task, _: Option<Vec<u8>>, _: Tell) -> Result<(), String> {
        (self.contention, self.compares, self.sizes) = (None, false, None);
        match task {
            Task::Compare { sides, at } => {
                let kept = self.comparison.take().filter(|kept| kept.is_of(sides));
                let mut comparison = match kept {
                    Some(kept) => kept,
                    None => Comparison::new(sides)?,
                };
                comparison.go_to(*at);
                (self.comparison, self.compares) = (Some(comparison), true);
            }
            Task::Locks(setup, pool) => self.contention = Some(Contention::new(setup, pool)?),
            Task::Sizes(setup) => self.sizes = Some(own::document(setup)?),
        }
        Ok(())
    }

    fn step(&mut self) -> Option<Step> {
        if let Some(document) = self.sizes.take() {
            return Some(Step::Done(document));
        }
        let step =
            if self.compares { self.comparison.as_mut()?.step() } else { self.contention.as_mut()?.step() };
        if !matches!(step, Step::Going(_) | Step::Partly(..)) {
            (self.contention, self.compares) = (None, false);
        }
        Some(step)
    }
}

/// Pasted texts and files.
#[derive(Default)]
pub(crate) struct ReadingRoom {
    reading: Option<Reading>,
}

impl Desk for ReadingRoom {
    type Task = ReadTask;

    fn take(&mut self, task: &ReadTask, file: Option<Vec<u8>>, tell: Tell) -> Result<(), String> {
        let bytes = match task {
            ReadTask::Captures | ReadTask::Answer(_) => None,
            ReadTask::Text(text) => Some(text.clone().into_bytes()),
            ReadTask::File => file,
        };
        self.reading = bytes.map(|bytes| Reading::new(bytes, tell));
        Ok(())
    }

    fn step(&mut self) -> Option<Step> {
        self.reading.take().map(|mut reading| reading.step())
    }
}

/// How to get what can be read, and answers for tables that were.
pub(crate) struct AnswerDesk {
    /// Until it is told.
    answer: Option<Step>,
    /// Kept for the next answer: the panel asks again and again for the same tables.
    inquiry: Option<Inquiry>,
    wears: Wears,
}

/// Pools of which it is kept how they wear.
const POOLS: usize = 4;

impl Default for AnswerDesk {
    fn default() -> Self {
        Self { answer: None, inquiry: None, wears: Wears::new(POOLS) }
    }
}

impl Desk for AnswerDesk {
    type Task = ReadTask;

    fn take(&mut self, task: &ReadTask, _: Option<Vec<u8>>, _: Tell) -> Result<(), String> {
        self.answer = Some(match task {
            ReadTask::Answer(task) => {
                let inquiry = match self.inquiry.take().filter(|kept| kept.is_of(&task.tables)) {
                    Some(kept) => kept,
                    None => Inquiry::new(&task.tables)?,
                };
                Step::Done(self.inquiry.insert(inquiry).document(task, &mut self.wears))
            }
            _ => Step::Partly(captures::document(), None),
        });
        Ok(())
    }

    fn step(&mut self) -> Option<Step> {
        self.answer.take()
    }
}
