//! The authorization request: who is told what, for every way in which it can be wrong.

use super::super::client_id::Registration;
use super::*;
use crate::time::Timestamp;

const KEY: ClientKey = ClientKey::new([3; 32]);
const RESOURCE: &str = "https://cs.example/api/v1/external-mcp";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn client() -> String {
    let uris = ["https://h.example/cb", "http://localhost/callback", "unlisted://x/cb"];
    let redirect_uris = uris.iter().map(|uri| RedirectUri::parse(uri).unwrap()).collect();
    KEY.issue(&Registration { name: "Agent".to_owned(), redirect_uris, issued_at: Timestamp::from_millis(0) })
        .unwrap()
}

fn good() -> Vec<(&'static str, String)> {
    vec![
        ("client_id", client()),
        ("redirect_uri", "https://h.example/cb".to_owned()),
        ("response_type", "code".to_owned()),
        ("code_challenge", CHALLENGE.to_owned()),
        ("code_challenge_method", "S256".to_owned()),
        ("state", "s t&=%".to_owned()),
        ("scope", "openid countersign:write offline_access".to_owned()),
        ("resource", RESOURCE.to_owned()),
    ]
}

const RULES: Rules<'_> = Rules {
    key: &KEY,
    documents: Documents::Taken,
    listed: &[],
    resource: RESOURCE,
    browser: Browser::SignedIn,
};

fn ask(pairs: Vec<(&'static str, String)>) -> Result<AuthorizeRequest, AuthorizeRefusal> {
    ask_by(pairs, RULES)
}

fn ask_by(
    pairs: Vec<(&'static str, String)>,
    rules: Rules<'_>,
) -> Result<AuthorizeRequest, AuthorizeRefusal> {
    check(&Params::new(pairs.into_iter().map(|(name, value)| (name.to_owned(), value))), rules)
}

fn with(name: &'static str, value: &str) -> Vec<(&'static str, String)> {
    good().into_iter().map(|(n, v)| if n == name { (n, value.to_owned()) } else { (n, v) }).collect()
}

fn without(name: &'static str) -> Vec<(&'static str, String)> {
    good().into_iter().filter(|(n, _)| *n != name).collect()
}

fn code_of(answer: Result<AuthorizeRequest, AuthorizeRefusal>) -> OAuthError {
    match answer {
        Err(AuthorizeRefusal::Redirect { refusal, redirect_uri, .. }) => {
            assert_eq!(redirect_uri.as_str(), "https://h.example/cb");
            refusal.code
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_good_request_goes_on_to_consent_with_what_is_known() {
    let request = ask(good()).unwrap();
    assert_eq!(request.client, Client::Registered("Agent".to_owned()));
    assert_eq!(request.state.as_deref(), Some("s t&=%"));
    assert_eq!(request.scopes, Scopes::new([Scope::Write]));
    assert_eq!(request.challenge.as_str(), CHALLENGE);
}

#[test]
fn scopes_that_leave_nothing_mean_the_baseline() {
    for pairs in [without("scope"), with("scope", ""), with("scope", "openid profile email offline_access")] {
        assert_eq!(ask(pairs).unwrap().scopes, Scopes::new([Scope::Read]));
    }
}

#[test]
fn unknown_parameters_are_ignored_even_twice() {
    let mut pairs = good();
    pairs.extend([("prompt", "consent".to_owned()), ("x", "1".to_owned()), ("x", "2".to_owned())]);
    assert!(ask(pairs).is_ok());
    assert!(ask(without("state")).unwrap().state.is_none());
    assert!(ask(without("resource")).is_ok());
}

#[test]
fn an_unknown_client_is_told_to_the_person_and_to_nobody_else() {
    let mut flipped = client();
    flipped.replace_range(10..11, if flipped.as_bytes()[10] == b'A' { "B" } else { "A" });
    let mut twice = good();
    twice.push(("client_id", client()));
    for pairs in
        [with("client_id", &flipped), with("client_id", "https://evil.example/"), without("client_id"), twice]
    {
        assert_eq!(ask(pairs), Err(AuthorizeRefusal::Local(LocalRefusal::UnknownClient)));
    }
}

#[test]
fn a_redirect_uri_that_is_not_the_clients_own_is_never_followed() {
    let mut twice = good();
    twice.push(("redirect_uri", "https://h.example/cb".to_owned()));
    let mut cases = vec![without("redirect_uri"), twice];
    for uri in [
        "https://evil.example/cb",
        "https://h.example/cb/",
        "https://h.example/cb?x=1",
        "https://h.example/",
        "https://h.example/CB",
        "https://h.example:8443/cb",
        "https://h.example.evil.example/cb",
        "https://h.example@evil.example/cb",
        "https://h.example/x/../cb",
        "https://h.example/%63b",
        "http://h.example/cb",
        "http://localhost.evil.example/callback",
        "http://localhost@evil.example/callback",
        "http://127.1/callback",
        "http://127.0.0.1/callback",
        "http://localhost:1/callback/",
        "https://localhost/callback",
        "javascript:alert(1)",
        "unlisted://x/cb",
    ] {
        cases.push(with("redirect_uri", uri));
    }
    for pairs in cases {
        assert_eq!(ask(pairs), Err(AuthorizeRefusal::Local(LocalRefusal::RedirectUri)));
    }
    assert!(ask(with("redirect_uri", "http://localhost:54321/callback")).is_ok());
}

#[test]
fn a_listed_custom_scheme_is_used() {
    let params =
        Params::new(with("redirect_uri", "unlisted://x/cb").into_iter().map(|(n, v)| (n.to_owned(), v)));
    let listed = ["unlisted://x/cb".to_owned()];
    assert!(check(&params, Rules { listed: &listed, ..RULES }).is_ok());
}

#[test]
fn without_s256_there_is_no_code() {
    for pairs in [
        without("code_challenge"),
        without("code_challenge_method"),
        with("code_challenge_method", "plain"),
        with("code_challenge_method", "S512"),
        with("code_challenge_method", "s256"),
        with("code_challenge", "short"),
        with("code_challenge", &format!("{CHALLENGE}A")),
        with("code_challenge", ""),
    ] {
        assert_eq!(code_of(ask(pairs)), OAuthError::InvalidRequest);
    }
}

#[test]
fn a_state_is_printable_ascii() {
    for state in ["a\0", "a\r\nX: y", "\u{7f}", "ä", "\u{202e}"] {
        assert_eq!(code_of(ask(with("state", state))), OAuthError::InvalidRequest, "{state:?}");
    }
    assert!(ask(with("state", " !~")).is_ok());
}

#[test]
fn each_known_parameter_comes_once() {
    for name in
        ["response_type", "code_challenge", "code_challenge_method", "state", "scope", "response_mode"]
    {
        let mut pairs = good();
        let value = pairs.iter().find(|(n, _)| *n == name).map_or("query".to_owned(), |(_, v)| v.clone());
        pairs.extend([(name, value.clone()), (name, value)]);
        assert_eq!(code_of(ask(pairs)), OAuthError::InvalidRequest, "{name}");
    }
}

#[test]
fn another_audience_or_response_is_refused_by_redirect_with_the_state() {
    assert_eq!(code_of(ask(with("resource", "https://evil.example/mcp"))), OAuthError::InvalidTarget);
    let mut twice = good();
    twice.push(("resource", RESOURCE.to_owned()));
    assert_eq!(code_of(ask(twice)), OAuthError::InvalidTarget);
    assert_eq!(code_of(ask(with("response_type", "token"))), OAuthError::UnsupportedResponseType);
    assert_eq!(code_of(ask(without("response_type"))), OAuthError::InvalidRequest);
    let Err(AuthorizeRefusal::Redirect { state, .. }) = ask(with("response_type", "token")) else { panic!() };
    assert_eq!(state.as_deref(), Some("s t&=%"));
}

#[test]
fn in_the_browser_of_nobody_known_a_fault_leads_nowhere_and_names_where_it_would_have_led() {
    let unknown = Rules { browser: Browser::Unknown, ..RULES };
    assert_eq!(ask_by(good(), unknown), ask(good()));
    for pairs in
        [with("response_type", "x"), with("resource", "https://evil.example/mcp"), without("code_challenge")]
    {
        let Err(AuthorizeRefusal::Local(refusal @ LocalRefusal::Request { .. })) = ask_by(pairs, unknown)
        else {
            panic!("a stranger's link leads somewhere")
        };
        assert!(refusal.problem().message.contains("h.example"));
    }
}

#[test]
fn a_client_with_a_document_goes_on_unproven_and_hears_of_no_fault() {
    const URL: &str = "https://app.example/client.json";
    let request = ask(with("client_id", URL)).unwrap();
    assert!(matches!(request.client, Client::Document(url) if url.as_str() == URL));
    // Nobody has read its document, so its redirect URI leads nowhere yet.
    let mut faulty = with("client_id", URL);
    faulty.retain(|(name, _)| *name != "code_challenge");
    assert!(matches!(ask(faulty), Err(AuthorizeRefusal::Local(LocalRefusal::Request { .. }))));
    let mut elsewhere = with("client_id", URL);
    elsewhere.retain(|(name, _)| *name != "redirect_uri");
    for uri in ["unlisted://x/cb", "javascript:alert(1)", "http://app.example/cb", ""] {
        let mut pairs = elsewhere.clone();
        pairs.push(("redirect_uri", uri.to_owned()));
        assert_eq!(ask(pairs), Err(AuthorizeRefusal::Local(LocalRefusal::RedirectUri)), "{uri}");
    }
}

#[test]
fn a_document_is_no_client_where_the_operator_takes_none() {
    let pairs = with("client_id", "https://app.example/client.json");
    let params = Params::new(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let rules = Rules { documents: Documents::Refused, ..RULES };
    assert_eq!(check(&params, rules), Err(AuthorizeRefusal::Local(LocalRefusal::UnknownClient)));
}
