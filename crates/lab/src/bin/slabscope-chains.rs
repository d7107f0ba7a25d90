//! What the browser starts to work out the case of 2016, on longer chains of pages.

use slabscope_cases::{Case, Part};

fn main() {
    slabscope_lab::start_casebook(|case| match case {
        Case::MorePages => Some(&Part::MORE_PAGES),
        _ => None,
    });
}
