//! The guide: an mdBook beside the page, whose figures are the page itself, and a check of its links.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::page;
use crate::paths::{dist, root};
use crate::process::{command, run, say};
use crate::setup::{self, Need};

/// Builds `dist/guide`, and the page first if there is none.
///
/// # Errors
/// A tool is missing or fails, or a link leads nowhere.
pub(crate) fn build() -> Result<()> {
    setup::ensure(&[Need::Book])?;
    if !dist().join("embed.js").exists() {
        page::build()?;
    }
    let guide = dist().join("guide");
    let target = guide.to_string_lossy().into_owned();
    run(command("mdbook", &["build", "--dest-dir", &target, &root().join("docs").to_string_lossy()])?)?;
    let pages = pages(&guide)?;
    let dead = dead_links(&pages);
    if !dead.is_empty() {
        bail!("links of the guide that lead nowhere:\n{}", dead.join("\n"));
    }
    say(&format!("the guide has {} pages, and every link in them leads somewhere", pages.len()));
    Ok(())
}

/// The pages of the guide with their text. The page for what is not found is left out: it is shown at any address.
fn pages(guide: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut pages = BTreeMap::new();
    for entry in fs::read_dir(guide).context("mdbook wrote nothing")? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") && !path.ends_with("404.html") {
            let text = fs::read_to_string(&path)?;
            pages.insert(path, text);
        }
    }
    Ok(pages)
}

/// Every link to a file that is not there, or to a place that its page does not have.
fn dead_links(pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut dead = Vec::new();
    for (page, text) in pages {
        for link in links(text) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let file = file.split('?').next().unwrap_or_default();
            let target = if file.is_empty() { page.clone() } else { resolved(page, file) };
            let has_place = match pages.get(&target) {
                Some(target) => place.is_empty() || target.contains(&format!("id=\"{place}\"")),
                None => target.exists(),
            };
            if !has_place {
                dead.push(format!("{}: {link}", page.file_name().unwrap_or_default().to_string_lossy()));
            }
        }
    }
    dead
}

/// Links within the site.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let values = |name: &'static str| {
        text.match_indices(name).filter_map(move |(at, _)| text[at + name.len()..].split('"').next())
    };
    let elsewhere = |link: &&str| !link.is_empty() && !link.contains(':') && !link.starts_with("//");
    values(" href=\"").chain(values(" src=\"")).filter(elsewhere)
}

/// The file that a link from a page means.
fn resolved(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(page).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    if link.ends_with('/') { path.join("index.html") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let page = |text: &str| text.to_owned();
        let pages = BTreeMap::from([
            (PathBuf::from("g/a.html"), page("<a href=\"b.html#x\"><a href=\"b.html#y\"><a href=\"#z\">")),
            (PathBuf::from("g/b.html"), page("<h2 id=\"x\"><a href=\"http://c/\"><img src=\"../none.svg\">")),
        ]);
        assert_eq!(dead_links(&pages), ["a.html: b.html#y", "a.html: #z", "b.html: ../none.svg"]);
        assert_eq!(resolved(Path::new("d/guide/a.html"), "../"), PathBuf::from("d/index.html"));
    }
}
