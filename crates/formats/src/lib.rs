//! The texts that people paste and that kernels print, read and written.

pub mod classes;
pub mod replay;
pub mod slabinfo_text;
pub mod slub_tables;
pub mod trace;
pub mod zblock_report;
pub mod zblock_tables;
pub mod zblock_text;
pub mod zsmalloc_report;
pub mod zsmalloc_tables;
pub mod zsmalloc_text;
