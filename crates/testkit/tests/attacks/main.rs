//! Attacks on sign-in and consent as a stranger would try them: black-box over HTTP against a server process, with
//! names and hosts of strangers that the test plays; and with what anybody writes, with time and with numbers.
//! docs/oauth-attacks.md and docs/attacks.md say which row is proved where.
#![cfg(test)]

mod clock;
mod clocked;
mod consent;
mod document;
mod injection;
mod inside;
mod late;
mod path;
mod requests;
mod secret;
mod slow;
mod stage;
mod stranger;
