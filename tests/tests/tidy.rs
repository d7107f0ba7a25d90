//! What must stay true of the sources, and what no compiler checks.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use slabscope_charts::theme::Theme;

/// Longest file of code, in lines: beyond it a reader loses the purpose.
const LONGEST: usize = 600;

/// Largest sum of the repository's test data, in bytes.
const MOST_DATA: u64 = 5_000_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Files below the folders that hold sources, sorted, with those of an ending.
fn files(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no {ending} in {folders:?}");
    found
}

/// Files for which a check says what is wrong.
fn faults(files: &[PathBuf], check: impl Fn(&Path, &str) -> Option<String>) -> Vec<String> {
    files
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).unwrap();
            let why = check(path, &text)?;
            Some(format!("{}: {why}", path.strip_prefix(root()).unwrap().display()))
        })
        .collect()
}

const CODE: [&str; 3] = ["crates", "tests", "web"];

#[test]
fn every_file_says_its_purpose_first() {
    let wrong = faults(&files(&CODE, ".rs"), |_, text| {
        (!text.starts_with("//! ")).then(|| "does not begin with //!".to_owned())
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn files_are_short() {
    let wrong = faults(&files(&CODE, ".rs"), |_, text| {
        let lines = text.lines().count();
        (lines > LONGEST).then(|| format!("{lines} lines, more than {LONGEST}"))
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn no_line_ends_in_blanks() {
    let mut all = files(&CODE, ".rs");
    all.extend(files(&["web"], ".css"));
    let wrong = faults(&all, |_, text| {
        let at = text.lines().position(|line| line.ends_with([' ', '\t']))?;
        Some(format!("line {} ends in a blank", at + 1))
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn core_depends_on_nothing() {
    let manifest = fs::read_to_string(root().join("crates/core/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let named =
        dependencies.lines().take_while(|line| !line.starts_with('[')).filter(|line| line.contains('='));
    assert_eq!(named.collect::<Vec<_>>(), [""; 0]);
    assert!(!manifest.contains("build-dependencies"));
}

#[test]
fn core_has_no_clock_and_no_io() {
    let wrong = faults(&files(&["crates/core/src"], ".rs"), |_, text| {
        let banned =
            ["std::time", "std::fs", "std::io", "std::env", "std::net", "std::thread", "HashMap", "HashSet"];
        banned.iter().find(|name| text.contains(**name)).map(|name| format!("uses {name}"))
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn colours_are_the_same_in_pictures_and_in_the_style_sheet() {
    let sheet = fs::read_to_string(root().join("web/styles/tokens.css")).unwrap();
    for (theme, blocks) in [(Theme::Light, 1), (Theme::Dark, 2)] {
        for (token, [red, green, blue]) in theme.tokens() {
            let line = format!("--{token}: #{red:02x}{green:02x}{blue:02x};");
            assert!(sheet.matches(&line).count() >= blocks, "tokens.css: {line} is not there {blocks} times");
        }
    }
}

#[test]
fn only_the_tokens_name_colours() {
    let is_colour = |word: &str| {
        let digits = word.trim_start_matches('#').bytes().take_while(u8::is_ascii_hexdigit).count();
        matches!(digits, 3 | 4 | 6 | 8)
    };
    let sheets: Vec<PathBuf> =
        files(&["web"], ".css").into_iter().filter(|path| !path.ends_with("tokens.css")).collect();
    let wrong = faults(&sheets, |_, text| {
        let declared = text.lines().filter(|line| line.contains(':') && line.trim_end().ends_with(';'));
        let named = declared.filter(|line| {
            line.match_indices('#').any(|(at, _)| is_colour(&line[at..]))
                || line.contains("rgb(")
                || line.contains("hsl(")
        });
        named.map(str::to_owned).next()
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn no_style_attribute_stands_in_the_page() {
    let wrong = faults(&files(&["web/src"], ".rs"), |_, text| {
        [" style={", " style=\""]
            .iter()
            .find(|attribute| text.contains(**attribute))
            .map(|found| (*found).to_owned())
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn test_data_stays_small() {
    let bytes: u64 =
        files(&["tests/testdata"], "").iter().map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(bytes < MOST_DATA, "{bytes} bytes of test data");
}
