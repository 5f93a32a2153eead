//! Passkeys (W3C Web Authentication Level 3): making and removing them, and proving with one who a person is.

mod add;
mod ask;
mod challenge;
mod check;
mod list;
mod prove;
mod remove;
pub mod view;

pub use add::{NewPasskey, add};
pub use ask::{ask_new, ask_proof, ask_sign_in, has_any};
pub use list::list;
pub(crate) use prove::{Proven, prove};
pub use remove::remove;

use countersign_core::passkey::RelyingParty;
use countersign_core::problem::{Code, Problem};

use crate::App;

/// Whom passkeys are made for: the public address alone says it, never what a request names.
fn party(app: &App) -> Result<RelyingParty, Problem> {
    app.settings.relying_party().ok_or_else(|| {
        Problem::new(Code::PasskeyRefused, "Browsers have no passkeys at the public address of this server.")
            .next("Use the password; or have the operator set public_url to https and a name.")
    })
}
