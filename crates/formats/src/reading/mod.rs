//! Recognising and reading what people paste.

mod account;
mod clean;
mod decode;
mod format;
pub(crate) mod numbers;
mod paste;
mod readers;
mod registry;
mod relatives;
mod sheet;
mod table;

pub use account::{LineUse, Why};
pub(crate) use clean::clean_line;
pub use clean::raw_lines;
pub use decode::{NotText, decode};
pub use format::Format;
pub use paste::{LONGEST_TEXT, Nearest, Paste, read, read_below, read_plainly};
pub(crate) use readers::histogram::{count_column, size_column};
pub use table::{Row, Table, Value, Warning};
