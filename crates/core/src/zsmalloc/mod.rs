//! zsmalloc.
