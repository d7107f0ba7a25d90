//! The operation log: what each operation of a stream did, as text and as a digest.
//!
//! One line per operation: `a ID class span object`, `a ID FAIL`, `f ID class span object freed`, `f ID NONE`,
//! `c pages_freed objects_moved`. ID is the number the trace gave the object. The FNV-1a-64 of these lines is the
//! digest that links carry and that native and WebAssembly builds must agree on.

use std::fmt;

use crate::digest::Fnv1a64;
use crate::ops::Op;
use crate::pool::{Compaction, Freed, MallocError, Place, Pool, Sink};

/// What one operation did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The object was placed.
    Placed(Place),
    /// The allocation failed.
    Failed(MallocError),
    /// The object was freed.
    Freed(Freed),
    /// There was no such object to free.
    NotLive,
    /// The pool was compacted.
    Compacted(Compaction),
    /// The allocator has no compaction.
    CannotCompact,
    /// A place where a trace asks for a report.
    Reported,
}

/// Applies one operation; its events go to `sink`.
#[inline]
pub fn apply<P: Pool, S: Sink>(pool: &mut P, op: Op, sink: &mut S) -> Outcome {
    match op {
        Op::Alloc { object, size } => match pool.malloc(object, size, sink) {
            Ok(place) => Outcome::Placed(place),
            Err(error) => Outcome::Failed(error),
        },
        Op::Free { object } => match pool.free(object, sink) {
            Ok(freed) => Outcome::Freed(freed),
            Err(_) => Outcome::NotLive,
        },
        Op::Compact => pool.compact(sink).map_or(Outcome::CannotCompact, Outcome::Compacted),
        Op::Report => {
            pool.tick();
            Outcome::Reported
        }
    }
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Words separated by blanks, as in the module's introduction. The digest is over this form for every model.
    Plain,
    /// `a ID SIZE ok TYPE BLOCK SLOT`, `a ID SIZE ENOSPC`, `f ID ok TYPE BLOCK SLOT block_freed|-`, `f ID skip`,
    /// separated by tabs, with the kernel's error names.
    Zblock,
}

/// One line of the log, without its line end. Empty for a report.
///
/// Written by hand into a fixed buffer: ten million lines have to be digested in about the time it takes to
/// run them, and the formatting machinery takes several times that.
#[derive(Clone, Copy)]
pub struct Line {
    bytes: [u8; Self::ROOM],
    len: usize,
}

impl Line {
    /// The longest line: a letter, up to five numbers of at most 20 digits, a word.
    const ROOM: usize = 128;

    /// The line of an operation on the object that the trace calls `name`.
    pub fn new(dialect: Dialect, op: Op, name: u32, outcome: Outcome) -> Self {
        let mut line = Self { bytes: [0; Self::ROOM], len: 0 };
        match dialect {
            Dialect::Plain => line.plain(name, outcome),
            Dialect::Zblock => line.zblock(op, name, outcome),
        }
        line
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever written.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    #[inline]
    fn plain(&mut self, name: u32, outcome: Outcome) {
        match outcome {
            Outcome::Placed(at) => {
                self.words(b"a ");
                self.numbers(
                    b' ',
                    [u64::from(name), u64::from(at.class), u64::from(at.span.0), u64::from(at.index)],
                );
            }
            Outcome::Failed(_) => {
                self.words(b"a ");
                self.number(u64::from(name));
                self.words(b" FAIL");
            }
            Outcome::Freed(Freed { from, span_freed }) => {
                self.words(b"f ");
                let place =
                    [u64::from(name), u64::from(from.class), u64::from(from.span.0), u64::from(from.index)];
                self.numbers(b' ', place);
                self.words(if span_freed { b" 1" } else { b" 0" });
            }
            Outcome::NotLive => {
                self.words(b"f ");
                self.number(u64::from(name));
                self.words(b" NONE");
            }
            Outcome::Compacted(done) => {
                self.words(b"c ");
                self.numbers(b' ', [done.pages_freed, done.objects_moved]);
            }
            Outcome::CannotCompact => self.words(b"c NONE"),
            Outcome::Reported => {}
        }
    }

    fn zblock(&mut self, op: Op, name: u32, outcome: Outcome) {
        let place = |at: Place| [u64::from(at.class), u64::from(at.span.0), u64::from(at.index)];
        match (op, outcome) {
            (Op::Alloc { size, .. }, outcome) => {
                self.words(b"a\t");
                self.numbers(b'\t', [u64::from(name), u64::from(size)]);
                match outcome {
                    Outcome::Placed(at) => {
                        self.words(b"\tok\t");
                        self.numbers(b'\t', place(at));
                    }
                    Outcome::Failed(error) => {
                        self.words(b"\t");
                        self.words(zblock_error(error).as_bytes());
                    }
                    _ => {}
                }
            }
            (Op::Free { .. }, outcome) => {
                self.words(b"f\t");
                self.number(u64::from(name));
                if let Outcome::Freed(Freed { from, span_freed }) = outcome {
                    self.words(b"\tok\t");
                    self.numbers(b'\t', place(from));
                    self.words(if span_freed { b"\tblock_freed" } else { b"\t-" });
                } else {
                    self.words(b"\tskip");
                }
            }
            // zblock has no compaction, and a report is no operation.
            (Op::Compact | Op::Report, _) => {}
        }
    }

    fn words(&mut self, words: &[u8]) {
        if let Some(room) = self.bytes.get_mut(self.len..self.len + words.len()) {
            room.copy_from_slice(words);
            self.len += words.len();
        }
    }

    fn numbers<const N: usize>(&mut self, separator: u8, numbers: [u64; N]) {
        for (index, number) in numbers.into_iter().enumerate() {
            if index > 0 {
                self.words(&[separator]);
            }
            self.number(number);
        }
    }

    #[inline]
    fn number(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut first = digits.len();
        while first > 0 {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.words(&digits[first..]);
    }
}

const fn zblock_error(error: MallocError) -> &'static str {
    match error {
        MallocError::ZeroSize | MallocError::Invalid { .. } => "EINVAL",
        MallocError::TooLarge { .. } => "ENOSPC",
        MallocError::NoType => "EINVAL+WARN",
        MallocError::OutOfBounds => "OOB",
        MallocError::Live => "EEXIST",
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The running digest of a log in the plain dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogDigest(Fnv1a64);

impl LogDigest {
    /// The digest of an empty log.
    pub const fn new() -> Self {
        Self(Fnv1a64::new())
    }

    /// Adds what an operation on the object that the trace calls `name` did.
    #[inline]
    pub fn add(&mut self, op: Op, name: u32, outcome: Outcome) {
        let line = Line::new(Dialect::Plain, op, name, outcome);
        if line.len > 0 {
            self.0.update(line.as_bytes());
            self.0.update(b"\n");
        }
    }

    /// The digest so far.
    pub const fn value(self) -> u64 {
        self.0.value()
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Line, LogDigest, Outcome};
    use crate::digest::Fnv1a64;
    use crate::ops::Op;
    use crate::pool::{Compaction, Freed, MallocError, ObjectId, Place, SpanId};

    const AT: Place = Place { class: 126, span: SpanId(1), index: 0 };
    const ALLOC: Op = Op::Alloc { object: ObjectId(0), size: 4096 };
    const FREE: Op = Op::Free { object: ObjectId(0) };

    fn cases() -> Vec<(Op, Outcome, &'static str, &'static str)> {
        let widest = Place { class: u16::MAX, span: SpanId(u32::MAX), index: u16::MAX };
        vec![
            (ALLOC, Outcome::Placed(AT), "a 7 126 1 0", "a\t7\t4096\tok\t126\t1\t0"),
            (
                ALLOC,
                Outcome::Placed(widest),
                "a 7 65535 4294967295 65535",
                "a\t7\t4096\tok\t65535\t4294967295\t65535",
            ),
            (ALLOC, Outcome::Failed(MallocError::ZeroSize), "a 7 FAIL", "a\t7\t4096\tEINVAL"),
            (ALLOC, Outcome::Failed(MallocError::NoType), "a 7 FAIL", "a\t7\t4096\tEINVAL+WARN"),
            (ALLOC, Outcome::Failed(MallocError::TooLarge { max: 1 }), "a 7 FAIL", "a\t7\t4096\tENOSPC"),
            (
                FREE,
                Outcome::Freed(Freed { from: AT, span_freed: true }),
                "f 7 126 1 0 1",
                "f\t7\tok\t126\t1\t0\tblock_freed",
            ),
            (
                FREE,
                Outcome::Freed(Freed { from: AT, span_freed: false }),
                "f 7 126 1 0 0",
                "f\t7\tok\t126\t1\t0\t-",
            ),
            (FREE, Outcome::NotLive, "f 7 NONE", "f\t7\tskip"),
            (
                Op::Compact,
                Outcome::Compacted(Compaction { returned: 9, objects_moved: 30, pages_freed: 12 }),
                "c 12 30",
                "",
            ),
            (Op::Compact, Outcome::CannotCompact, "c NONE", ""),
            (Op::Report, Outcome::Reported, "", ""),
        ]
    }

    #[test]
    fn lines_of_both_dialects() {
        for (op, outcome, plain, zblock) in cases() {
            assert_eq!(Line::new(Dialect::Plain, op, 7, outcome).as_str(), plain);
            assert_eq!(Line::new(Dialect::Zblock, op, 7, outcome).as_str(), zblock);
        }
    }

    #[test]
    fn the_digest_is_that_of_the_plain_text() {
        let mut text = String::new();
        let mut digest = LogDigest::new();
        for (op, outcome, plain, _) in cases() {
            digest.add(op, 7, outcome);
            if !plain.is_empty() {
                text += plain;
                text.push('\n');
            }
        }
        assert_eq!(digest.value(), Fnv1a64::of(&text));
    }
}
