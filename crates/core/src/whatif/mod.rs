//! What the same objects would take under another setting.
//!
//! A class table says how many objects each class holds, not how large they are: a [`Population`] keeps the
//! interval. A [`Ladder`] is what a setting does with a size, and [`predict()`] packs the one into the other: for the
//! smallest, the evenly spread and the largest sizes that the intervals allow, with bounds that hold for any.

mod churn;
mod knee;
mod ladder;
mod population;
mod predict;
mod setting;

pub use churn::{Worn, wear, wear_until};
pub use knee::{Knee, knee};
pub use ladder::{Ladder, Rung};
pub use population::{Population, Raw, Sizes};
pub use predict::{Prediction, Unfit, part, predict};
pub use setting::{Impossible, Setting};
