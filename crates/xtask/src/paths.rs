//! Folders of the checkout.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The checkout.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// Where tools are installed; git ignores it.
pub(crate) fn tools() -> PathBuf {
    root().join(".tools")
}

/// The built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// `PATH` with the project's tools in front.
pub(crate) fn path_with_tools() -> Result<OsString> {
    let own = [tools().join("bin")];
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(own.into_iter().chain(env::split_paths(&inherited))).context("PATH cannot be extended")
}

/// A program on `PATH`, the first of these names that exists.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}
