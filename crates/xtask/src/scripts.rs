//! Scripts written by hand, and the workers' place: names that change with what is in them, so that no browser
//! joins files of two builds.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

use crate::offline::relative_files;
use crate::paths::{dist, root};

/// Where the built page finds what trunk knows nothing of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// The script of the page.
    pub(crate) page: String,
    /// The script of a figure.
    pub(crate) framed: String,
    /// The folder of the workers, with a slash at its end.
    pub(crate) workers: String,
}

/// Puts them into `dist`.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn place() -> Result<Names> {
    let style = place_hashed("web/styles/share.css", &[])?;
    let share = place_hashed("web/js/share.js", &[("share.css", &style)])?;
    let page = place_hashed("web/js/page.js", &[("share.js", &share)])?;
    let framed = place_hashed("web/js/framed.js", &[])?;
    // Other people's pages name this one, so its name stays.
    let embed = root().join("web/js/embed.js");
    fs::copy(&embed, dist().join("embed.js")).with_context(|| embed.display().to_string())?;
    Ok(Names { page, framed, workers: move_workers()? })
}

/// Writes a source under a name with its digest, with other names in it replaced.
fn place_hashed(source: &str, names: &[(&str, &str)]) -> Result<String> {
    let path = root().join(source);
    let text = fs::read_to_string(&path).with_context(|| source.to_owned())?;
    let text = names.iter().fold(without_comments(&text), |text, (plain, hashed)| {
        text.replace(&format!("\"./{plain}\""), &format!("\"./{hashed}\""))
    });
    let name = hashed_name(&path, text.as_bytes());
    fs::write(dist().join(&name), text)?;
    Ok(name)
}

/// Without the lines that only speak to who reads the source.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/")
    };
    text.lines().filter(|line| !is_comment(line) && !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

fn hashed_name(path: &Path, content: &[u8]) -> String {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    format!("{}-{}.{}", part(path.file_stem()), digest([content]), part(path.extension()))
}

/// The first digits of the digest of some pieces.
pub(crate) fn digest<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for piece in pieces {
        hasher.update((piece.len() as u64).to_le_bytes());
        hasher.update(piece);
    }
    hasher.finalize().iter().take(5).map(|byte| format!("{byte:02x}")).collect()
}

/// Trunk gives workers names without a digest, and their files name each other; their folder has one instead. What
/// they fetch lies beside them.
fn move_workers() -> Result<String> {
    let is_of_workers = |name: &String| {
        name.starts_with("cases/") || name.starts_with("slabscope-") && !name.starts_with("slabscope-web")
    };
    let files: Vec<String> = relative_files(&dist())?.into_iter().filter(is_of_workers).collect();
    let contents = files.iter().map(|name| fs::read(dist().join(name))).collect::<Result<Vec<_>, _>>()?;
    let folder = format!("workers-{}/", digest(contents.iter().map(Vec::as_slice)));
    for name in files {
        let target = dist().join(&folder).join(&name);
        fs::create_dir_all(target.parent().unwrap_or(&target))?;
        fs::rename(dist().join(&name), target)?;
    }
    // Empty by now, if it was there.
    let _ = fs::remove_dir_all(dist().join("cases"));
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_of_comment_are_left_out() {
        let source =
            "// why\n/** what */\nconst a = \"// no\"; // kept\n\n  /* in */ b();\n/* of two\nlines */\n";
        assert_eq!(
            without_comments(source),
            "const a = \"// no\"; // kept\n  /* in */ b();\n/* of two\nlines */\n"
        );
    }

    #[test]
    fn a_name_changes_with_the_content_and_pieces_are_told_apart() {
        let name = hashed_name(Path::new("web/js/page.js"), b"a");
        assert!(name.starts_with("page-") && name.ends_with(".js"), "{name}");
        assert_ne!(name, hashed_name(Path::new("web/js/page.js"), b"b"));
        assert_ne!(digest([&b"ab"[..], b"c"]), digest([&b"a"[..], b"bc"]));
    }
}
