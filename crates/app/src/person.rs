//! People: mail addresses and passwords.

mod mail;
mod password;

pub use mail::Mail;
pub use password::{Check, Password, Passwords};
