//! Plots and drawings of allocators on any backend.

pub mod map;
