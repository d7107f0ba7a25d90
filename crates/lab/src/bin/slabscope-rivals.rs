//! What the browser starts to work out the cases of 2024 and 2025, on threads and zblock.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| match case {
        Case::Locks => Some(&Part::LOCKS),
        Case::Zblock => Some(&Part::ZBLOCK),
        _ => None,
    });
}
