//! The authorization server: from an unknown client to a token, and from a token to a caller.
//!
//! Register, authorize, token and revoke are protocol: nobody is known yet, so they pass no gate. Consent is a
//! person's decision and passes it like every other.

mod authenticate;
mod begin;
mod decide;
mod document;
mod exchange;
mod failure;
mod give_back;
mod issue;
mod pin;
mod refresh;
mod register;
mod seal;
mod show;
mod sweep;

pub use authenticate::authenticate;
pub use begin::{AuthorizeFailure, begin_authorize};
pub use decide::{Answer, Approval, Choice, consent_decide};
pub(crate) use document::Documents;
pub use failure::TokenFailure;
pub use give_back::give_back;
pub use issue::TokenAnswer;
pub use register::register;
pub use show::consent_view;
pub use sweep::sweep;

use countersign_core::oauth::client_id::ClientKey;
use countersign_core::oauth::metadata::{Offer, Urls};
use countersign_core::oauth::params::Params;
use countersign_core::oauth::token_request::{self, TokenRequest};
use countersign_core::problem::Problem;

use crate::App;

/// The key that signs client ids.
fn client_key(app: &App) -> ClientKey {
    ClientKey::new(app.client_id_key)
}

/// What is offered, by the operator's switches.
pub fn offer(app: &App) -> Offer {
    Offer {
        issuer_in_answers: app.settings.send_issuer,
        client_documents: app.settings.client_documents,
        registration: app.settings.client_registration,
    }
}

/// The URLs of this server; the edge has checked the setting that they come from.
fn urls(app: &App) -> Result<Urls, Problem> {
    Urls::new(&app.settings.public_url).map_err(Problem::internal)
}

/// Answers a token request: exchanges a code or refreshes.
pub async fn token(app: &App, params: &Params) -> Result<TokenAnswer, TokenFailure> {
    match token_request::read(params, &client_key(app), urls(app)?.resource().as_str())? {
        TokenRequest::Code { client_id, code, redirect_uri, verifier } => {
            exchange::exchange(app, exchange::Presented { client_id, code, redirect_uri, verifier }).await
        }
        TokenRequest::Refresh { client_id, token, scopes } => {
            refresh::refresh(app, refresh::Presented { client_id, token, scopes }).await
        }
    }
}
