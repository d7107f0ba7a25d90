//! What the browser starts to work out the cases of 2008 and 2015, on orders of slabs and of lists.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| match case {
        Case::SlubOrder => Some(&Part::SLUB_ORDER),
        Case::PartialOrdering => Some(&Part::PARTIAL_ORDERING),
        _ => None,
    });
}
