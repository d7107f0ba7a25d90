//! One reader for each format.

mod buckets;
pub(super) mod classes;
pub(super) mod cmdline;
pub(super) mod histogram;
pub(super) mod meminfo;
pub(super) mod mm_stat;
mod pairs;
pub(super) mod slabinfo;
pub(super) mod slabinfo_tool;
pub(super) mod slabtop;
pub(super) mod sysfs;
pub(super) mod trace;
pub(super) mod zblock;
pub(super) mod zram_attributes;
pub(super) mod zramctl;
pub(super) mod zswap;
