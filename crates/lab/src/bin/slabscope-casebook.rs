//! What the browser starts to work out cases.

fn main() {
    slabscope_lab::start_casebook();
}
