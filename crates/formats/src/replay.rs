//! Replaying a trace as it is read: report, log or both, in memory that does not grow with the trace.

use std::fmt;
use std::io::{self, BufRead, Write};

use slabscope_core::oplog::{Dialect, Line, LogDigest, Outcome, apply};
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, MallocError};
use slabscope_core::{zblock, zsmalloc};

use crate::trace::{Entry, Interner, TraceError, TraceFault, TraceReader, UNKNOWN};
use crate::zblock_report::write_snapshot;
use crate::zsmalloc_report::{write_compaction, write_digest, write_stats};

/// What a replay writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Reports, compactions and the digest of the log.
    Report,
    /// The log: a line for each operation.
    Log,
}

/// Why a replay stopped.
#[derive(Debug)]
pub enum ReplayError {
    /// The trace.
    Trace(TraceError),
    /// The output.
    Output(io::Error),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trace(error) => error.fmt(f),
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<TraceError> for ReplayError {
    fn from(error: TraceError) -> Self {
        Self::Trace(error)
    }
}

impl From<io::Error> for ReplayError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Replays a trace on a zsmalloc pool.
///
/// A free of an object that is unknown, or whose allocation failed, is logged as `NONE` and skipped.
///
/// # Errors
/// A line of the trace is malformed or allocates a live object; reading or writing fails.
pub fn replay_zsmalloc<R: BufRead, W: Write>(
    mut pool: zsmalloc::Pool,
    input: R,
    output: Output,
    out: &mut W,
) -> Result<(), ReplayError> {
    let mut reader = TraceReader::new(input);
    let mut names = Interner::default();
    let mut digest = LogDigest::new();
    let (mut ops, mut reports) = (0u64, 0u32);
    while let Some(entry) = reader.next_entry()? {
        ops += 1;
        let (op, name) = to_op(entry, &mut names).map_err(|why| reader.fault(why))?;
        let outcome = apply(&mut pool, op, &mut Ignore);
        if matches!(outcome, Outcome::Failed(why) if why != MallocError::Live) {
            names.release(name.into());
        }
        match output {
            Output::Log => {
                if outcome != Outcome::Reported {
                    writeln!(out, "{}", Line::new(Dialect::Plain, op, name, outcome))?;
                }
            }
            Output::Report => {
                digest.add(op, name, outcome);
                match op {
                    Op::Report => {
                        reports += 1;
                        write_stats(&pool, reports, ops, &|object| names.name(object), out)?;
                    }
                    Op::Compact => write_compaction(&pool, ops, outcome, out)?,
                    Op::Alloc { .. } | Op::Free { .. } => {}
                }
            }
        }
    }
    if output == Output::Report {
        write_digest(digest, ops, out)?;
    }
    Ok(())
}

/// Replays a trace on a zblock pool: a line for each operation and, unless only the log is wanted, a snapshot
/// wherever the trace asks for one.
///
/// A free of an object that is unknown, or whose allocation failed, is logged as `skip`.
///
/// # Errors
/// A line of the trace is malformed, allocates a live object or compacts; reading or writing fails.
pub fn replay_zblock<R: BufRead, W: Write>(
    mut pool: zblock::Pool,
    input: R,
    output: Output,
    out: &mut W,
) -> Result<(), ReplayError> {
    let mut reader = TraceReader::new(input);
    let mut names = Interner::default();
    let (mut ops, mut snapshots) = (0u64, 0u32);
    while let Some(entry) = reader.next_entry()? {
        let (op, name) = to_op(entry, &mut names).map_err(|why| reader.fault(why))?;
        match apply(&mut pool, op, &mut Ignore) {
            Outcome::CannotCompact => return Err(reader.fault(TraceFault::NoCompaction).into()),
            Outcome::Reported => {
                if output == Output::Report {
                    write_snapshot(&pool, snapshots, ops, out)?;
                }
                snapshots += 1;
            }
            outcome => {
                ops += 1;
                if matches!(outcome, Outcome::Failed(why) if why != MallocError::Live) {
                    names.release(name.into());
                }
                writeln!(out, "{}", Line::new(Dialect::Zblock, op, name, outcome))?;
            }
        }
    }
    Ok(())
}

/// An entry as an operation on dense numbers, with the trace's own number.
fn to_op(entry: Entry, names: &mut Interner) -> Result<(Op, u32), TraceFault> {
    Ok(match entry {
        Entry::Alloc { name, size } => {
            let object = names.allocate(name.into()).ok_or(TraceFault::Repeated(name))?;
            (Op::Alloc { object, size }, name)
        }
        Entry::Free { name } => (Op::Free { object: names.release(name.into()).unwrap_or(UNKNOWN) }, name),
        Entry::Compact => (Op::Compact, 0),
        Entry::Report => (Op::Report, 0),
    })
}
