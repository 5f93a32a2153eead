//! The binary `countersign`: one command, one file.

fn main() {}
