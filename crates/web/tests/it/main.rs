//! The routes of this crate over HTTP, against a real application.

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
mod live;
#[cfg(test)]
mod making;
#[cfg(test)]
mod repository;
mod set_up;
mod sign_in;
