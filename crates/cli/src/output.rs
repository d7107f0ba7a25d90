//! Standard output and input files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, StdoutLock};

use slabscope_core::tell::grouped;
use slabscope_formats::{LONGEST_TEXT, decode};

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

/// The whole text of a file, or of standard input for `-`, in any encoding of Unicode.
///
/// # Errors
/// It cannot be read, is larger than the limit of the readers, or is no text.
pub(crate) fn read_text(path: &str) -> Result<String, Failure> {
    let mut content = Vec::new();
    open(path)?
        .take(LONGEST_TEXT as u64 + 1)
        .read_to_end(&mut content)
        .map_err(|error| Failure::Input(format!("{}: {error}", name_of(path))))?;
    if content.len() > LONGEST_TEXT {
        let limit = grouped(LONGEST_TEXT as u64);
        let why = format!("{}: larger than the limit of 100 MB ({limit} bytes)", name_of(path));
        return Err(Failure::Input(why));
    }
    let text = decode(&content).map_err(|why| Failure::Input(format!("{}: {why}", name_of(path))))?;
    Ok(text.into_owned())
}

/// What messages call an input.
pub(crate) fn name_of(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}
