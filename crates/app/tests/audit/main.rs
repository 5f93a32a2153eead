//! The audit log sealed, tampered with, verified, read and exported, on both engines.
#![cfg(test)]

mod house;
mod read;
mod seal;
mod tamper;
mod walk;
