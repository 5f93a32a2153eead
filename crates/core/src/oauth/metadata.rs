//! The documents that clients discover us by (RFC 8414, RFC 9728), and the URLs in them.

use serde_json::{Value, json};

use crate::scope::Scope;

/// The path of the connector.
pub const CONNECTOR: &str = "/api/v1/external-mcp";
/// The path of RFC 9728 §3.1, at the root.
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";
/// The connector's own: its path behind the other.
pub const PROTECTED_CONNECTOR: &str = "/.well-known/oauth-protected-resource/api/v1/external-mcp";
/// The path of RFC 8414 §3.1.
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// The registration endpoint.
pub const REGISTER: &str = "/api/v1/external-oauth/register";
/// The authorization endpoint.
pub const AUTHORIZE: &str = "/api/v1/external-oauth/authorize";
/// The token endpoint.
pub const TOKEN: &str = "/api/v1/external-oauth/token";
/// The revocation endpoint.
pub const REVOKE: &str = "/api/v1/external-oauth/revoke";
/// The page of consent.
pub const CONSENT: &str = "/external-assistant-authorize";

/// Every URL of ours, from the one that is configured; no header of a request has a part in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urls {
    issuer: String,
}

/// A public URL that no issuer can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("set the public URL to https://HOST (or http://localhost:PORT), without a path, query or fragment")]
pub struct NotAnOrigin;

impl Urls {
    /// Takes an origin: https, or http on a loopback address. A closing slash is taken off.
    pub fn new(public_url: &str) -> Result<Self, NotAnOrigin> {
        let issuer = public_url.strip_suffix('/').unwrap_or(public_url);
        let (scheme, authority) = issuer.split_once("://").ok_or(NotAnOrigin)?;
        let plain = !authority.is_empty()
            && authority
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() && !b.is_ascii_uppercase() || b"-.:[]".contains(&b));
        let host = authority
            .rsplit_once(':')
            .filter(|(_, port)| !port.ends_with(']'))
            .map_or(authority, |(host, _)| host);
        let loopback = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        let good = plain && (scheme == "https" || (scheme == "http" && loopback));
        good.then(|| Self { issuer: issuer.to_owned() }).ok_or(NotAnOrigin)
    }

    /// The issuer, without a closing slash: the same text in every document and answer.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The audience of every token: the connector's URL.
    pub fn resource(&self) -> String {
        format!("{}{CONNECTOR}", self.issuer)
    }

    /// Where the protected-resource document of the connector is.
    pub fn resource_metadata(&self) -> String {
        format!("{}{PROTECTED_CONNECTOR}", self.issuer)
    }

    /// The page of consent for one handle.
    pub fn consent(&self, handle: &str) -> String {
        format!("{}{CONSENT}?h={handle}", self.issuer)
    }

    /// The document of RFC 9728.
    pub fn protected_resource(&self) -> Value {
        json!({
            "resource": self.resource(),
            "authorization_servers": [self.issuer],
            "scopes_supported": Scope::ALL.map(Scope::as_str),
            "bearer_methods_supported": ["header"],
            "resource_name": "Countersign",
        })
    }

    /// The document of RFC 8414. `offline_access` stands here alone: clients that look for it ask for
    /// refresh tokens, which are issued in any case.
    pub fn authorization_server(&self, offer: Offer) -> Value {
        let at = |path: &str| format!("{}{path}", self.issuer);
        let scopes: Vec<&str> = Scope::ALL.map(Scope::as_str).into_iter().chain(["offline_access"]).collect();
        let mut document = json!({
            "issuer": self.issuer,
            "authorization_endpoint": at(AUTHORIZE),
            "token_endpoint": at(TOKEN),
            "revocation_endpoint": at(REVOKE),
            "scopes_supported": scopes,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": offer.client_documents,
            "authorization_response_iss_parameter_supported": offer.issuer_in_answers,
        });
        if offer.registration {
            document["registration_endpoint"] = at(REGISTER).into();
        }
        document
    }
}

/// What the operator's switches leave of the offer. Everything is offered unless it is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Answers of authorize name the issuer (RFC 9207). Some hosts choke on it.
    pub issuer_in_answers: bool,
    /// A client may be known by its metadata document.
    pub client_documents: bool,
    /// A client may register.
    pub registration: bool,
}

impl Default for Offer {
    fn default() -> Self {
        Self { issuer_in_answers: true, client_documents: true, registration: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_connectors_document_is_made_of_both() {
        assert_eq!(PROTECTED_CONNECTOR, format!("{PROTECTED_RESOURCE}{CONNECTOR}"));
    }

    #[test]
    fn one_issuer_stands_in_both_documents_without_a_slash() {
        for given in ["https://cs.example", "https://cs.example/"] {
            let urls = Urls::new(given).unwrap();
            let server = urls.authorization_server(Offer::default());
            assert_eq!(server["issuer"], "https://cs.example");
            assert_eq!(urls.protected_resource()["authorization_servers"], json!(["https://cs.example"]));
            assert_eq!(urls.protected_resource()["resource"], "https://cs.example/api/v1/external-mcp");
            assert_eq!(
                urls.resource_metadata(),
                "https://cs.example/.well-known/oauth-protected-resource/api/v1/external-mcp"
            );
        }
    }

    #[test]
    fn offline_access_is_listed_by_the_server_and_not_by_the_resource() {
        let urls = Urls::new("http://localhost:8420").unwrap();
        assert!(!urls.protected_resource().to_string().contains("offline_access"));
        assert!(
            urls.authorization_server(Offer::default())["scopes_supported"]
                .to_string()
                .contains("offline_access")
        );
    }

    #[test]
    fn clients_are_public_and_prove_themselves_by_s256_alone() {
        let document = Urls::new("https://cs.example").unwrap().authorization_server(Offer::default());
        for (name, only) in [
            ("response_types_supported", json!(["code"])),
            ("grant_types_supported", json!(["authorization_code", "refresh_token"])),
            ("token_endpoint_auth_methods_supported", json!(["none"])),
            ("revocation_endpoint_auth_methods_supported", json!(["none"])),
            ("code_challenge_methods_supported", json!(["S256"])),
            ("token_endpoint", json!("https://cs.example/api/v1/external-oauth/token")),
            ("authorization_endpoint", json!("https://cs.example/api/v1/external-oauth/authorize")),
        ] {
            assert_eq!(document[name], only, "{name}");
        }
    }

    #[test]
    fn each_switch_is_advertised_as_it_is_set() {
        let urls = Urls::new("http://[::1]:8420").unwrap();
        let all = urls.authorization_server(Offer::default());
        assert_eq!(all["authorization_response_iss_parameter_supported"], true);
        assert_eq!(all["client_id_metadata_document_supported"], true);
        assert_eq!(all["registration_endpoint"], "http://[::1]:8420/api/v1/external-oauth/register");
        let none = Offer { issuer_in_answers: false, client_documents: false, registration: false };
        let none = urls.authorization_server(none);
        assert_eq!(none["authorization_response_iss_parameter_supported"], false);
        assert_eq!(none["client_id_metadata_document_supported"], false);
        assert!(none.get("registration_endpoint").is_none());
    }

    #[test]
    fn only_an_origin_that_clients_accept_is_taken() {
        for good in [
            "https://cs.example",
            "https://cs.example:8443",
            "http://localhost:8420",
            "http://127.0.0.1",
            "http://[::1]:1",
        ] {
            assert!(Urls::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "cs.example",
            "http://cs.example",
            "http://localhost.evil.example",
            "https://cs.example/app",
            "https://cs.example?x",
            "https://u@cs.example",
            "https://",
            "ftp://x",
            "https://CS.example",
            "https://cs.example//",
        ] {
            assert_eq!(Urls::new(bad), Err(NotAnOrigin), "{bad}");
        }
    }
}
