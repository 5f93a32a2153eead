//! People: who one is, mail addresses and passwords.

mod mail;
mod me;
mod password;

pub use mail::Mail;
pub use me::{Me, me};
pub use password::{Check, Password, Passwords};
