//! What the browser starts as the exporter's worker.

fn main() {
    slabscope_exporter::start();
}
