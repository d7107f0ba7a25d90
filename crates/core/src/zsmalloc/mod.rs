//! zsmalloc: many small objects in chains of pages.
//!
//! A *zspage* is a chain of 1 to 16 pages cut into objects of one size class. Every rule here comes from
//! the kernel of the era named (see [`Era`]) and was compared with it, compiled for user space. One
//! thread, no memory pressure, no mapped objects: what a test or a quiet machine shows.

mod config;
mod constants;
mod cost;
mod era;
mod geometry;
mod groups;
mod kernel;
mod pool;

pub use config::{Bits, Config, ConfigError};
pub use constants::Constants;
pub use cost::Cost;
pub use era::{Chain, Compacting, Era, Grouping, Insert, Returns, Rules};
pub use geometry::{Candidate, Geometry, SizeClass, size_classes};
pub use kernel::{Certainty, KernelError, KernelMatch};
pub use pool::{ClassStats, Pool};
