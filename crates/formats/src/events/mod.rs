//! Allocations and frees of real kernels, line by line: `kmem:` events as ftrace and perf print them, lines of
//! bpftrace programs, and our own text. [`read_ops`] makes a stream of operations of them.

mod line;
mod stream;

pub use line::{Event, Line, Source, parse_line};
pub use stream::{Stream, Summary, Trace, each_op, read_ops};
