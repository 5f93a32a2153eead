//! The machine endpoints as a stranger sees them: black-box over HTTP, on both engines.
#![cfg(test)]

mod attack;
mod authorize;
mod document;
mod register;
mod server;
mod token;
