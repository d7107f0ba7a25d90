//! `slabscope inspect`.

mod json;
mod text;

use std::io::Write as _;

use slabscope_formats::{Nearest, Paste, read};

use crate::fail::Failure;
use crate::output::{name_of, read_text, stdout};
use crate::parallel::in_order;

/// Say what a pasted file is, and what it says
///
/// Recognised by structure, whatever the file is called: zsmalloc's debugfs classes files of every kernel, zram's
/// mm_stat and older attributes, zramctl, zswap's counters and parameters, meminfo, zblock's blocks, slabinfo
/// 1.0 to 2.1, slabtop, tables of the kernel's slabinfo tool, /sys/kernel/slab, kernel command lines with options
/// of the allocators, size histograms (columns, CSV, bpftrace, bcc), and allocation traces (our own text, kmem
/// events of ftrace and perf, bpftrace programs).
///
/// Quotes, prompts, log times, colours, diffs, line numbers, wrapped rows and tables of Markdown are seen through.
/// Several tables in one file are all found. What was inferred, and what does not fit together, is told with its
/// line. Files above 100 MB are refused.
///
/// With --format json each table is one line: file, format, era, rows under the file's own column names, totals,
/// skipped lines with the reason, warnings. A file in which nothing was found is a line too, with the same keys,
/// format null, and with error and nearest.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The files; - reads standard input
    #[arg(required = true)]
    files: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For reading
    Text,
    /// One JSON object per table and line
    Json,
}

/// A file that was read.
struct File {
    name: String,
    text: String,
    paste: Paste,
}

/// A file of which nothing can be told.
struct Bad {
    /// The argument.
    file: String,
    why: String,
    /// The format that it is nearest to, if it is text.
    nearest: Option<Nearest>,
}

/// Inspects each file, several at once; a bad one does not stop the others.
///
/// # Errors
/// In one of them nothing was recognised, or it cannot be read.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = stdout();
    let mut bad = Vec::new();
    in_order(
        &args.files,
        |file| inspect(file),
        |result: Result<File, Bad>| {
            match (result, args.format) {
                (Ok(file), Format::Text) => text::write(&file, &mut out)?,
                (Ok(file), Format::Json) => json::write(&file, &mut out)?,
                (Err(file), format) => {
                    if format == Format::Json {
                        json::write_bad(&file, &mut out)?;
                    }
                    bad.push(file.why);
                }
            }
            Ok::<(), Failure>(())
        },
    )?;
    out.flush()?;
    Failure::of_files(&bad, args.files.len())
}

fn inspect(file: &str) -> Result<File, Bad> {
    let name = name_of(file);
    let bad = |why| Bad { file: file.to_owned(), why, nearest: None };
    let text = read_text(file).map_err(|error| bad(error.to_string()))?;
    let paste = read(&text);
    match paste.nearest() {
        Some(nearest) => Err(Bad {
            nearest: Some(nearest.clone()),
            ..bad(format!("{name}: nothing recognised; {nearest}"))
        }),
        None => Ok(File { name: file.to_owned(), text, paste }),
    }
}
