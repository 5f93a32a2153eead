//! Browser sessions: signing in and out, who is signed in, and the sudo window.

mod attempts;
mod authenticate;
mod cookie;
mod fresh;
mod prove;
mod sign_in;
mod sign_out;
mod sudo;
pub mod view;

pub use attempts::Attempts;
pub use authenticate::{SessionView, authenticate, check_csrf, glance};
pub use cookie::{cookie_name, find_cookie, read_cookie};
pub(crate) use fresh::Fresh;
pub use fresh::SignedIn;
pub use prove::prove;
pub use sign_in::{Credentials, by_password, sign_in};
pub use sign_out::sign_out;
pub use sudo::{require_proof, require_sudo};
