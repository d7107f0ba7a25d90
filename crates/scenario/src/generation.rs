//! The generations of each allocator as entries of a picker, and the defaults that go with them.

use crate::choice::{Allocator, Choice};
use crate::param::Key;
use crate::side::Side;

/// A generation: its entry in a picker and what its kernels were configured with.
pub(crate) struct Generation {
    pub(crate) choice: Choice,
    /// zsmalloc: pages per zspage unless configured otherwise.
    pub(crate) max_pages: u64,
    /// Physical address bits of a 64-bit kernel.
    pub(crate) phys_bits: u64,
}

const fn generation(value: &'static str, label: &'static str, max_pages: u64, phys_bits: u64) -> Generation {
    Generation { choice: Choice { value, label }, max_pages, phys_bits }
}

const ZSMALLOC: [Generation; 11] = [
    generation("4.2", "4.2", 4, 46),
    generation("4.2-rfc3", "4.2 with the posted series", 4, 46),
    generation("4.2-rfc3af", "4.2 with the posted series, almost full first", 4, 46),
    generation("4.5", "4.3 to 4.5", 4, 46),
    generation("4.5-head", "4.5, always at the head", 4, 46),
    generation("4.5-behind", "4.5, behind the head", 4, 46),
    generation("4.5-afhead", "4.5, almost full at the head", 4, 46),
    generation("4.5-afheadbehind", "4.5, almost full at the head, others behind", 4, 46),
    generation("6.1", "4.9 to 6.1", 4, 52),
    generation("6.6", "6.4 to 6.6", 8, 52),
    generation("6.12", "6.12 to 7.1", 8, 52),
];

const ZBLOCK: [Generation; 9] = [
    generation("2022", "2022, mm-unstable", 0, 52),
    generation("v1", "v1 (inferred)", 0, 52),
    generation("v2", "v2", 0, 52),
    generation("v3", "v3", 0, 52),
    generation("v4", "v4", 0, 52),
    generation("mm0502", "mm tree, 2 May 2025", 0, 52),
    generation("mm0507", "mm tree, 7 May 2025", 0, 52),
    generation("mm0508", "mm tree, 8 May 2025", 0, 52),
    generation("rust", "Rust", 0, 52),
];

const SLUB: [Generation; 5] = [
    generation("2.6.26", "2.6.26", 0, 46),
    generation("2.6.26+rfc-order", "2.6.26, one order more (2008 RFC)", 0, 46),
    generation("2.6.26+rfc-skip", "2.6.26, skip wasteful orders (2008)", 0, 46),
    generation("classic", "2.6.30 to 6.6", 0, 46),
    generation("modern", "6.7 and later", 0, 52),
];

/// Those of an allocator, in the order of its picker.
pub(crate) fn all(allocator: Allocator) -> &'static [Generation] {
    match allocator {
        Allocator::Zsmalloc => &ZSMALLOC,
        Allocator::Zblock => &ZBLOCK,
        Allocator::Slub => &SLUB,
    }
}

/// The one that is meant where nothing is said.
pub(crate) const fn default_name(allocator: Allocator) -> &'static str {
    match allocator {
        Allocator::Zsmalloc => "6.12",
        Allocator::Zblock => "mm0508",
        Allocator::Slub => "modern",
    }
}

/// Other ways to name one, with what to tell the reader about it: a form turned `+` into a space.
pub(crate) fn other_name(allocator: Allocator, text: &str) -> Option<(&'static str, String)> {
    let name = text.replace(' ', "+");
    let found = all(allocator).iter().find(|generation| generation.choice.value == name)?;
    Some((found.choice.value, format!("read as {name}")))
}

/// The chosen one.
pub(crate) fn of(side: &Side) -> Option<&'static Generation> {
    let name = side.text(Key::Era);
    all(side.allocator()).iter().find(|generation| generation.choice.value == name)
}
