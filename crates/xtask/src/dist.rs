//! A release: site, guide, command-line program and their words in one archive, the same bytes for the same sources.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use brotli::CompressorWriter;
use flate2::{Compression, GzBuilder};
use sha2::{Digest as _, Sha256};
use tar::{Builder, EntryType, Header};

use crate::offline::relative_files;
use crate::paths::{dist, root, target};
use crate::process::{cargo, output_of, run, say};
use crate::{docs, page, places};

/// Files that are worth compressing, by their ending.
const TEXTS: [&str; 9] = ["html", "js", "css", "wasm", "svg", "json", "webmanifest", "txt", "md"];

/// Files that go along, beside site and program.
const WORDS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds everything and writes the archive.
///
/// # Errors
/// A build fails, or a file cannot be written.
pub(crate) fn build() -> Result<()> {
    let time = time_of_sources()?;
    page::build()?.check()?;
    docs::build()?;
    let mut program = cargo(&["build", "--release", "--bin", "slabscope"])?;
    places::without_folders(&mut program);
    run(program)?;
    compress(&dist())?;
    let name = format!("slabscope-{}", env!("CARGO_PKG_VERSION"));
    let archive = target().join(format!("{name}.tar.gz"));
    let mut members: Vec<(String, PathBuf)> =
        WORDS.iter().map(|file| ((*file).to_owned(), root().join(file))).collect();
    let program = format!("slabscope{}", std::env::consts::EXE_SUFFIX);
    members.push((format!("bin/{program}"), target().join("release").join(&program)));
    members
        .extend(relative_files(&dist())?.into_iter().map(|file| (format!("site/{file}"), dist().join(file))));
    write_archive(&archive, &name, time, &members)?;
    let digest: String =
        Sha256::digest(fs::read(&archive)?).iter().map(|byte| format!("{byte:02x}")).collect();
    say(&format!("{digest}  {}", archive.display()));
    Ok(())
}

/// Writes a gzip and a brotli copy beside each file that is worth it, for servers that hand them out.
fn compress(folder: &Path) -> Result<()> {
    let (mut plain, mut brotli) = (0, 0);
    for name in relative_files(folder)? {
        if !TEXTS.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            continue;
        }
        let content = fs::read(folder.join(&name))?;
        // Without a name and a time in it, equal files give equal copies.
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
        gzip.write_all(&content)?;
        fs::write(folder.join(format!("{name}.gz")), gzip.finish()?)?;
        let mut small = Vec::new();
        CompressorWriter::new(&mut small, 1 << 16, 11, 22).write_all(&content)?;
        plain += content.len();
        brotli += small.len();
        fs::write(folder.join(format!("{name}.br")), small)?;
    }
    say(&format!("compressed: {plain} bytes as {brotli} with brotli; gzip copies beside them"));
    Ok(())
}

/// When the sources were committed, in seconds since 1970, or what the usual variable says. It is not always the same,
/// since servers take a file of another time for another file, and of the same time and size for the same.
fn time_of_sources() -> Result<u64> {
    let folder = root();
    let named = std::env::var("SOURCE_DATE_EPOCH").ok();
    named
        .or_else(|| {
            output_of(Path::new("git"), &["-C", &folder.to_string_lossy(), "log", "-1", "--format=%ct"])
        })
        .and_then(|seconds| seconds.parse().ok())
        .ok_or_else(|| anyhow!("git does not say when this was committed: set SOURCE_DATE_EPOCH, in seconds"))
}

/// Members in the order of their names, of nobody, and all of one time.
fn write_archive(path: &Path, name: &str, time: u64, members: &[(String, PathBuf)]) -> Result<()> {
    let mut members: Vec<&(String, PathBuf)> = members.iter().collect();
    members.sort();
    let gzip = GzBuilder::new().write(File::create(path)?, Compression::best());
    let mut archive = Builder::new(gzip);
    for (member, file) in members {
        let content = fs::read(file).with_context(|| file.display().to_string())?;
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_size(content.len() as u64);
        header.set_mode(if member.starts_with("bin/") { 0o755 } else { 0o644 });
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{name}/{member}"), content.as_slice())?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_same_files_give_the_same_archive() {
        let folder = std::env::temp_dir().join(format!("slabscope-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("b.txt"), "two").unwrap();
        fs::write(folder.join("a.html"), "one ".repeat(100)).unwrap();
        let members = |names: [&str; 2]| names.map(|name| (name.to_owned(), folder.join(name))).to_vec();
        write_archive(&folder.join("1.tar.gz"), "x-1", 7, &members(["b.txt", "a.html"])).unwrap();
        fs::write(folder.join("b.txt"), "two").unwrap();
        write_archive(&folder.join("2.tar.gz"), "x-1", 7, &members(["a.html", "b.txt"])).unwrap();
        write_archive(&folder.join("3.tar.gz"), "x-1", 8, &members(["a.html", "b.txt"])).unwrap();
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        assert_eq!(read("1.tar.gz"), read("2.tar.gz"));
        assert_ne!(read("1.tar.gz"), read("3.tar.gz"));
        compress(&folder).unwrap();
        assert!(
            read("a.html.br").len() < 40 && read("a.html.gz").len() < 60 && folder.join("b.txt.br").exists()
        );
        assert!(!folder.join("1.tar.gz.gz").exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
