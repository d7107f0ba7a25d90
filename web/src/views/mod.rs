//! The views, one folder each.

pub(crate) mod cases;
pub(crate) mod compare;
pub(crate) mod data;
pub(crate) mod document;
pub(crate) mod geometry;
pub(crate) mod layout;
pub(crate) mod locks;
mod plain;
pub(crate) mod pool;
pub(crate) mod span_figure;
