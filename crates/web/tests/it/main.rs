//! The routes of this crate over HTTP, against a real application.

mod account;
mod api;
#[cfg(test)]
mod audit;
mod connected;
mod credential;
mod form;
mod header;
#[cfg(test)]
mod house;
#[cfg(test)]
mod join;
#[cfg(test)]
mod live;
#[cfg(test)]
mod making;
mod project;
#[cfg(test)]
mod repository;
mod set_up;
mod sign_in;
