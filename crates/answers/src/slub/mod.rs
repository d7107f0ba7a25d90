//! `/proc/slabinfo` under another order, CPU count, page size or generation.
//!
//! An order follows from the object size alone, once page size, CPUs and the four parameters are known, so a line
//! of slabinfo tells what its cache would have elsewhere. How full the slabs would be it does not tell: pages come
//! as a range.

mod answer;
mod options;
mod present;
mod reading;
mod row;

pub use answer::{Answer, COLUMNS, CacheAnswer, Pages, Slab, Sums, answer};
pub use options::{BootOptions, command_line, read_options};
pub use present::{Present, present};
pub use reading::{Reading, Twins, Verdict, readings, twins};
pub use row::{NotSlabinfo, SlabRow, SlabRows, from_paste, from_slabtop, from_tables, read_rows};
