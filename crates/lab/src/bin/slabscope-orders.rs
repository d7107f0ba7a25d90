//! What the browser starts to work out the case of 2008, on orders of slabs.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| (case == Case::SlubOrder).then_some(&Part::SLUB_ORDER));
}
