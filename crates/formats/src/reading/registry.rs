//! The table of readers.

use super::format::Format;
use super::readers;
use super::sheet::Reader;

/// Every reader, in the order in which they are asked. Those that know their lines by names or marks come
/// before those that know them by numbers alone.
pub(crate) static READERS: [Reader; 14] = [
    Reader { format: Format::ZsmallocClasses, read: readers::classes::read },
    Reader { format: Format::Slabinfo, read: readers::slabinfo::read },
    Reader { format: Format::SlabinfoTool, read: readers::slabinfo_tool::read },
    Reader { format: Format::Slabtop, read: readers::slabtop::read },
    Reader { format: Format::Zramctl, read: readers::zramctl::read },
    Reader { format: Format::ZblockBlocks, read: readers::zblock::read },
    Reader { format: Format::Trace, read: readers::trace::read },
    Reader { format: Format::Meminfo, read: readers::meminfo::read },
    Reader { format: Format::ZswapDebugfs, read: readers::zswap::read },
    Reader { format: Format::ZramAttributes, read: readers::zram_attributes::read },
    Reader { format: Format::SlabSysfs, read: readers::sysfs::read },
    Reader { format: Format::Cmdline, read: readers::cmdline::read },
    Reader { format: Format::ZramMmStat, read: readers::mm_stat::read },
    Reader { format: Format::SizeHistogram, read: readers::histogram::read },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_reader() {
        for format in Format::ALL {
            assert_eq!(READERS.iter().filter(|reader| reader.format == format).count(), 1, "{format}");
        }
    }
}
