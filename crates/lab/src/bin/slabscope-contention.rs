//! What the browser starts to work out the case of 2024, on locks.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| (case == Case::Locks).then_some(&Part::LOCKS));
}
