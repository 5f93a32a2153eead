//! Set-up, sign-in, sessions, projects, members and tokens, through the use cases, on both engines.
#![cfg(test)]

mod account;
mod again;
mod audit;
mod fixture;
mod invitation;
mod member;
mod owner;
mod passkey;
mod password;
mod project;
mod readiness;
mod session;
mod setup;
mod sign_in;
mod token;
