//! The pool map: every span of a pool as a bar, rows by class and columns by group.
//!
//! [`layout`] decides where everything goes, in CSS pixels and without a canvas; [`raster`] writes the
//! visible part into a pixel buffer that is put on a canvas in one call. Drawing each cell
//! through the canvas API is an order of magnitude too slow for large pools. [`cells`] is the overview for
//! many: a cell of a few pixels per span, of which only those that changed are painted anew.

pub mod cells;
pub mod layout;
pub mod mini;
pub mod pixels;
pub mod raster;
pub mod tint;

pub use cells::CellMap;
pub use layout::{Arrangement, MapLayout, MapOptions};
pub use raster::{Viewport, paint};
pub use tint::{Colouring, Palette, Tints};
