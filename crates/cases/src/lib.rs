//! Five published results on zsmalloc, zblock and SLUB, computed anew by the models.
//!
//! Nothing here is a result that was typed in: what others published is read from one table
//! ([`published`]), what is put beside it comes from running `slabscope-core` when it is asked for.
//!
//! A [`Case`] is run in slices by a [`Run`], which can be dropped between any two of them, and told as an [`Outcome`]:
//! the finding in a sentence, and steps with text, rows and plots. Everything is deterministic: chance comes from
//! seeds 1, 2, 3 ... There is no I/O: the sizes and operations that cases run on are built in, or handed over by the
//! caller as [`Data`].

mod bits;
mod case;
pub mod data;
mod figure;
mod filling;
mod histogram;
mod lock_schemes;
mod mib;
mod more_pages;
mod options;
mod outcome;
mod part;
mod partial_ordering;
pub mod published;
mod run;
mod scene;
mod slub_order;
mod statistics;
mod stream;
mod tsv;
mod words;
mod zblock_density;

pub use case::Case;
pub use data::{Data, DataError};
pub use figure::{Figure, Row, Unit};
pub use histogram::Histogram;
pub use options::{Assumption, Options, Values};
pub use outcome::{Line, Outcome, Plot, Step};
pub use part::Part;
pub use run::{Progress, Run, run_with};
pub use scene::{Scene, Sketch};
pub use statistics::Sample;
pub use tsv::{COLUMNS, tsv_rows};
pub use words::{Piece, pieces};
