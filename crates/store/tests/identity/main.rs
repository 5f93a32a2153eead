//! People, sessions, projects and tokens in the store, on both engines.
#![cfg(test)]

mod access;
mod fixture;
mod person;
mod project;
mod session;
mod setup;
mod token;
