//! Events as operations on dense object numbers, in memory that grows with the live objects only.

use std::io::{self, BufRead, Read as _};

use slabscope_core::ops::{Op, Ops};

use super::line::{Event, Line, parse_line};
use crate::reading::{Warning, clean_line};
use crate::trace::Interner;

/// Warnings beyond these are counted, not kept.
const MOST_WARNINGS: usize = 1000;

/// Longest line that is looked at, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 4096;

/// What a trace amounts to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Allocations, and bytes that they asked for.
    pub allocations: u64,
    /// Bytes that all allocations asked for.
    pub bytes: u64,
    /// Frees of objects that were live.
    pub frees: u64,
    /// Objects that are live at the end.
    pub live: u64,
    /// The most objects that were live at once.
    pub peak_live: u64,
    /// Bytes of live objects at the end.
    pub live_bytes: u64,
    /// Lines that are no event, blank ones and comments not counted.
    pub skipped: u64,
    /// What does not fit together, with the line; at most a thousand.
    pub warnings: Vec<Warning>,
    /// Warnings beyond those.
    pub warnings_left_out: u64,
}

/// Turns events into operations.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    names: Interner,
    /// Bytes of each live object by its dense number.
    sizes: Vec<u32>,
    summary: Summary,
}

impl Stream {
    /// Takes the event of a line, from 1, and gives its operations to `sink`. A free of an object that is not
    /// live is left out; an allocation of a live one first frees it, since its free was not seen.
    pub fn push(&mut self, line: u32, event: Event, sink: &mut dyn FnMut(Op, u32)) {
        match event {
            Event::Alloc { id, size } => {
                let Some(size) = u32::try_from(size).ok().filter(|size| (1..=Ops::MAX_SIZE).contains(size))
                else {
                    return self.warn(
                        line,
                        format!(
                            "an allocation of {size} bytes is left out: 1 to {} are possible",
                            Ops::MAX_SIZE
                        ),
                    );
                };
                if self.names.is_live(id) {
                    self.warn(
                        line,
                        "the object is allocated again without a free between; it is freed first".to_owned(),
                    );
                    self.free(line, id, sink);
                }
                let Some(object) = self.names.allocate(id) else { return };
                let place = object.0 as usize;
                if place >= self.sizes.len() {
                    self.sizes.resize(place + 1, 0);
                }
                self.sizes[place] = size;
                let summary = &mut self.summary;
                summary.allocations += 1;
                summary.bytes = summary.bytes.saturating_add(size.into());
                summary.live += 1;
                summary.live_bytes = summary.live_bytes.saturating_add(size.into());
                summary.peak_live = summary.peak_live.max(summary.live);
                sink(Op::Alloc { object, size }, line);
            }
            Event::Free { id } if self.names.is_live(id) => self.free(line, id, sink),
            Event::Free { .. } => self.warn(
                line,
                "the free of an object that was not allocated in this trace is left out".to_owned(),
            ),
            Event::Compact => sink(Op::Compact, line),
            Event::Report => sink(Op::Report, line),
        }
    }

    fn free(&mut self, line: u32, id: u64, sink: &mut dyn FnMut(Op, u32)) {
        let Some(object) = self.names.release(id) else { return };
        let size = self.sizes.get(object.0 as usize).copied().unwrap_or(0);
        self.summary.frees += 1;
        self.summary.live = self.summary.live.saturating_sub(1);
        self.summary.live_bytes = self.summary.live_bytes.saturating_sub(size.into());
        sink(Op::Free { object }, line);
    }

    fn warn(&mut self, line: u32, text: String) {
        if self.summary.warnings.len() < MOST_WARNINGS {
            self.summary.warnings.push(Warning { line: Some(line), text });
        } else {
            self.summary.warnings_left_out += 1;
        }
    }

    /// What it amounts to so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// What it amounted to.
    pub fn into_summary(self) -> Summary {
        self.summary
    }
}

/// A trace as a stream of operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The operations.
    pub ops: Ops,
    /// What they amount to, and what did not fit.
    pub summary: Summary,
}

/// Reads a whole trace into operations, eight bytes each.
///
/// # Errors
/// The input cannot be read.
pub fn read_ops<R: BufRead>(input: R) -> io::Result<Trace> {
    let mut ops = Ops::new();
    let summary = each_op(input, &mut |op, _| ops.push(op))?;
    Ok(Trace { ops, summary })
}

/// Reads a trace line by line and gives each operation with its line to `sink`. Memory grows with the live
/// objects, not with the trace.
///
/// # Errors
/// The input cannot be read.
pub fn each_op<R: BufRead>(mut input: R, sink: &mut dyn FnMut(Op, u32)) -> io::Result<Summary> {
    let mut stream = Stream::default();
    let mut buffer = Vec::new();
    let mut line = 0u32;
    while next_line(&mut input, &mut buffer)? {
        line = line.saturating_add(1);
        let text = String::from_utf8_lossy(&buffer);
        let plain = text.trim();
        if plain.is_empty() || plain.starts_with('#') {
            continue;
        }
        let mut parsed = parse_line(plain);
        let cleaned;
        if parsed == Line::Other {
            cleaned = clean_line(plain);
            parsed = parse_line(&cleaned);
        }
        match parsed {
            Line::Event { event, .. } => stream.push(line, event, sink),
            Line::Nothing(_) => {}
            Line::Other => stream.summary.skipped += 1,
        }
    }
    Ok(stream.into_summary())
}

/// Reads a line without its end; of one that is too long, only its beginning is kept.
fn next_line<R: BufRead>(input: &mut R, buffer: &mut Vec<u8>) -> io::Result<bool> {
    buffer.clear();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', buffer)? == 0 {
        return Ok(false);
    }
    let mut rest = Vec::new();
    let mut ended = buffer.ends_with(b"\n");
    while !ended {
        rest.clear();
        ended = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)? == 0 || rest.ends_with(b"\n");
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use slabscope_core::pool::ObjectId;

    const FTRACE: &str = "# tracer: nop\n#\n  x-1 [0] .... 1.0: kmalloc: call_site=f ptr=0xa0 bytes_req=100 bytes_alloc=128\n  x-1 [0] .... 1.1: kfree: call_site=f ptr=0xbb\n  x-1 [0] .... 1.2: kmalloc: call_site=f ptr=0xa0 bytes_req=50 bytes_alloc=64\n> a lost word\n  x-1 [0] .... 1.3: kfree: call_site=f ptr=0xa0\n";

    #[test]
    fn events_become_operations_and_oddities_warnings() {
        let trace = read_ops(FTRACE.as_bytes()).unwrap();
        let object = ObjectId(0);
        let ops: Vec<Op> = trace.ops.iter().collect();
        assert_eq!(
            ops,
            [
                Op::Alloc { object, size: 100 },
                Op::Free { object },
                Op::Alloc { object, size: 50 },
                Op::Free { object }
            ]
        );
        let Summary { allocations, frees, live, peak_live, bytes, live_bytes, skipped, warnings, .. } =
            trace.summary;
        assert_eq!(
            (allocations, frees, live, peak_live, bytes, live_bytes, skipped),
            (2, 2, 0, 1, 150, 0, 1)
        );
        let lines: Vec<Option<u32>> = warnings.iter().map(|warning| warning.line).collect();
        assert_eq!(lines, [Some(4), Some(5)]);
    }

    #[test]
    fn quotes_long_lines_and_sizes_out_of_range_are_survived() {
        let text = format!("> a 1 100\n{}\na 2 0\nf 1\n\u{fffd}\n", "x".repeat(10_000));
        let summary = each_op(text.as_bytes(), &mut |_, _| {}).unwrap();
        assert_eq!(
            (summary.allocations, summary.frees, summary.warnings.len(), summary.skipped),
            (1, 1, 1, 2)
        );
        assert_eq!(summary.warnings[0].line, Some(3));
    }
}
