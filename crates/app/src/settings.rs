//! What the operator chose, as the use cases need it.

use std::time::Duration;

use countersign_core::passkey::RelyingParty;

/// Settings that use cases read. The server fills them from flags, environment and file.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The one public address, without a trailing slash: issuer, resource and links derive from it.
    pub public_url: String,
    /// How many calls a connection (or, anonymous, an address) has in a window.
    pub rate_limit: u32,
    /// The length of that window.
    pub rate_window: Duration,
    /// How long a proposal waits for a person.
    pub proposal_lifetime: Duration,
    /// How many bytes of the disk a repository may take before pushes to it are refused.
    pub repository_quota: u64,
    /// Whether authorization responses carry `iss` (RFC 9207); some hosts choke on it.
    pub send_issuer: bool,
    /// Redirect URIs with a custom scheme that are accepted, each exactly.
    pub custom_redirects: Vec<String>,
    /// Whether a client may be known by its metadata document.
    pub client_documents: bool,
    /// Whether a client may register (RFC 7591).
    pub client_registration: bool,
}

impl Settings {
    /// The defaults for one public address.
    pub fn new(public_url: impl Into<String>) -> Self {
        Self {
            public_url: public_url.into().trim_end_matches('/').to_owned(),
            rate_limit: 2000,
            rate_window: Duration::from_mins(1),
            proposal_lifetime: Duration::from_hours(24),
            repository_quota: 5 << 30,
            send_issuer: true,
            custom_redirects: Vec::new(),
            client_documents: true,
            client_registration: true,
        }
    }

    /// The connector's URL: the one protected resource (RFC 8707).
    pub fn resource(&self) -> String {
        format!("{}/api/v1/external-mcp", self.public_url)
    }

    /// Whom passkeys are made for, where browsers have them at the public address.
    pub fn relying_party(&self) -> Option<RelyingParty> {
        RelyingParty::of(&self.public_url)
    }

    /// Whether browsers reach us over TLS, so that cookies may carry `__Host-`.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}
