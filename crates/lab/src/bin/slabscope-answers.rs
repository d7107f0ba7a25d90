//! What the browser starts to answer for what was read.

fn main() {
    slabscope_lab::start_answers();
}
