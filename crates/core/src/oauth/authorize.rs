//! The authorization request (RFC 6749 §4.1.1): who asks and where to answer first, the rest after.

use super::client_id::ClientKey;
use super::document;
use super::params::{Params, Repeated};
use super::pkce::Challenge;
use super::redirect::RedirectUri;
use super::refusal::{OAuthError, OAuthRefusal};
use super::resource;
use crate::net::https_url::HttpsUrl;
use crate::problem::{Code, Problem};
use crate::scope::{Scope, Scopes};

/// The longest `state` that is echoed.
const LONGEST_STATE: usize = 4096;

/// What a connection may do when its client asked for nothing that we know.
pub const BASELINE: Scope = Scope::Read;

/// What authorize needs to know of this server.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Verifies client ids.
    pub key: &'a ClientKey,
    /// Whether the URL of a metadata document is a client id.
    pub documents: Documents,
    /// Custom-scheme redirect URIs that the operator allows.
    pub listed: &'a [String],
    /// The connector's URL.
    pub resource: &'a str,
    /// Who sent the request.
    pub browser: Browser,
}

/// Whose browser sent the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    /// That of a person with a live session.
    SignedIn,
    /// Anybody's. Whoever registers a client chooses where faults are told, so that a link of ours would lead wherever
    /// a stranger likes (RFC 9700 §4.11.2); they are told on a page.
    Unknown,
}

/// Whether clients may be known by a metadata document; the operator's switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Documents {
    /// They may.
    Taken,
    /// Only registered ones are.
    Refused,
}

/// What is known of the client before anybody signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Client {
    /// It registered here, under this name, and the redirect URI is one of its own.
    Registered(String),
    /// A document tells, which is read once a person has signed in: nobody else makes this server send a request.
    /// Until then name and redirect URI are unproven.
    Document(HttpsUrl),
}

/// A request that may go on to consent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizeRequest {
    /// The client's id.
    pub client_id: String,
    /// What is known of it.
    pub client: Client,
    /// Where to answer, as the client spelled it.
    pub redirect_uri: RedirectUri,
    /// What to echo, verbatim.
    pub state: Option<String>,
    /// What the client asked for, of what we know.
    pub scopes: Scopes,
    /// What the code will be bound to.
    pub challenge: Challenge,
}

/// Why a request goes no further, and who is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorizeRefusal {
    /// The person, by a page of ours: nobody else is known to be the right one.
    Local(LocalRefusal),
    /// The client, by a redirect.
    Redirect {
        /// Where to.
        redirect_uri: RedirectUri,
        /// What to echo, verbatim.
        state: Option<String>,
        /// What to say.
        refusal: OAuthRefusal,
    },
}

/// A refusal that is shown on a page of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalRefusal {
    /// Not an id of this server, or one from before its key was changed.
    UnknownClient,
    /// Not a redirect URI of this client, or one that may not be used.
    RedirectUri,
    /// A request that is wrong, of a client whose redirect URI is not proven or in the browser of nobody known: the
    /// client is not told.
    Request {
        /// What is wrong.
        refusal: OAuthRefusal,
        /// Where the client wants its answers: host and port, or a scheme.
        destination: String,
    },
}

impl LocalRefusal {
    /// The refusal as the page tells it: what happened, and what the person can do.
    pub fn problem(&self) -> Problem {
        match self {
            Self::UnknownClient => {
                Problem::new(Code::ClientUnknown, "This server does not know the client that sent you here.")
            }
            Self::RedirectUri => Problem::new(
                Code::RedirectRefused,
                "The client asks to be answered at an address that it did not register, or that is not allowed here.",
            ),
            Self::Request { refusal, destination } => Problem::new(
                Code::AuthorizationInvalid,
                format!(
                    "The client that sent you here, whose answers go to {destination}, asks in a way that is not \
                     served ({refusal})."
                ),
            ),
        }
    }
}

/// Checks a request. Until client and redirect URI are found good, nothing is sent anywhere.
pub fn check(params: &Params, rules: Rules<'_>) -> Result<AuthorizeRequest, AuthorizeRefusal> {
    let unknown = AuthorizeRefusal::Local(LocalRefusal::UnknownClient);
    let client_id = params.once("client_id").ok().flatten().ok_or(unknown.clone())?;
    let (client, registered) = read_client(client_id, rules).ok_or(unknown)?;
    let redirect_uri = check_redirect(params, registered.as_deref(), rules.listed)
        .ok_or(AuthorizeRefusal::Local(LocalRefusal::RedirectUri))?;
    let state = params.once("state");
    let echo = state.ok().flatten().map(str::to_owned);
    match (check_rest(params, state, rules.resource), client) {
        (Ok((scopes, challenge)), client) => Ok(AuthorizeRequest {
            client_id: client_id.to_owned(),
            client,
            redirect_uri,
            state: echo,
            scopes,
            challenge,
        }),
        (Err(refusal), Client::Registered(_)) if rules.browser == Browser::SignedIn => {
            Err(AuthorizeRefusal::Redirect { redirect_uri, state: echo, refusal })
        }
        (Err(refusal), Client::Registered(_) | Client::Document(_)) => {
            let destination = redirect_uri.destination().to_owned();
            Err(AuthorizeRefusal::Local(LocalRefusal::Request { refusal, destination }))
        }
    }
}

/// The client, and its redirect URIs where they are known.
fn read_client(id: &str, rules: Rules<'_>) -> Option<(Client, Option<Vec<RedirectUri>>)> {
    if let Some(registered) = rules.key.read(id) {
        return Some((Client::Registered(registered.name), Some(registered.redirect_uris)));
    }
    match rules.documents {
        Documents::Taken => document::client_url(id).map(|url| (Client::Document(url), None)),
        Documents::Refused => None,
    }
}

fn check_redirect(
    params: &Params,
    registered: Option<&[RedirectUri]>,
    listed: &[String],
) -> Option<RedirectUri> {
    let asked = RedirectUri::parse(params.once("redirect_uri").ok()??).ok()?;
    let admitted = registered.is_none_or(|uris| uris.iter().any(|uri| uri.admits(&asked)));
    (admitted && asked.usable(listed)).then_some(asked)
}

fn check_rest(
    params: &Params,
    state: Result<Option<&str>, Repeated>,
    canonical: &str,
) -> Result<(Scopes, Challenge), OAuthRefusal> {
    const fn bad(description: &'static str) -> OAuthRefusal {
        OAuthRefusal::new(OAuthError::InvalidRequest, description)
    }
    const TWICE: OAuthRefusal = bad("Send each parameter once.");
    if state.map_err(|Repeated| TWICE)?.is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(bad("Send a `state` of at most 4096 characters."));
    }
    // RFC 6749 Appendix A.5: VSCHAR.
    let state = params.once("state").ok().flatten().unwrap_or_default();
    if !state.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Err(bad("Send a `state` of printable ASCII characters."));
    }
    match params.once("response_type").map_err(|Repeated| TWICE)? {
        Some("code") => {}
        Some(_) => {
            return Err(OAuthRefusal::new(
                OAuthError::UnsupportedResponseType,
                "Ask for `response_type=code`.",
            ));
        }
        None => return Err(bad("Send `response_type=code`.")),
    }
    if params.once("response_mode").map_err(|Repeated| TWICE)?.is_some_and(|mode| mode != "query") {
        return Err(bad("Leave `response_mode` out, or send `query`."));
    }
    // Left out, the method would mean `plain` (RFC 7636 §4.3).
    if params.once("code_challenge_method").map_err(|Repeated| TWICE)? != Some("S256") {
        return Err(bad("Send `code_challenge_method=S256`."));
    }
    let challenge = params.once("code_challenge").map_err(|Repeated| TWICE)?.and_then(Challenge::parse);
    let challenge = challenge.ok_or(bad("Send a `code_challenge` of 43 characters, made by S256."))?;
    resource::check(params, canonical)?;
    let asked = Scopes::parse(params.once("scope").map_err(|Repeated| TWICE)?.unwrap_or_default());
    let scopes = if asked.is_empty() { Scopes::new([BASELINE]) } else { asked };
    Ok((scopes, challenge))
}

#[cfg(test)]
mod tests;
