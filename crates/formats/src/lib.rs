//! formats.
