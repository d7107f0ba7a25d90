//! The one table of parameters, and everything that is made from it.
//!
//! A [`Scenario`] is the whole state of a page: which allocator under which settings, on which stream
//! of operations, seen how. Its values are described once, in [`PARAMS`]: link key, label, unit, help,
//! range or list of choices, default, and where each applies. Link codec, validation, forms, JSON and
//! the reference of keys all read that table.
//!
//! | module | what |
//! |---|---|
//! | [`act`] | the one table of commands and their keys |
//! | [`choice`] | the values that are picked from a list |
//! | [`param`], [`table`] | what a parameter is; the table |
//! | [`side`], [`scenario`] | one column of values; up to four of them and what the page shows |
//! | [`edit`] | steps, wheels and sliders |
//! | [`link`] | the canonical fragment and its reader |
//! | [`json`] | a scenario as JSON |
//! | [`mod@reference`] | the reference of all keys as Markdown |
//!
//! Nothing here panics on anything a reader may paste: a bad value falls back and says so.

pub mod act;
pub mod choice;
mod convert;
pub mod edit;
mod generation;
pub mod json;
pub mod link;
pub mod notice;
pub mod param;
mod percent;
pub mod reference;
pub mod scenario;
pub mod side;
pub mod table;
mod text;

pub use choice::{Allocator, Case, Choice, Locking, Plot, Theme, Ui, View};
pub use json::from_json;
pub use link::parse_fragment;
pub use notice::{Notice, NoticeKind};
pub use param::{Fit, Group, Key, Kind, Param, Parsed, Scale, Value};
pub use reference::reference_markdown;
pub use scenario::{Scenario, Selection};
pub use side::Side;
pub use table::PARAMS;
