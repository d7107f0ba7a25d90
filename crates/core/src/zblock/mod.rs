//! zblock: blocks of contiguous pages cut into equal slots.
//!
//! A *block* is a header and as many slots of one size as fit behind it. A fixed table of *block types* says how
//! many pages and slots blocks have; an object goes into a slot of the smallest type that the version's
//! look-up finds for it. No version was merged: each [`Version`] is a posting to linux-mm or a state of the mm
//! tree between 2022 and 2025. One thread, no memory pressure.

mod config;
mod geometry;
mod lookup;
mod pool;
mod tables;
mod tree;
mod version;

pub use config::{Config, ConfigError};
pub use geometry::{BlockType, Geometry, block_types};
pub use lookup::{Compared, Lookup};
pub use pool::Pool;
pub use version::{CacheRule, Find, FullBlocks, Keeping, Provenance, Rules, SlotBits, TableEnd, Version};
