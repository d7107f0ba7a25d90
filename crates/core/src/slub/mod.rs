//! SLUB, the kernel's slab allocator: slabs of `2^order` pages cut into equal places.
//!
//! A *cache* has objects of one size, and slabs whose *order* a search finds that weighs the objects of a slab
//! against the bytes left over ([`calculate_order`]; [`explain()`] shows its steps). A [`Pool`] is the view of one CPU.
//! Words have 64 bits.

mod config;
mod explain;
mod generation;
mod geometry;
mod kmalloc;
mod layout;
mod order;
mod partial;
mod pool;

pub use config::{Config, ConfigError};
pub use explain::{Explanation, Goal, Limited, Outcome, Step, explain};
pub use generation::{
    Emptied, Extra, Generation, KmallocAlign, LastResort, LayoutRules, Lowering, Rules, Sorting,
};
pub use geometry::{Cache, Geometry};
pub use kmalloc::{KmallocCache, kmalloc_caches};
pub use layout::{Layout, LayoutError, LayoutFlags, layout};
pub use order::{NoOrder, OrderAnswer, OrderParams, automatic_objects, calculate_order};
pub use partial::{cpu_partial_objects, cpu_partial_slabs, min_partial};
pub use pool::Pool;
