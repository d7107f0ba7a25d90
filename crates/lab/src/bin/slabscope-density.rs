//! What the browser starts to work out the case of 2025, on zblock.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| (case == Case::Zblock).then_some(&Part::ZBLOCK));
}
