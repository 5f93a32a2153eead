//! Parameters of an authorization request: whatever they are, a browser is sent to nobody but a registered address of
//! the client, with one answer, and consent is asked for nothing but what the request says.

use countersign_core::oauth::authorize::{AuthorizeRefusal, Browser, Client, Documents, Rules, check};
use countersign_core::oauth::client_id::{ClientKey, Registration};
use countersign_core::oauth::params::Params;
use countersign_core::oauth::redirect::RedirectUri;
use countersign_core::time::Timestamp;
use countersign_testkit::fuzz::Target;
use reqwest::Url;

const TARGET: Target = Target {
    name: "authorize",
    words: &[
        "&",
        "=",
        "%",
        "+",
        "%26",
        "%3d",
        "%00",
        "%0d%0a",
        "&client_id=",
        "&redirect_uri=",
        "&state=",
        "&scope=",
        "redirect_uri=https%3A%2F%2Fevil.example%2Fcb",
        "https://evil.example/cb",
        "https://h.example/cb",
        "https://h.example.evil/cb",
        "https://h.example@evil.example/cb",
        "https://h.example/cb/../x",
        "https://h.example/cb#x",
        "https://h.example/cb%2f",
        "HTTPS://h.example/cb",
        "//evil.example",
        "javascript:x",
        "http://localhost:1/callback",
        "http://127.0.0.1:1/callback",
        "{CLIENT}",
        "&code_challenge_method=plain",
        "&response_type=token",
        "&resource=https%3A%2F%2Fevil.example",
    ],
    inputs: 20_000,
};

const KEY: ClientKey = ClientKey::new([3; 32]);
const RESOURCE: &str = "https://cs.example/api/v1/external-mcp";
const ISSUER: &str = "https://cs.example";
const REGISTERED: [&str; 3] =
    ["https://h.example/cb", "https://h.example/cb?kept=1&code=x", "http://localhost/callback"];

fn client() -> String {
    let redirect_uris = REGISTERED.iter().map(|uri| RedirectUri::parse(uri).unwrap()).collect();
    let registration =
        Registration { name: "Agent".to_owned(), redirect_uris, issued_at: Timestamp::from_millis(0) };
    KEY.issue(&registration).unwrap()
}

/// Where an address leads, without the port where that is free, and without the query.
fn place(text: &str) -> Result<(String, String, Option<u16>, String), String> {
    let url = Url::parse(text).map_err(|error| format!("{text:?} is no address: {error}"))?;
    let port = if url.scheme() == "http" { None } else { url.port() };
    let host = url.host_str().unwrap_or_default().to_owned();
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(format!("{text:?} holds more than a place"));
    }
    Ok((url.scheme().to_owned(), host, port, url.path().to_owned()))
}

fn is_registered(uri: &RedirectUri) -> Result<(), String> {
    let asked = place(uri.as_str())?;
    for known in REGISTERED {
        if place(known)? == asked {
            return Ok(());
        }
    }
    Err(format!("{} was never registered", uri.as_str()))
}

/// What the client reads of an answer: one of each of ours, whatever its address held before.
fn check_answer(uri: &RedirectUri, state: Option<&str>) -> Result<(), String> {
    let mut params = vec![("error", "invalid_request"), ("iss", ISSUER)];
    params.extend(state.map(|state| ("state", state)));
    let sent = uri.answer(&params);
    if place(&sent)? != place(uri.as_str())? {
        return Err(format!("{sent:?} leads elsewhere than {}", uri.as_str()));
    }
    let url = Url::parse(&sent).map_err(|error| error.to_string())?;
    for (name, expected) in
        [("iss", Some(ISSUER)), ("error", Some("invalid_request")), ("state", state), ("code", None)]
    {
        let values: Vec<String> =
            url.query_pairs().filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect();
        if values.iter().map(String::as_str).collect::<Vec<_>>() != expected.into_iter().collect::<Vec<_>>() {
            return Err(format!("{sent:?} holds {name} as {values:?}"));
        }
    }
    Ok(())
}

#[test]
fn nobody_is_sent_to_an_address_that_was_not_registered() {
    let client = client();
    TARGET.run(|input| {
        let query = String::from_utf8_lossy(input).replace("{CLIENT}", &client);
        let mut address = Url::parse("https://cs.example/").unwrap();
        address.set_query(Some(&query));
        let pairs: Vec<(String, String)> =
            address.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        for browser in [Browser::SignedIn, Browser::Unknown] {
            let rules =
                Rules { key: &KEY, documents: Documents::Taken, listed: &[], resource: RESOURCE, browser };
            match check(&Params::new(pairs.clone()), rules) {
                Ok(request) => {
                    if matches!(request.client, Client::Registered(_)) {
                        is_registered(&request.redirect_uri)?;
                    }
                    check_answer(&request.redirect_uri, request.state.as_deref())?;
                    let asked =
                        pairs.iter().filter(|(name, _)| name == "scope").map(|(_, value)| value.as_str());
                    let asked: Vec<&str> = asked.flat_map(|text| text.split(' ')).collect();
                    let widened = request.scopes.iter().any(|scope| {
                        scope != countersign_core::oauth::authorize::BASELINE
                            && !asked.contains(&scope.as_str())
                    });
                    if widened {
                        return Err(format!("{:?} were asked, {:?} are granted", asked, request.scopes));
                    }
                }
                Err(AuthorizeRefusal::Redirect { redirect_uri, state, .. }) => {
                    if browser == Browser::Unknown {
                        return Err("the browser of nobody known is sent away".to_owned());
                    }
                    is_registered(&redirect_uri)?;
                    check_answer(&redirect_uri, state.as_deref())?;
                }
                Err(AuthorizeRefusal::Local(_)) => {}
            }
        }
        Ok(())
    });
}
