//! What the browser starts to work out the case of 2015, on the order of lists.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| (case == Case::PartialOrdering).then_some(&Part::PARTIAL_ORDERING));
}
