//! The pool map: every span of a pool as a bar, rows by class and columns by group.
//!
//! [`layout`] decides where everything goes, in CSS pixels and without a canvas; [`raster`] writes the
//! visible part into a pixel buffer that the page puts on its canvas in one call. Drawing each cell
//! through the canvas API is an order of magnitude too slow for large pools.

pub mod layout;
pub mod raster;

pub use layout::{MapLayout, MapOptions, RowOrder};
pub use raster::{Palette, Viewport, paint};
