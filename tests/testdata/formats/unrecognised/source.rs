fn main() {
    let class = 1; let size = 32;
    println!("{class} {size}");
}
