//! Why a command ends with status 1.

use std::fmt;
use std::io;

use slabscope_formats::replay::ReplayError;

/// One line on standard error.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is bad, or cannot be read.
    Input(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(line) => f.write_str(line),
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

/// Bad files that one line names; more are counted.
const NAMED: usize = 4;

impl Failure {
    /// Why some of so many files are bad, if any is.
    ///
    /// # Errors
    /// One is.
    pub(crate) fn of_files(bad: &[String], files: usize) -> Result<(), Self> {
        if bad.is_empty() {
            return Ok(());
        }
        let mut why = bad.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
        if bad.len() > NAMED {
            why += &format!("; and {} more bad of {files} files", bad.len() - NAMED);
        }
        Err(Self::Input(why))
    }

    /// Bad input.
    pub(crate) fn input(error: impl fmt::Display) -> Self {
        Self::Input(error.to_string())
    }

    /// A replay that stopped, with the name of its input.
    pub(crate) fn replay(file: &str, error: ReplayError) -> Self {
        match error {
            ReplayError::Output(error) => Self::Output(error),
            ReplayError::Trace(error) => Self::Input(format!("{file}: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
