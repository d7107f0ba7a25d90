//! The texts that people paste and that kernels print, read and written.

pub mod capture;
pub mod carried;
pub mod classes;
pub mod events;
mod explain;
mod reading;
pub mod replay;
pub mod sizes;
pub mod slabinfo_text;
pub mod slub_tables;
pub mod trace;
pub mod zblock_report;
pub mod zblock_tables;
pub mod zblock_text;
pub mod zsmalloc_report;
pub mod zsmalloc_tables;
pub mod zsmalloc_text;

pub use explain::explain;
pub use reading::{
    Format, LONGEST_TEXT, LineUse, Nearest, NotText, Paste, Row, Table, Value, Warning, Why, decode,
    raw_lines, read, read_below, read_plainly,
};
