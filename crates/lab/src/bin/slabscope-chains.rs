//! What the browser starts to work out the case of 2016, on longer chains of pages.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| (case == Case::MorePages).then_some(&Part::MORE_PAGES));
}
