//! Compiled files that say nothing of the machine they were made on: without this, panics name the folder in which
//! cargo keeps other people's sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths::{root, target};

/// Between flags in the variable that cargo reads first.
const BETWEEN: &str = "\u{1f}";

/// Has the compiler cut what is before the name of a crate from the places it writes down. Flags of the reader stay.
pub(crate) fn without_folders(build: &mut Command) {
    let named = |variable: &str| env::var(variable).ok().filter(|value| !value.is_empty());
    let own = named("CARGO_ENCODED_RUSTFLAGS").or_else(|| {
        let flags = named("RUSTFLAGS")?;
        Some(flags.split_whitespace().collect::<Vec<_>>().join(BETWEEN))
    });
    let flags: Vec<String> = own.into_iter().chain(flags(&root(), &target(), &sources())).collect();
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join(BETWEEN));
}

/// The last one that fits a path counts, so that a folder stands before those in it.
fn flags(root: &Path, target: &Path, sources: &[PathBuf]) -> Vec<String> {
    let cut = |folder: &Path, name: &str| format!("--remap-path-prefix={}={name}", folder.display());
    let mut flags = vec![cut(root, "."), cut(target, "target")];
    flags.extend(sources.iter().map(|folder| cut(folder, "")));
    flags
}

/// Where cargo unpacks the crates of each registry.
fn sources() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folders = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let mut folders: Vec<PathBuf> =
        folders.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_cut_the_outer_one_first() {
        let flags = flags(Path::new("/a"), Path::new("/a/target"), &[PathBuf::from("/h/registry/src/x")]);
        let cut = ["/a=.", "/a/target=target", "/h/registry/src/x="];
        assert_eq!(flags, cut.map(|cut| format!("--remap-path-prefix={cut}")));
    }
}
