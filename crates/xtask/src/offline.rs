//! What makes the page work without a network: a manifest, and a service worker that knows the built files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use crate::paths::{dist, root};
use crate::scripts::digest;

/// Name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.webmanifest";

/// Writes the manifest.
///
/// # Errors
/// Trunk left no icon.
pub(crate) fn write_manifest() -> Result<()> {
    let icon = relative_files(&dist())?
        .into_iter()
        .find(|name| name.starts_with("icon") && name.ends_with(".svg"))
        .ok_or_else(|| anyhow!("trunk left no icon"))?;
    let manifest = format!(
        "{{\n  \"name\": \"Slabscope\",\n  \"short_name\": \"Slabscope\",\n  \"description\": \"Exact models of the Linux kernel's zsmalloc, zblock and SLUB\",\n  \
         \"start_url\": \"./\",\n  \"scope\": \"./\",\n  \"display\": \"standalone\",\n  \
         \"icons\": [{{ \"src\": \"./{icon}\", \"sizes\": \"any\", \"type\": \"image/svg+xml\", \"purpose\": \"any\" }}]\n}}\n"
    );
    fs::write(dist().join(MANIFEST), manifest)?;
    Ok(())
}

/// The digest of everything that was built so far.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn build_id() -> Result<String> {
    let files = kept(relative_files(&dist())?);
    let contents = files.iter().map(|name| fs::read(dist().join(name))).collect::<Result<Vec<_>, _>>()?;
    let pieces =
        files.iter().zip(&contents).flat_map(|(name, content)| [name.as_bytes(), content.as_slice()]);
    Ok(digest(pieces))
}

/// Writes the service worker of a finished build, whose pages say this of themselves.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn write_worker(page: &str) -> Result<()> {
    let source = root().join("web/js/sw.js");
    let source = fs::read_to_string(&source).with_context(|| source.display().to_string())?;
    let worker = filled(&source, &build_id()?, page, &kept(relative_files(&dist())?));
    fs::write(dist().join("sw.js"), worker)?;
    Ok(())
}

fn filled(source: &str, build: &str, page: &str, files: &[String]) -> String {
    let list: Vec<String> = files.iter().map(|file| format!("\"{file}\"")).collect();
    source.replace("@BUILD@", build).replace("@PAGE@", page).replace("/*@FILES@*/", &list.join(", "))
}

/// Files that the page itself loads: not the worker that keeps them, not the script for other people's pages, which
/// those load, and not the guide.
fn kept(files: Vec<String>) -> Vec<String> {
    let is_kept = |name: &String| {
        !["sw.js", "embed.js"].contains(&name.as_str())
            && !name.starts_with("guide/")
            && ![".gz", ".br"].iter().any(|ending| name.ends_with(ending))
    };
    files.into_iter().filter(is_kept).collect()
}

/// Every file under a folder, as paths with slashes, in order.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn relative_files(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let path = inner.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                files.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worker_knows_what_the_page_loads_and_nothing_else() {
        let built =
            ["embed.html", "embed.js", "guide/a.html", "index.html", "index.html.gz", "sw.js", "w/b.wasm"];
        let kept = kept(built.map(str::to_owned).to_vec());
        assert_eq!(kept, ["embed.html", "index.html", "w/b.wasm"]);
        let worker = filled("\"@BUILD@\", \"@PAGE@\"; [/*@FILES@*/];", "1f", "0.1+2", &kept);
        assert_eq!(worker, "\"1f\", \"0.1+2\"; [\"embed.html\", \"index.html\", \"w/b.wasm\"];");
    }
}
