//! The chapter on the keyboard is made from the table of commands.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::path::Path;

use slabscope_scenario::act::acts_markdown;

/// Set to write the chapter anew.
const WRITE: &str = "SLABSCOPE_BLESS";

const BEFORE: &str = "# Keyboard

Everything works by keys alone. This chapter is made from the table of commands that the page itself reads: its key
handler, the list under <kbd>?</kbd> and <kbd>Ctrl</kbd> <kbd>k</kbd>, and the names of its buttons.

Letters and other single keys are left alone while you type in a field, and can be switched off in the list of
commands; the browser remembers that. Arrow keys stay with a control that uses them itself, such as a slider. In a
figure within another page nothing is caught until the figure has the focus.

";

const AFTER: &str = "## In the dialog and on the sliders

| key | what it does |
|---|---|
| <kbd>Enter</kbd> | in the search field: runs the first command found |
| <kbd>Esc</kbd> | closes the list; the focus goes back to where it was |
| <kbd>\u{2190}</kbd> <kbd>\u{2192}</kbd> | on the time axis: a step; on an end of the loop: moves it |
| <kbd>Shift</kbd> <kbd>\u{2190}</kbd>, <kbd>Shift</kbd> <kbd>\u{2192}</kbd> | on an end of the loop: moves the end of the range by a hundredth of the run |
| <kbd>Tab</kbd> | goes through everything and leaves the page; nothing holds it |
";

#[test]
fn the_chapter_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs/src/keyboard.md");
    let made = [BEFORE, &acts_markdown(), AFTER].concat();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/src/keyboard.md is out of date: {WRITE}=1 cargo test -p slabscope-tests --test keyboard"
    );
}
