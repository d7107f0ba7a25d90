//! Plots and drawings of allocator geometry, on any backend: a canvas in the page, SVG elsewhere.
//!
//! | module | what |
//! |---|---|
//! | [`plot`] | a plot against object size, drawn by plotters, with its texts apart |
//! | [`zsmalloc`], [`zblock`] | the plots of a geometry |
//! | [`order_map`] | SLUB's orders by object size |
//! | [`over_time`] | quantities over time as pixels |
//! | [`shown`] | what the view of a geometry draws of one size |
//! | [`svg`] | plots as files |
//! | [`zspage`] | a span page by page with its objects |
//! | [`map`] | the pool map: layout and pixels |
//! | [`theme`] | colours by what they stand for |

pub mod hatch;
pub mod lines;
pub mod map;
pub mod order_map;
pub mod over_time;
mod pen;
pub mod plot;
pub mod shown;
pub mod svg;
pub mod theme;
pub mod zblock;
pub mod zsmalloc;
pub mod zspage;
