//! Must show: every route and every tool × every kind of credential, each taken from the list that the server itself
//! is made of. The tables are for a person to read; the rules in `rule.rs` hold without one.
#![cfg(test)]

mod argument;
mod cast;
mod credential;
mod ids;
mod people;
mod probe;
mod request;
mod routes;
mod rule;
mod seen;
mod table;
mod told;
mod tools;
