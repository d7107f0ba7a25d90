//! Standard output and input files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, StdoutLock};

use crate::fail::Failure;

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Tab-separated values with a heading
    Tsv,
    /// Aligned columns
    Text,
    /// One JSON object
    Json,
}

/// Standard output with a buffer.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// A file, or standard input for `-`.
///
/// # Errors
/// It cannot be opened.
pub(crate) fn open(path: &str) -> Result<Box<dyn BufRead>, Failure> {
    if path == "-" {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, io::stdin().lock())));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
        Err(error) => Err(Failure::Input(format!("{path}: {error}"))),
    }
}
