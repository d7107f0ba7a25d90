//! What the browser starts.

fn main() {
    slabscope_web::run();
}
