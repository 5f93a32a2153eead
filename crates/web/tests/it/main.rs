//! The routes of this crate over HTTP, against a real application.

mod api;
mod connected;
mod credential;
mod form;
mod header;
mod house;
mod live;
mod set_up;
mod sign_in;
