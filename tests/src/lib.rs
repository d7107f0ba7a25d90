//! Test data, and what the suites share.

pub mod digest;
#[cfg(not(target_arch = "wasm32"))]
pub mod fuzz;
pub mod onlooker;
pub mod slow_slub;
pub mod slow_zblock;
pub mod slow_zsmalloc;
pub mod slub;
pub mod zblock;
pub mod zsmalloc;

use std::io;
use std::path::PathBuf;

/// Test data of the repository.
pub fn testdata(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path)
}

/// The text of a file of the repository's test data.
///
/// # Errors
/// It is not there.
pub fn data(path: &str) -> io::Result<String> {
    let path = testdata(path);
    std::fs::read_to_string(&path).map_err(|error| io::Error::other(format!("{}: {error}", path.display())))
}

/// A file of the full golden data, if its folder is named by `SLABSCOPE_GOLDEN`.
///
/// The repository holds digests of those files; who has them compares byte for byte.
pub fn golden(path: &str) -> Option<String> {
    let folder = std::env::var_os("SLABSCOPE_GOLDEN")?;
    std::fs::read_to_string(PathBuf::from(folder).join(path)).ok()
}
