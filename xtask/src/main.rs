//! House rules that the compiler does not know: `cargo xtask tidy`.

fn main() {}
