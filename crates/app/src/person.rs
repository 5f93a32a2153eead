//! People: who one is, mail addresses and passwords.

mod header;
mod mail;
mod me;
mod password;

pub(crate) use header::identity;
pub use mail::Mail;
pub use me::{Me, me};
pub use password::{Check, Password, Passwords};
