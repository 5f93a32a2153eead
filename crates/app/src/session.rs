//! Browser sessions: signing in and out, who is signed in, and the sudo window.

mod account;
mod attempts;
mod authenticate;
mod cookie;
mod elsewhere;
mod fresh;
mod prove;
mod sign_in;
mod sign_out;
mod sudo;
pub mod view;

pub(crate) use account::{Account, refused};
pub use attempts::Attempts;
pub use authenticate::{SessionView, authenticate, check_csrf, glance};
pub use cookie::{cookie_name, find_cookie, read_cookie};
pub use elsewhere::{open_sessions, sign_out_elsewhere};
pub(crate) use fresh::Fresh;
pub use fresh::SignedIn;
pub use prove::{Proof, prove};
pub use sign_in::{Credentials, by_password, sign_in, sign_in_by_passkey};
pub use sign_out::sign_out;
pub use sudo::{require_proof, require_sudo};
