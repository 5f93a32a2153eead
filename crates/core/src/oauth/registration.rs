//! Dynamic client registration (RFC 7591): what is read of it, and the answer.

use serde_json::{Value, json};

use super::client_id::{ClientKey, NAME_CHARACTERS, Registration, TooLong};
use super::redirect::RedirectUri;
use super::refusal::{OAuthError, OAuthRefusal};
use crate::text::clean_name;
use crate::time::Timestamp;

/// The most redirect URIs of one client.
const MOST_URIS: usize = 10;

/// The name of a client that gave none that can be shown.
const NAMELESS: &str = "Unnamed client";

const fn bad_metadata(description: &'static str) -> OAuthRefusal {
    OAuthRefusal::new(OAuthError::InvalidClientMetadata, description)
}

/// Reads the metadata of a client. Members that we do not know, and methods that we do not
/// offer, are ignored: the answer says what holds.
pub fn read(body: &Value, now: Timestamp) -> Result<Registration, OAuthRefusal> {
    let Value::Object(members) = body else {
        return Err(bad_metadata("Send a JSON object of client metadata."));
    };
    let uris = members.get("redirect_uris").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if uris.is_empty() || uris.len() > MOST_URIS {
        return Err(OAuthRefusal::new(OAuthError::InvalidRedirectUri, "Give 1 to 10 `redirect_uris`."));
    }
    let redirect_uris = uris
        .iter()
        .map(|uri| RedirectUri::parse(uri.as_str().unwrap_or_default()))
        .collect::<Result<Vec<_>, _>>()?;
    let name =
        clean_name(members.get("client_name").and_then(Value::as_str).unwrap_or_default(), NAME_CHARACTERS);
    let name = if name.is_empty() { NAMELESS.to_owned() } else { name };
    Ok(Registration { name, redirect_uris, issued_at: Timestamp::from_millis(now.seconds() * 1000) })
}

/// The answer of RFC 7591 §3.2.1: a public client with the grants that there are, whatever it asked for.
pub fn answer(registration: &Registration, key: &ClientKey) -> Result<Value, OAuthRefusal> {
    let client_id = key.issue(registration).map_err(|TooLong| {
        bad_metadata("Register fewer or shorter redirect URIs; together they may have some 300 characters.")
    })?;
    let redirect_uris: Vec<&str> = registration.redirect_uris.iter().map(RedirectUri::as_str).collect();
    Ok(json!({
        "client_id": client_id,
        "client_id_issued_at": registration.issued_at.seconds(),
        "client_name": registration.name,
        "redirect_uris": redirect_uris,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_796_000_000_999);
    const KEY: ClientKey = ClientKey::new([1; 32]);

    #[test]
    fn a_hosted_client_that_wants_a_secret_becomes_a_public_one() {
        let body = json!({
            "client_name": "Claude", "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            "token_endpoint_auth_method": "client_secret_post", "grant_types": ["authorization_code"],
            "resource": "https://cs.example", "x": {"y": []},
        });
        let answer = answer(&read(&body, NOW).unwrap(), &KEY).unwrap();
        assert_eq!(answer["token_endpoint_auth_method"], "none");
        assert_eq!(answer["redirect_uris"], json!(["https://claude.ai/api/mcp/auth_callback"]));
        assert_eq!(answer["grant_types"], json!(["authorization_code", "refresh_token"]));
        assert_eq!(answer["client_id_issued_at"], 1_796_000_000);
        assert!(answer.get("client_secret").is_none());
        let id = answer["client_id"].as_str().unwrap();
        assert_eq!(KEY.read(id).unwrap().name, "Claude");
    }

    #[test]
    fn a_custom_scheme_does_not_fail_the_registration_of_the_others() {
        let body = json!({ "redirect_uris": ["http://localhost:8787/callback", "cursor://anysphere.cursor-mcp/oauth/callback", "unlisted://x"] });
        assert_eq!(read(&body, NOW).unwrap().redirect_uris.len(), 3);
    }

    #[test]
    fn a_bad_redirect_uri_fails_the_whole_registration() {
        for uri in [json!("javascript:alert(1)"), json!("http://h.example/"), json!(7), json!("")] {
            let body = json!({ "redirect_uris": ["https://h.example/cb", uri] });
            assert_eq!(read(&body, NOW).unwrap_err().code, OAuthError::InvalidRedirectUri, "{uri}");
        }
        for body in
            [json!({}), json!({ "redirect_uris": [] }), json!({ "redirect_uris": "https://h.example/cb" })]
        {
            assert_eq!(read(&body, NOW).unwrap_err().code, OAuthError::InvalidRedirectUri, "{body}");
        }
        assert_eq!(read(&json!([]), NOW).unwrap_err().code, OAuthError::InvalidClientMetadata);
        let many = json!({ "redirect_uris": vec!["https://h.example/cb"; 11] });
        assert_eq!(read(&many, NOW).unwrap_err().code, OAuthError::InvalidRedirectUri);
    }

    #[test]
    fn a_name_is_cleaned_and_a_missing_one_replaced() {
        for (given, kept) in [("<b>\u{202e}Evil\n", "bEvil"), ("\u{200b}", NAMELESS)] {
            let body = json!({ "client_name": given, "redirect_uris": ["https://h.example/cb"] });
            assert_eq!(read(&body, NOW).unwrap().name, kept);
        }
    }
}
