//! The guide: its chapters are there, its figures name scenarios that exist, its reference of link keys is the table's.
//!
//! `SLABSCOPE_BLESS=1 cargo test -p slabscope-tests --test guide` writes the reference anew.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use slabscope_scenario::{PARAMS, parse_fragment, reference_markdown};

fn chapters() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src"))
}

/// Name and text of every chapter.
fn texts() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(chapters()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// What stands between two texts, each time.
fn between<'a>(text: &'a str, before: &'a str, after: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(move |rest| rest.split_once(after)).map(|(inner, _)| inner)
}

#[test]
fn every_chapter_of_the_summary_is_there() {
    let summary = fs::read_to_string(chapters().join("SUMMARY.md")).unwrap();
    let named: Vec<&str> = between(&summary, "](", ")").collect();
    assert!(named.len() > 15);
    for name in named {
        assert!(chapters().join(name).exists(), "{name}");
    }
}

#[test]
fn figures_and_links_name_scenarios_that_are_read_without_a_notice() {
    let mut read = 0;
    for (name, text) in texts() {
        let figures = between(&text, "scenario=\"", "\"");
        let links = between(&text, "embed.html#", "\"").chain(between(&text, "link '#", "'"));
        for fragment in figures.chain(links) {
            let (_, notices) = parse_fragment(&fragment.replace("&amp;", "&"));
            assert!(notices.is_empty(), "{name}: {fragment}: {notices:?}");
            read += 1;
        }
    }
    assert!(read > 10, "{read} figures");
}

#[test]
fn the_reference_of_link_keys_is_that_of_the_table() {
    let path = chapters().join("link-keys.md");
    let head = "# Link keys\n\nMade from the table of parameters; the same table makes the form, the links and the help.\n\n";
    let text = format!("{head}{}\n", reference_markdown().trim_end());
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(PARAMS.iter().all(|param| text.contains(&format!("| `{}` |", param.name))));
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "SLABSCOPE_BLESS=1 writes it anew");
}
