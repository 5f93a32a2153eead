//! The authorization server and connections, end to end below HTTP, on both engines.
#![cfg(test)]

mod connection;
mod consent;
mod document;
mod exchange;
mod host;
mod refresh;
mod silence;
mod world;
