//! Exact models of the Linux kernel's slab-like allocators: zsmalloc, zblock and SLUB.
//!
//! Plain Rust without a DOM, a clock, I/O, outside randomness or serde: the same input gives the same
//! [operation log](oplog) bit for bit, natively and in WebAssembly. Errors on user data are values;
//! nothing in this crate panics on it.
//!
//! | module | what |
//! |---|---|
//! | [`pool`] | what every allocator model offers: the [`Pool`](pool::Pool) trait, its events and views |
//! | [`zsmalloc`], [`zblock`], [`slub`] | the models: geometry (classes, block types, orders) and a pool |
//! | [`model`] | one enum over the three, for callers that choose at run time |
//! | [`ops`] | a stream of operations, compact in memory |
//! | [`oplog`] | the operation log as text and its digest |
//! | [`tell`] | operations and events in plain words |
//! | [`packing`] | the pages that objects need without a gap |
//! | [`ranked`] | the one sort for lists that are read |
//! | [`whatif`] | what the same objects would take under another setting |
//! | [`workload`] | seeded size distributions and operation generators |
//! | [`timeline`] | state = f(stream, step): a cursor that can be put anywhere |
//! | [`locks`] | threads that contend for an allocator's locks |

pub mod digest;
mod lists;
pub mod locks;
pub mod model;
mod objects;
pub mod oplog;
pub mod ops;
pub mod packing;
pub mod pool;
pub mod ranked;
pub mod rng;
pub mod slub;
pub mod tell;
pub mod timeline;
pub mod told;
pub mod whatif;
pub mod workload;
pub mod zblock;
pub mod zsmalloc;
