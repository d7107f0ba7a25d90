//! Standard output and input files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, StdoutLock};

use crate::fail::Failure;

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Tab-separated values with a heading
    Tsv,
    /// Aligned columns
    Text,
    /// JSON
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

/// Files above this are refused.
const LARGEST: u64 = 100 << 20;

/// The whole text of a file, or of standard input for `-`; bytes that are no UTF-8 are replaced.
///
/// # Errors
/// It cannot be read, or is larger than 100 MB.
pub(crate) fn read_text(path: &str) -> Result<String, Failure> {
    let mut content = Vec::new();
    open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut content)
        .map_err(|error| Failure::Input(format!("{}: {error}", name_of(path))))?;
    if content.len() as u64 > LARGEST {
        return Err(Failure::Input(format!("{}: larger than 100 MB", name_of(path))));
    }
    Ok(String::from_utf8(content)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// What messages call an input.
pub(crate) fn name_of(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}
