//! The shipped program by itself, and beside the hosts that it writes for.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "a test starts the programs that people start")]

mod connect;
mod demo;
