//! How to get each format from a machine, what that costs, and what is made of it: one table for the page and the guide.

use crate::reading::Format;

/// A command, and what it costs the machine it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// A line for a shell.
    pub line: &'static str,
    /// What it needs and costs: a sentence without its full stop.
    pub cost: &'static str,
}

/// How to get a format, and what it is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The format.
    pub format: Format,
    /// What it is: a sentence without its full stop.
    pub what: &'static str,
    /// Ways to get it, the best first.
    pub commands: &'static [Command],
    /// What Slabscope makes of it: a sentence without its full stop.
    pub made: &'static str,
}

const fn command(line: &'static str, cost: &'static str) -> Command {
    Command { line, cost }
}

/// Every format, in the order of [`Format::ALL`].
pub const CAPTURES: [Capture; Format::ALL.len()] = [
    Capture {
        format: Format::ZsmallocClasses,
        what: "The size classes of each zsmalloc pool, one a line: objects, places and pages, from Linux 3.18 on and with the columns that vendors add",
        commands: &[command(
            "sudo sh -c 'grep -H . /sys/kernel/debug/zsmalloc/*/classes'",
            "Needs root, debugfs and CONFIG_ZSMALLOC_STAT; each class is counted under its own lock, which takes milliseconds",
        )],
        made: "Era, page size and chain limit from the rows themselves; where the memory is; what compaction would return; every other setting with bounds; a pool like it to play",
    },
    Capture {
        format: Format::ZramMmStat,
        what: "The counters of a zram device, 3 to 9 numbers in one line",
        commands: &[command(
            "grep -H . /sys/block/zram*/mm_stat",
            "Needs no root; reads counters, which costs nothing",
        )],
        made: "Each number under its name, compression and overhead, and what does not fit together",
    },
    Capture {
        format: Format::ZramAttributes,
        what: "The older files of a zram device with one number each, up to Linux 4.10",
        commands: &[command(
            "grep -H . /sys/block/zram0/{orig_data_size,compr_data_size,mem_used_total,zero_pages}",
            "Needs no root; reads counters, which costs nothing",
        )],
        made: "One row for each device",
    },
    Capture {
        format: Format::Zramctl,
        what: "The table of the tool zramctl, with or without rounded sizes",
        commands: &[command(
            "zramctl --bytes --output-all",
            "Needs no root; reads counters, which costs nothing. Without --bytes the figures are rounded",
        )],
        made: "One row for each device, rounded figures marked as such",
    },
    Capture {
        format: Format::ZswapDebugfs,
        what: "The counters and parameters of zswap",
        commands: &[command(
            "sudo grep -r . /sys/kernel/debug/zswap /sys/module/zswap/parameters",
            "Needs root and debugfs; reads counters, which costs nothing",
        )],
        made: "One row of everything that was counted, and what does not fit together",
    },
    Capture {
        format: Format::Meminfo,
        what: "/proc/meminfo, whole or only some of its lines",
        commands: &[command(
            "cat /proc/meminfo",
            "Needs no root; sums counters of all CPUs, which takes microseconds",
        )],
        made: "The shares of zswap and slab, and Zswap above Zswapped told as impossible",
    },
    Capture {
        format: Format::ZblockBlocks,
        what: "The block types of each zblock pool, which the proposed allocator prints into debugfs",
        commands: &[command(
            "sudo sh -c 'grep -H . /sys/kernel/debug/zblock/*/blocks'",
            "Needs root, debugfs and a kernel with zblock; reads one counter of each type",
        )],
        made: "The version by its types, blocks and pages of each type",
    },
    Capture {
        format: Format::Slabinfo,
        what: "/proc/slabinfo, versions 1.0 to 2.1, with and without statistics",
        commands: &[command(
            "sudo cat /proc/slabinfo",
            "Needs root; goes through the partial slabs of each cache with its lock held, on large machines for some milliseconds each, so once a minute at most",
        )],
        made: "What each cache holds, which order rule and how many CPUs explain it, and what other orders would cost",
    },
    Capture {
        format: Format::SlabinfoTool,
        what: "Tables of slabinfo from the kernel's tools/mm: list, aliases, loss, activity, totals",
        commands: &[command(
            "sudo slabinfo -AL",
            "Needs root and CONFIG_SLUB_DEBUG; reads all of /sys/kernel/slab, which counts objects slab by slab",
        )],
        made: "The table as numbers, units resolved",
    },
    Capture {
        format: Format::Slabtop,
        what: "The table of the tool slabtop, once or screen after screen",
        commands: &[command(
            "sudo slabtop -o -s c",
            "Needs root; reads /proc/slabinfo once. Without -o it does so every three seconds",
        )],
        made: "One row for each cache; sizes in KiB are rounded and marked as such",
    },
    Capture {
        format: Format::SlabSysfs,
        what: "Files of /sys/kernel/slab, one value each",
        commands: &[command(
            "sudo grep -r . /sys/kernel/slab/dentry/",
            "Needs root for most files; name a cache, since those that count objects walk its slabs",
        )],
        made: "One row for each cache",
    },
    Capture {
        format: Format::Cmdline,
        what: "A kernel command line with options of the allocators, alone or in a log",
        commands: &[command("cat /proc/cmdline", "Needs no root; costs nothing")],
        made: "The options that change orders, merging and debugging, as they take effect",
    },
    Capture {
        format: Format::SizeHistogram,
        what: "Sizes and how often each occurs: two columns with or without a heading, CSV, what sort | uniq -c prints, hist, lhist and maps of bpftrace, histograms of bcc, or plain sizes, one a line",
        commands: &[
            command(
                "sudo bpftrace -e 'kprobe:zs_malloc { @[arg1] = count(); } interval:s:10 { exit(); }'",
                "Needs root and bpftrace; one probe for each allocation, about a microsecond of it for as long as it runs",
            ),
            command(
                "sudo bpftrace -e 'tracepoint:kmem:kmalloc { @ = lhist(args.bytes_req, 0, 8192, 16); } interval:s:10 { exit(); }'",
                "The same for kmalloc, which is far more frequent: ten seconds are enough",
            ),
        ],
        made: "What every setting would take, and sizes for any workload in Pool and Compare",
    },
    Capture {
        format: Format::Trace,
        what: "Allocations and frees in their order: kmem events of ftrace, trace-cmd and perf, lines of bpftrace programs, or our own text (a ID SIZE, f ID, c, s)",
        commands: &[
            command(
                "sudo trace-cmd record -e kmem:kmalloc -e kmem:kfree -e kmem:kmem_cache_alloc -e kmem:kmem_cache_free sleep 1 && trace-cmd report",
                "Needs root; these are the most frequent events of a kernel: a second gives some tens of megabytes and slows allocations down",
            ),
            command(
                "sudo bpftrace -e 'kprobe:zs_malloc { @s[tid] = arg1; } kretprobe:zs_malloc /@s[tid]/ { printf(\"alloc 0x%lx %d\\n\", retval, @s[tid]); delete(@s[tid]); } kprobe:zs_free { printf(\"free 0x%lx\\n\", arg1); }'",
                "Needs root and bpftrace; two probes and a line for each allocation, some microseconds of it",
            ),
        ],
        made: "Operations to play step by step in Pool and Compare; events that do not fit together are told",
    },
];

/// The chapter of the guide.
pub fn markdown() -> String {
    let mut text = "# What can be pasted\n\n\
        Paste or drop any of these on the page, or give their files to `slabscope inspect`. They are known by their\n\
        structure, not by their names: quotes, prompts, times of logs, colours, diffs, line numbers, wrapped rows and\n\
        tables of Markdown around them are seen through, and several in one text are all found. Every line is told:\n\
        understood, doubtful or left out, with the reason. A text in which nothing is recognised gets the nearest\n\
        format and what is missing.\n\n\
        A file may have up to 100 MB, a paste up to 5 MB. Nothing leaves the page.\n"
        .to_owned();
    for capture in &CAPTURES {
        let name = capture.format.name();
        text += &format!(
            "\n## {}\n\n`{name}` in `slabscope inspect --format json`. {}.\n",
            capture.format.label(),
            capture.what
        );
        for command in capture.commands {
            text += &format!("\n```sh\n{}\n```\n\n{}.\n", command.line, command.cost);
        }
        text += &format!("\nWhat Slabscope makes of it: {}.\n", lower(capture.made));
    }
    text
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_lowercase()).chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_way_to_get_it() {
        for (format, capture) in Format::ALL.into_iter().zip(&CAPTURES) {
            assert_eq!(capture.format, format);
            assert!(!capture.commands.is_empty(), "{format}");
            let sentences =
                capture.commands.iter().map(|command| command.cost).chain([capture.what, capture.made]);
            assert!(sentences.into_iter().all(|text| !text.ends_with('.') && !text.is_empty()), "{format}");
        }
    }
}
