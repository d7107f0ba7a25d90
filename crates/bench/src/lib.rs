//! What the speed budgets are measured with.
//!
//! The clock is the caller's, so that the same code runs natively (`std::time::Instant`) and in a page
//! (`performance.now()`). Budgets are ratios: the machine's own speed cancels out.

mod bare;
mod churn;
mod frames;
mod replay;
mod seek;
mod sweep;

pub use bare::BareLoop;
pub use churn::churn;
pub use frames::{Frames, SIZE};
pub use replay::{Ratios, replay_ratio};
pub use seek::{Seeks, seeks};
pub use sweep::{Sweep, sweep_ms};
