//! The routes of this crate over HTTP, against a real application.

mod account;
mod api;
#[cfg(test)]
mod audit;
#[cfg(test)]
mod condition;
mod connected;
mod credential;
mod form;
#[cfg(test)]
mod granting;
mod header;
#[cfg(test)]
mod house;
#[cfg(test)]
mod join;
#[cfg(test)]
mod listing;
#[cfg(test)]
mod live;
#[cfg(test)]
mod making;
mod project;
#[cfg(test)]
mod repository;
mod set_up;
mod sign_in;
