//! zsmalloc's debugfs `classes` file, written as the kernel prints it.

use std::io::{self, Write};

use slabscope_core::zsmalloc::{ClassStats, Grouping, Pool};

/// The columns of a layout with their widths.
struct Layout {
    /// Group columns: heading, width, and the groups they show.
    groups: Vec<(&'static str, usize, usize)>,
    freeable: bool,
}

fn layout(pool: &Pool) -> Layout {
    let rules = pool.rules();
    let groups = match rules.grouping {
        // Full zspages and empty ones are not shown.
        Grouping::Quarters => vec![("almost_full", 11, 2), ("almost_empty", 12, 1)],
        Grouping::Tenths => {
            let names = rules.grouping.names();
            (1..names.len()).map(|group| (names[group], 9, group)).collect()
        }
    };
    Layout { groups, freeable: rules.prints_freeable }
}

/// Writes the file of a pool: heading, a line for each class, a blank line, the sums.
///
/// # Errors
/// The output fails.
pub fn write_classes<W: Write>(pool: &Pool, out: &mut W) -> io::Result<()> {
    let layout = layout(pool);
    write!(out, " {:>5} {:>5}", "class", "size")?;
    for (name, width, _) in &layout.groups {
        write!(out, " {name:>width$}")?;
    }
    write!(
        out,
        " {:>13} {:>10} {:>10} {:>16}",
        "obj_allocated", "obj_used", "pages_used", "pages_per_zspage"
    )?;
    if layout.freeable {
        write!(out, " {:>8}", "freeable")?;
    }
    writeln!(out)?;
    let stats = pool.class_stats();
    for row in &stats {
        write!(out, " {:>5} {:>5}", row.class.index, row.class.size)?;
        write_sums(out, &layout, std::slice::from_ref(row))?;
        write!(out, " {:>16}", row.class.pages)?;
        if layout.freeable {
            write!(out, " {:>8}", row.freeable)?;
        }
        writeln!(out)?;
    }
    write!(out, "\n {:>5} {:>5}", "Total", "")?;
    write_sums(out, &layout, &stats)?;
    if layout.freeable {
        write!(out, " {:>16} {:>8}", "", stats.iter().map(|row| row.freeable).sum::<u64>())?;
    }
    writeln!(out)
}

fn write_sums<W: Write>(out: &mut W, layout: &Layout, rows: &[ClassStats]) -> io::Result<()> {
    for &(_, width, group) in &layout.groups {
        let sum: u64 = rows.iter().map(|row| u64::from(row.groups[group])).sum();
        write!(out, " {sum:>width$}")?;
    }
    let sum = |part: fn(&ClassStats) -> u64| rows.iter().map(part).sum::<u64>();
    write!(
        out,
        " {:>13} {:>10} {:>10}",
        sum(|row| row.obj_allocated),
        sum(|row| row.obj_used),
        sum(|row| row.pages_used)
    )
}
