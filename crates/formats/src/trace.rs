//! Allocation traces as text: `a ID SIZE`, `f ID`, `c`, `s`, `#` comments.

use std::fmt;
use std::io::{self, BufRead};

use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::ObjectId;

/// One operation of a trace as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// `a ID SIZE`: allocate.
    Alloc {
        /// The trace's number of the object.
        name: u32,
        /// Bytes.
        size: u32,
    },
    /// `f ID`: free.
    Free {
        /// The trace's number of the object.
        name: u32,
    },
    /// `c`: compact the pool.
    Compact,
    /// `s`: report.
    Report,
}

/// Why a trace cannot be read on.
#[derive(Debug)]
pub struct TraceError {
    /// Line, counted from 1.
    pub line: u64,
    /// The reason.
    pub why: TraceFault,
}

/// What is wrong with a line.
#[derive(Debug)]
pub enum TraceFault {
    /// Not one of the four operations.
    NotAnOperation(String),
    /// A word is missing.
    Missing(&'static str),
    /// A word too many.
    Surplus(String),
    /// Not a number, or one out of range.
    Number {
        /// What it stands for.
        what: &'static str,
        /// The word.
        word: String,
        /// The largest number allowed.
        max: u32,
    },
    /// The object is allocated and not freed yet.
    Repeated(u32),
    /// The allocator of this replay has no compaction.
    NoCompaction,
    /// A line longer than any operation.
    TooLong,
    /// Not UTF-8 text.
    NotText,
    /// The input failed.
    Io(io::Error),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl fmt::Display for TraceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnOperation(word) => {
                write!(f, "\u{201c}{word}\u{201d} is no operation: a ID SIZE, f ID, c or s is expected")
            }
            Self::Missing(what) => write!(f, "the {what} is missing"),
            Self::Surplus(word) => write!(f, "\u{201c}{word}\u{201d} is one word too many"),
            Self::Number { what, word, max } => {
                write!(f, "the {what} \u{201c}{word}\u{201d} is not a number from 0 to {max}")
            }
            Self::Repeated(name) => write!(f, "object {name} is still allocated"),
            Self::NoCompaction => f.write_str("this allocator has no compaction"),
            Self::TooLong => write!(f, "the line is longer than {LONGEST_LINE} bytes"),
            Self::NotText => f.write_str("the line is not UTF-8 text"),
            Self::Io(error) => write!(f, "the input cannot be read: {error}"),
        }
    }
}

impl std::error::Error for TraceError {}

/// No operation is longer; a comment may be, and is skipped.
const LONGEST_LINE: usize = 4096;

/// Reads the operations of a trace one by one, in memory that does not grow with it.
#[derive(Debug)]
pub struct TraceReader<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> TraceReader<R> {
    /// A reader from the first line on.
    pub const fn new(input: R) -> Self {
        Self { input, line: 0, buffer: Vec::new() }
    }

    /// Number of the line read last, from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// An error at the line read last.
    pub const fn fault(&self, why: TraceFault) -> TraceError {
        TraceError { line: self.line, why }
    }

    /// The next operation; `None` at the end.
    ///
    /// # Errors
    /// The line is none of the operations, or the input fails.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, TraceError> {
        loop {
            if !self.read_line()? {
                return Ok(None);
            }
            let text = match std::str::from_utf8(&self.buffer) {
                Ok(text) => text.trim(),
                Err(_) => return Err(self.fault(TraceFault::NotText)),
            };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            return parse_entry(text).map(Some).map_err(|why| self.fault(why));
        }
    }

    /// Reads a line without its end, at most as long as an operation can be; the rest of a comment
    /// is dropped.
    fn read_line(&mut self) -> Result<bool, TraceError> {
        self.buffer.clear();
        self.line += 1;
        let mut any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.fault(TraceFault::Io(error))),
            };
            if chunk.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let is_comment = self.buffer.first().or(part.first()) == Some(&b'#');
            if !is_comment && self.buffer.len() + part.len() > LONGEST_LINE {
                return Err(self.fault(TraceFault::TooLong));
            }
            // Of a comment only its mark is kept: it may be long, and need not be text.
            let keep = if is_comment { part.len().min(1 - self.buffer.len()) } else { part.len() };
            self.buffer.extend_from_slice(&part[..keep]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}

/// Reads one operation.
pub(crate) fn parse_entry(text: &str) -> Result<Entry, TraceFault> {
    let mut words = text.split_ascii_whitespace();
    let entry = match words.next().unwrap_or_default() {
        "a" => Entry::Alloc {
            name: number(words.next(), "object", u32::MAX)?,
            size: number(words.next(), "size", Ops::MAX_SIZE)?,
        },
        "f" => Entry::Free { name: number(words.next(), "object", u32::MAX)? },
        "c" => Entry::Compact,
        "s" => Entry::Report,
        other => return Err(TraceFault::NotAnOperation(clip(other))),
    };
    words.next().map_or(Ok(entry), |word| Err(TraceFault::Surplus(clip(word))))
}

fn number(word: Option<&str>, what: &'static str, max: u32) -> Result<u32, TraceFault> {
    let word = word.ok_or(TraceFault::Missing(what))?;
    let digits_only = word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse::<u32>() {
        Ok(number) if digits_only && number <= max => Ok(number),
        _ => Err(TraceFault::Number { what, word: clip(word), max }),
    }
}

fn clip(word: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = word.chars().take(SHOWN).collect();
    if shown.len() < word.len() {
        shown.push('\u{2026}');
    }
    shown
}

/// Gives the live objects of a trace dense numbers, because pools index tables with them. A name is a number of
/// the trace or an address.
#[allow(clippy::disallowed_types, reason = "looked up, never iterated; a trace has millions of names")]
#[derive(Clone, Debug, Default)]
pub struct Interner {
    dense_of: std::collections::HashMap<u64, u32>,
    name_of: Vec<u64>,
    spare: Vec<u32>,
}

impl Interner {
    /// A number for an object that is about to be allocated; `None` if its name is live.
    pub fn allocate(&mut self, name: u64) -> Option<ObjectId> {
        let entry = match self.dense_of.entry(name) {
            std::collections::hash_map::Entry::Occupied(_) => return None,
            std::collections::hash_map::Entry::Vacant(entry) => entry,
        };
        let dense = self.spare.pop().unwrap_or_else(|| {
            self.name_of.push(0);
            self.name_of.len() as u32 - 1
        });
        self.name_of[dense as usize] = name;
        entry.insert(dense);
        Some(ObjectId(dense))
    }

    /// The number of a live name, which is free again; also for an allocation that failed.
    pub fn release(&mut self, name: u64) -> Option<ObjectId> {
        let dense = self.dense_of.remove(&name)?;
        self.spare.push(dense);
        Some(ObjectId(dense))
    }

    /// The name that a live number stands for.
    pub fn name(&self, object: ObjectId) -> u64 {
        self.name_of.get(object.0 as usize).copied().unwrap_or(object.0.into())
    }

    /// True if an object of this name is live.
    pub fn is_live(&self, name: u64) -> bool {
        self.dense_of.contains_key(&name)
    }
}

/// A number that no live object has: a free of an unknown name must reach the pool as one.
pub const UNKNOWN: ObjectId = ObjectId(u32::MAX);

/// Reads a whole trace into memory.
///
/// # Errors
/// A line is malformed, or an object is allocated twice.
pub fn read_trace<R: BufRead>(input: R) -> Result<Ops, TraceError> {
    let mut reader = TraceReader::new(input);
    let mut names = Interner::default();
    let mut ops = Ops::new();
    while let Some(entry) = reader.next_entry()? {
        match entry {
            Entry::Alloc { name, size } => {
                let object =
                    names.allocate(name.into()).ok_or_else(|| reader.fault(TraceFault::Repeated(name)))?;
                ops.push_named(Op::Alloc { object, size }, name);
            }
            Entry::Free { name } => {
                let object = names.release(name.into()).unwrap_or(UNKNOWN);
                ops.push_named(Op::Free { object }, name);
            }
            Entry::Compact => ops.push(Op::Compact),
            Entry::Report => ops.push(Op::Report),
        }
    }
    Ok(ops)
}

/// Writes a stream as a trace.
///
/// # Errors
/// The output fails.
pub fn write_trace<W: io::Write>(ops: &Ops, out: &mut W) -> io::Result<()> {
    for (index, op) in ops.iter().enumerate() {
        let name = ops.name(index).unwrap_or_default();
        match op {
            Op::Alloc { size, .. } => writeln!(out, "a {name} {size}")?,
            Op::Free { .. } => writeln!(out, "f {name}")?,
            Op::Compact => writeln!(out, "c")?,
            Op::Report => writeln!(out, "s")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn fault(text: &str) -> String {
        read_trace(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_trace_survives_reading_and_writing() {
        let text = "a 7 100\na 9 2000\ns\nf 7\na 7 1\nf 12345\nc\n";
        let ops = read_trace(format!("# made by hand\n\n  {text}").as_bytes()).unwrap();
        let mut out = Vec::new();
        write_trace(&ops, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text);
        assert_eq!(ops.get(4), Some(Op::Alloc { object: ObjectId(0), size: 1 }), "the number is reused");
    }

    #[test]
    fn bad_lines_are_named_with_their_reason() {
        for (text, said) in [
            (
                "a 1 2\nx 3\n",
                "line 2: \u{201c}x\u{201d} is no operation: a ID SIZE, f ID, c or s is expected",
            ),
            ("a 1\n", "line 1: the size is missing"),
            ("a\n", "line 1: the object is missing"),
            ("f 1 2", "line 1: \u{201c}2\u{201d} is one word too many"),
            ("a 1 -5", "line 1: the size \u{201c}-5\u{201d} is not a number from 0 to 1073741823"),
            ("a +1 5", "line 1: the object \u{201c}+1\u{201d} is not a number from 0 to 4294967295"),
            (
                "f 4294967296",
                "line 1: the object \u{201c}4294967296\u{201d} is not a number from 0 to 4294967295",
            ),
            ("a 5 1\n\na 5 1", "line 3: object 5 is still allocated"),
        ] {
            assert_eq!(fault(text), said);
        }
        let word = "y".repeat(1000);
        assert!(fault(&word).len() < 200);
        assert!(fault(&"a".repeat(5000)).contains("longer than"));
        assert!(read_trace(&b"a 1 \xff"[..]).unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn a_comment_of_any_length_is_skipped() {
        let text = format!("#{}\nc\n", "\u{e9}".repeat(100_000));
        assert_eq!(read_trace(text.as_bytes()).unwrap().len(), 1);
        let narrow = io::BufReader::with_capacity(3, text.as_bytes());
        assert_eq!(read_trace(narrow).unwrap().len(), 1);
    }
}
