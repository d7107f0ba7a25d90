//! What the page asks of the lab, and what it gets.

use serde::{Deserialize, Serialize};
use slabscope_worker::protocol::{Allocator, Setup, Signal};

use crate::document::Document;

/// Work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// Several pools on their streams, side by side at a step. Each comes with its name.
    Compare {
        /// Two to four.
        sides: Vec<(String, Setup)>,
        /// The step.
        at: u32,
    },
    /// Threads that contend for locks, and the pool and stream that they are of.
    Locks(LockSetup, Setup),
    /// The sizes in the data of a pool's stream, in its classes.
    Sizes(Setup),
}

/// What the workers that read and answer are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadTask {
    /// Of the worker that answers: what can be read, and how to get it.
    Captures,
    /// Of the worker that reads: a text.
    Text(String),
    /// Of the worker that reads: the file that comes along.
    File,
    /// Of the worker that answers: tables.
    Answer(AnswerTask),
}

/// Tables that were read, to be answered for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerTask {
    /// As the reader sent them.
    pub tables: Vec<u8>,
    /// What is known better than the tables tell.
    pub machine: Override,
    /// The setting that the page's panel has.
    pub asked: Option<Allocator>,
}

/// What is known of a machine better than a table tells; `None` leaves it to the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// Place of the era in the list of all.
    pub era: Option<u8>,
    /// A page has 2 to this power bytes.
    pub page_shift: Option<u8>,
    /// Most pages of a zspage.
    pub max_pages: Option<u8>,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// What it is, and what became of each line.
    pub document: Document,
    /// Tables for an [`AnswerTask`]; empty without any.
    pub tables: Vec<u8>,
}

/// A case to work out: its name, and its assumptions as the link has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseTask(pub String, pub String);

/// Who contends, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockSetup {
    /// Place of the scheme in the list of all, as the page offers them.
    pub scheme: u8,
    /// Pools, where the scheme has several.
    pub pools: u16,
    /// Threads.
    pub threads: u16,
    /// Inequality of traffic: the exponent of a Zipf law times 100.
    pub skew: u16,
    /// Seed.
    pub seed: u64,
    /// Size classes.
    pub classes: u16,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// It listens.
    Ready,
    /// So much is done, of a thousand.
    Progress(u16),
    /// The result.
    Done(Box<Document>),
    /// A text was read.
    Read(Box<Read>),
    /// A document before the last: what is known so far and how much is done, of a thousand; or, without that,
    /// something to read beside the result.
    Partly(Box<Document>, Option<u16>),
    /// Why there is none.
    Failed(String),
}

impl Signal for Reply {
    fn is_ready(&self) -> bool {
        *self == Self::Ready
    }

    fn is_taken(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Read(_) | Self::Partly(_, Some(_)))
    }
}
