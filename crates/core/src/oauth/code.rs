//! The exchange of a code: bound to client, redirect URI, proof and audience, once, within a minute.

use super::pkce::Challenge;
use super::redirect::RedirectUri;
use crate::time::Timestamp;

/// How long a code lives.
pub const CODE_SECONDS: i64 = 60;

/// What the store knows of a code.
#[derive(Clone, Debug)]
pub struct CodeFacts {
    /// The client that it was issued to.
    pub client_id: String,
    /// The redirect URI that it was sent to.
    pub redirect_uri: String,
    /// The redirect URIs of the client's document as the person was shown it; none for a registered client, whose id
    /// holds them.
    pub pinned: Option<Vec<RedirectUri>>,
    /// The challenge of its authorization request.
    pub challenge: Challenge,
    /// The audience of its authorization request.
    pub resource: String,
    /// When it dies.
    pub expires_at: Timestamp,
    /// When it was exchanged, if it was.
    pub used_at: Option<Timestamp>,
    /// Whether its family was revoked, with its connection or by itself.
    pub revoked: bool,
}

/// What comes with a code. It has no `Debug`: it holds the proof.
#[derive(Clone, Copy)]
pub struct CodeClaim<'a> {
    /// Who asks.
    pub client_id: &'a str,
    /// Where it says that the code was sent.
    pub redirect_uri: &'a str,
    /// Its proof.
    pub verifier: &'a str,
    /// The connector's URL as this server knows it now.
    pub resource: &'a str,
}

/// What to do with a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Consume it and issue tokens.
    Issue,
    /// Answer `invalid_grant` and change nothing.
    Refuse,
    /// Answer `invalid_grant`, and end what was issued on it (RFC 6749 §4.1.2).
    RevokeFamily,
}

/// Decides. A claim that does not hold the proof has no effect on the code or on its family:
/// public client ids prove nothing, and a stranger must be able to end nothing.
pub fn decide(now: Timestamp, facts: &CodeFacts, claim: CodeClaim<'_>) -> Exchange {
    let admitted = facts.pinned.as_ref().is_none_or(|pinned| {
        RedirectUri::parse(claim.redirect_uri).is_ok_and(|asked| pinned.iter().any(|uri| uri.admits(&asked)))
    });
    let bound = admitted
        && facts.client_id == claim.client_id
        && facts.redirect_uri == claim.redirect_uri
        && facts.resource == claim.resource
        && facts.challenge.admits(claim.verifier);
    if !bound || facts.revoked {
        Exchange::Refuse
    } else if facts.used_at.is_some() {
        Exchange::RevokeFamily
    } else if now >= facts.expires_at {
        Exchange::Refuse
    } else {
        Exchange::Issue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CLAIM: CodeClaim<'_> = CodeClaim {
        client_id: "a",
        redirect_uri: "https://h.example/cb",
        verifier: VERIFIER,
        resource: "https://cs.example/mcp",
    };

    fn facts() -> CodeFacts {
        CodeFacts {
            client_id: "a".to_owned(),
            redirect_uri: "https://h.example/cb".to_owned(),
            pinned: None,
            challenge: Challenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap(),
            resource: "https://cs.example/mcp".to_owned(),
            expires_at: Timestamp::from_millis(60_000),
            used_at: None,
            revoked: false,
        }
    }

    #[test]
    fn the_right_claim_in_time_is_issued_once() {
        let at = Timestamp::from_millis(59_999);
        assert_eq!(decide(at, &facts(), CLAIM), Exchange::Issue);
        let used = CodeFacts { used_at: Some(Timestamp::from_millis(1)), ..facts() };
        assert_eq!(decide(at, &used, CLAIM), Exchange::RevokeFamily);
        // Also long after: the hash is kept to recognise a replay.
        assert_eq!(decide(Timestamp::from_millis(600_000), &used, CLAIM), Exchange::RevokeFamily);
        assert_eq!(decide(Timestamp::from_millis(60_000), &facts(), CLAIM), Exchange::Refuse);
        assert_eq!(decide(at, &CodeFacts { revoked: true, ..facts() }, CLAIM), Exchange::Refuse);
    }

    #[test]
    fn what_the_shown_document_does_not_list_is_refused() {
        let at = Timestamp::from_millis(1);
        let pinned =
            |uri: &str| CodeFacts { pinned: Some(vec![RedirectUri::parse(uri).unwrap()]), ..facts() };
        assert_eq!(decide(at, &pinned("https://h.example/cb"), CLAIM), Exchange::Issue);
        assert_eq!(decide(at, &pinned("https://h.example/other"), CLAIM), Exchange::Refuse);
        assert_eq!(decide(at, &CodeFacts { pinned: Some(Vec::new()), ..facts() }, CLAIM), Exchange::Refuse);
    }

    #[test]
    fn a_claim_that_is_not_bound_changes_nothing_even_on_a_used_code() {
        let wrong = [
            CodeClaim { client_id: "b", ..CLAIM },
            CodeClaim { redirect_uri: "https://h.example/cb/", ..CLAIM },
            CodeClaim { verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK", ..CLAIM },
            CodeClaim { verifier: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", ..CLAIM },
            CodeClaim { verifier: "", ..CLAIM },
            CodeClaim { resource: "https://other.example/mcp", ..CLAIM },
        ];
        for used_at in [None, Some(Timestamp::from_millis(1))] {
            for claim in wrong {
                assert_eq!(
                    decide(Timestamp::from_millis(2), &CodeFacts { used_at, ..facts() }, claim),
                    Exchange::Refuse
                );
            }
        }
    }
}
