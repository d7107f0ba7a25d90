//! Answers about the tables of a machine: what another setting would take, where the memory goes, what to set.
//!
//! The arithmetic is `slabscope_core::whatif`; here it meets what people paste. Nothing here reads a file or
//! prints: the command line and the page's worker do.
//!
//! | module | what |
//! |---|---|
//! | [`input`], [`histogram`] | a class table or a list of sizes as a population |
//! | [`select`] | which settings are asked for |
//! | [`sweep`] | a row for each setting |
//! | [`advice`] | the setting worth taking, why, and the line that applies it |
//! | [`mod@reference`] | zbud and z3fold as lower bounds |
//! | [`account`] | what a model says, what the machine holds, what compaction leaves |
//! | [`figures`], [`ratio`] | what zram, zswap and meminfo say of themselves |
//! | [`waterfall`] | original, compressed, handles, rounding, tails, empty places |
//! | [`change`] | two class tables, before and after |
//! | [`slub`] | `/proc/slabinfo` under another order, CPU count, page size or generation |
//! | [`accuracy`] | predictions beside what kernels did |

pub mod account;
pub mod accuracy;
pub mod advice;
pub mod change;
pub mod figures;
pub mod histogram;
pub mod input;
pub mod percent;
pub mod ratio;
pub mod reference;
pub mod select;
pub mod slub;
pub mod sweep;
pub mod waterfall;
