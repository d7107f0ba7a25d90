//! What the page asks of the lab, and what it gets.

use serde::{Deserialize, Serialize};
use slabscope_worker::protocol::{Setup, Signal};

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
}

/// A text to read; `None` for a file, which comes along as such.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadTask(pub Option<String>);

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
    /// What is known so far, and how much is done, of a thousand.
    Partly(Box<Document>, u16),
    /// Why there is none.
    Failed(String),
}

impl Signal for Reply {
    fn is_ready(&self) -> bool {
        *self == Self::Ready
    }
}
