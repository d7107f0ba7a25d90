//! What the browser starts as a worker.

fn main() {
    slabscope_worker::start();
}
