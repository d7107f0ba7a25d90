//! What the browser starts as the second worker.

fn main() {
    slabscope_lab::start();
}
