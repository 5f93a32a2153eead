//! Must show: every route and every tool × every kind of credential, each taken from the list that the server itself
//! is made of. The tables are for a person to read; the rules in `rule.rs` hold without one.

#[cfg(test)]
mod argument;
#[cfg(test)]
mod cast;
#[cfg(test)]
mod credential;
#[cfg(test)]
mod ids;
#[cfg(test)]
mod people;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod request;
#[cfg(test)]
mod routes;
#[cfg(test)]
mod rule;
#[cfg(test)]
mod seen;
#[cfg(test)]
mod table;
#[cfg(test)]
mod tools;
