//! zsmalloc's debugfs `classes` file as people paste it.

mod clean;
mod guess;
mod occupancy;
mod read;

pub use clean::clean;
pub use guess::{Guess, guess};
pub use occupancy::{ClassUse, Occupancy, occupancy};
pub use read::{Columns, LineUse, NotClasses, Row, Table, read_classes};
