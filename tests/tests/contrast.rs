//! Colours that carry text or borders stand out enough, in both themes.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use slabscope_charts::theme::{Rgb, Role, Theme};

/// Relative luminance as the Web Content Accessibility Guidelines define it.
fn luminance(colour: Rgb) -> f64 {
    let [red, green, blue] = colour.map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The value of a token of the style sheet: in light the first, in dark the last.
fn token(name: &str, theme: Theme) -> Rgb {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("web/styles/tokens.css");
    let sheet = fs::read_to_string(path).unwrap();
    let start = format!("--{name}: #");
    let mut values = sheet.split(&start).skip(1).map(|rest| &rest[..6]);
    let value = if theme == Theme::Light { values.next() } else { values.last() };
    let digits = u32::from_str_radix(value.unwrap(), 16).unwrap().to_be_bytes();
    [digits[1], digits[2], digits[3]]
}

const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];

#[test]
fn text_has_four_and_a_half_to_one() {
    let texts =
        ["ink", "ink-2", "ink-3", "accent", "bad", "say-handle", "say-rounding", "say-tail", "say-empty"];
    for theme in THEMES {
        for text in texts {
            for ground in ["paper", "panel"] {
                let found = contrast(token(text, theme), token(ground, theme));
                assert!(found >= 4.5, "{text} on {ground}, {theme:?}: {found:.2}");
            }
        }
        let marked = contrast(token("ink", theme), token("accent-soft", theme));
        assert!(marked >= 4.5, "what is marked, {theme:?}: {marked:.2}");
        let strong = contrast(token("accent-ink", theme), token("accent", theme));
        assert!(strong >= 4.5, "the strong button, {theme:?}: {strong:.2}");
    }
}

#[test]
fn borders_and_marks_have_three_to_one() {
    for theme in THEMES {
        for (mark, ground) in [
            ("edge", "paper"),
            ("edge", "panel"),
            ("accent", "paper"),
            ("full-huge", "paper"),
            ("use-tail", "paper"),
        ] {
            let found = contrast(token(mark, theme), token(ground, theme));
            assert!(found >= 3.0, "{mark} on {ground}, {theme:?}: {found:.2}");
        }
    }
}

#[test]
fn numbers_on_bars_can_be_read() {
    for theme in THEMES {
        for groups in [4, 5, 12] {
            for group in 0..groups {
                let fill = theme.fullness(group, groups);
                let found = contrast(theme.colour(theme.text_on(fill)), fill);
                assert!(found >= 4.5, "group {group} of {groups}, {theme:?}: {found:.2}");
            }
        }
        let huge = theme.colour(Role::Huge);
        assert!(contrast(theme.colour(theme.text_on(huge)), huge) >= 4.5);
    }
}
