//! Attacks on sign-in and consent as a stranger would try them: black-box over HTTP against a server process, with
//! names and hosts of strangers that the test plays. docs/oauth-attacks.md says which row is proved where.
#![cfg(test)]

mod consent;
mod document;
mod inside;
mod requests;
mod secret;
mod stage;
