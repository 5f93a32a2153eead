//! People: who one is, mail addresses and passwords.

mod change_password;
mod header;
mod mail;
mod me;
mod password;

pub use change_password::change_password;
pub(crate) use header::identity;
pub use mail::Mail;
pub use me::{Me, me};
pub use password::{Check, Password, Passwords};
