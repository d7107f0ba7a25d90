//! The chapter on what can be pasted is made from the table of captures: `SLABSCOPE_BLESS=1` writes it.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use slabscope_formats::capture::markdown;

#[test]
fn the_chapter_is_the_table() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/formats.md");
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::write(&path, markdown()).unwrap();
    }
    let chapter = std::fs::read_to_string(&path).unwrap();
    assert_eq!(chapter, markdown(), "SLABSCOPE_BLESS=1 cargo test -p slabscope-tests --test formats_page");
}
