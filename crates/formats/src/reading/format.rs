//! The kinds of text that are recognised.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A kind of text, whatever its file is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Format {
    /// zsmalloc's debugfs file of size classes.
    ZsmallocClasses,
    /// zram's `mm_stat`, one line of 3 to 9 numbers.
    ZramMmStat,
    /// zram's older files with one number each.
    ZramAttributes,
    /// The table of the tool `zramctl`.
    Zramctl,
    /// zswap's debugfs files and module parameters.
    ZswapDebugfs,
    /// `/proc/meminfo`, whole or in part.
    Meminfo,
    /// zblock's debugfs file of block types.
    ZblockBlocks,
    /// `/proc/slabinfo`, versions 1.0 to 2.1.
    Slabinfo,
    /// The table of the tool `slabtop`.
    Slabtop,
    /// Tables of the kernel's own tool `slabinfo`.
    SlabinfoTool,
    /// Files of `/sys/kernel/slab`.
    SlabSysfs,
    /// A kernel command line with options of the allocators.
    Cmdline,
    /// Sizes and how often each occurs.
    SizeHistogram,
    /// Allocations and frees in order.
    Trace,
}

impl Format {
    /// Every format, in the order of the contract.
    pub const ALL: [Self; 14] = [
        Self::ZsmallocClasses,
        Self::ZramMmStat,
        Self::ZramAttributes,
        Self::Zramctl,
        Self::ZswapDebugfs,
        Self::Meminfo,
        Self::ZblockBlocks,
        Self::Slabinfo,
        Self::SlabinfoTool,
        Self::Slabtop,
        Self::SlabSysfs,
        Self::Cmdline,
        Self::SizeHistogram,
        Self::Trace,
    ];

    /// The name in JSON, and a few words for people.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::ZsmallocClasses => ["zsmalloc-classes", "zsmalloc classes"],
            Self::ZramMmStat => ["zram-mm_stat", "zram mm_stat"],
            Self::ZramAttributes => ["zram-attributes", "zram attributes"],
            Self::Zramctl => ["zramctl", "zramctl table"],
            Self::ZswapDebugfs => ["zswap-debugfs", "zswap counters"],
            Self::Meminfo => ["meminfo", "meminfo"],
            Self::ZblockBlocks => ["zblock-blocks", "zblock blocks"],
            Self::Slabinfo => ["slabinfo", "slabinfo"],
            Self::Slabtop => ["slabtop", "slabtop table"],
            Self::SlabinfoTool => ["slabinfo-tool", "table of the slabinfo tool"],
            Self::SlabSysfs => ["slab-sysfs", "slab attributes"],
            Self::Cmdline => ["cmdline", "kernel command line"],
            Self::SizeHistogram => ["size-histogram", "size histogram"],
            Self::Trace => ["trace", "allocation trace"],
        }
    }

    /// The name in JSON and in expectations of tests.
    pub const fn name(self) -> &'static str {
        self.words()[0]
    }

    /// What to call it in a sentence.
    pub const fn label(self) -> &'static str {
        self.words()[1]
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
