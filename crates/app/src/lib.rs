//! Use cases behind one gate.
