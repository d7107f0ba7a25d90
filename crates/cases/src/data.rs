//! The sizes and operations that cases run on.

use std::collections::BTreeMap;
use std::fmt;

use slabscope_core::ops::Ops;

use crate::bits::operations;
use crate::histogram::Histogram;

/// Named contents of files of this crate's folder `data`.
///
/// The command line has them all built in ([`Data::embedded`]). A page fetches what [`Run::needs`](crate::Run::needs)
/// names when a case is opened, and hands it over by [`Data::insert`].
#[derive(Clone, Debug, Default)]
pub struct Data {
    files: BTreeMap<String, Vec<u8>>,
}

/// Operations of [`CHURN`].
const CHURN_OPERATIONS: usize = 100_000;

/// The file of the trace whose final pages are known from compiled kernel code.
pub(crate) const CHURN: &str = "churn_100k.bits";

macro_rules! embedded {
    ($($name:literal)+) => {
        /// Every file, by name.
        pub const FILES: &[&str] = &[$($name),+];

        #[cfg(feature = "embedded")]
        const CONTENTS: &[&[u8]] = &[$(include_bytes!(concat!("../data/", $name))),+];
    };
}

embedded! {
    "caches_6.1.tsv"
    "churn_100k.bits"
    "evidence.tsv"
    "glossary.tsv"
    "linux61_max4_classes.tsv"
    "linux61_max8_classes.tsv"
    "sizes/libs_16k_lz4.vlq"
    "sizes/libs_16k_lzo.vlq"
    "sizes/libs_16k_zstd3.vlq"
    "sizes/libs_4k_lz4.vlq"
    "sizes/libs_4k_lzo.vlq"
    "sizes/libs_4k_zstd3.vlq"
    "sizes/linux61_max4.vlq"
    "sizes/linux61_max8.vlq"
    "sizes/procmem_16k_lz4.vlq"
    "sizes/procmem_16k_lzo.vlq"
    "sizes/procmem_16k_zstd3.vlq"
    "sizes/procmem_4k_lz4.vlq"
    "sizes/procmem_4k_lzo.vlq"
    "sizes/procmem_4k_zstd3.vlq"
    "sizes/source_16k_lz4.vlq"
    "sizes/source_16k_lzo.vlq"
    "sizes/source_16k_zstd3.vlq"
    "sizes/source_4k_lz4.vlq"
    "sizes/source_4k_lzo.vlq"
    "sizes/source_4k_zstd3.vlq"
    "sizes/test2016.vlq"
    "sizes/test2016_metadata.vlq"
    "sizes/zram_6.12_fill.vlq"
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataError {
    /// Nobody handed it over.
    Missing(String),
    /// It is not what it should be.
    Malformed(String),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "{name}: this file of a case was not handed over"),
            Self::Malformed(name) => write!(f, "{name}: not a file of a case, or cut short"),
        }
    }
}

impl std::error::Error for DataError {}

impl Data {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { files: BTreeMap::new() }
    }

    /// Everything, as it was built in.
    #[cfg(feature = "embedded")]
    pub fn embedded() -> Self {
        let mut data = Self::new();
        for (name, content) in FILES.iter().zip(CONTENTS) {
            data.insert(name, content.to_vec());
        }
        data
    }

    /// Hands a file over under its name in [`FILES`].
    pub fn insert(&mut self, name: &str, content: Vec<u8>) {
        self.files.insert(name.to_owned(), content);
    }

    /// The content of a file.
    ///
    /// # Errors
    /// Nobody handed it over.
    pub fn file(&self, name: &str) -> Result<&[u8], DataError> {
        self.files.get(name).map(Vec::as_slice).ok_or_else(|| DataError::Missing(name.to_owned()))
    }

    /// Sizes by the name of their file without folder and ending.
    ///
    /// # Errors
    /// The file is missing or malformed.
    pub fn sizes(&self, name: &str) -> Result<Histogram, DataError> {
        let name = sizes_file(name);
        Histogram::unpack(self.file(&name)?).ok_or(DataError::Malformed(name))
    }

    /// The 100,000 random operations on which compiled kernels were run.
    ///
    /// # Errors
    /// The file is missing or malformed.
    pub fn churn(&self) -> Result<Ops, DataError> {
        operations(self.file(CHURN)?, CHURN_OPERATIONS).ok_or_else(|| DataError::Malformed(CHURN.to_owned()))
    }

    /// Rows of a table of numbers behind a first column of any kind, without its heading.
    pub(crate) fn table<const N: usize>(&self, name: &str) -> Result<Vec<(String, [u64; N])>, DataError> {
        let malformed = || DataError::Malformed(name.to_owned());
        let text = std::str::from_utf8(self.file(name)?).map_err(|_| malformed())?;
        let row = |line: &str| {
            let (first, rest) = line.split_once('\t')?;
            let mut numbers = [0; N];
            let mut cells = rest.split('\t');
            for number in &mut numbers {
                *number = cells.next()?.parse().ok()?;
            }
            Some((first.to_owned(), numbers))
        };
        let rows: Vec<_> =
            text.lines().skip(1).map(|line| row(line).ok_or_else(malformed)).collect::<Result<_, _>>()?;
        if rows.is_empty() { Err(malformed()) } else { Ok(rows) }
    }
}

/// The file of a histogram.
pub(crate) fn sizes_file(name: &str) -> String {
    format!("sizes/{name}.vlq")
}
