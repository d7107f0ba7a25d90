//! What the browser starts to read what was pasted.

fn main() {
    slabscope_lab::start_reader();
}
