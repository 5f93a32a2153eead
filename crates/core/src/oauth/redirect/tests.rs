//! Redirect URIs: tables of what attackers try, and what real hosts register.

use proptest::prelude::*;

use super::*;

fn uri(text: &str) -> RedirectUri {
    RedirectUri::parse(text).unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

#[test]
fn what_real_hosts_register_is_read() {
    for (text, kind, destination) in [
        ("https://claude.ai/api/mcp/auth_callback", RedirectKind::Https, "claude.ai"),
        ("http://localhost/callback", RedirectKind::Loopback, "localhost"),
        ("http://127.0.0.1:33418/", RedirectKind::Loopback, "127.0.0.1:33418"),
        ("http://127.0.0.1:33418", RedirectKind::Loopback, "127.0.0.1:33418"),
        ("http://[::1]:9/cb", RedirectKind::Loopback, "[::1]:9"),
        ("https://www.cursor.com/agents/mcp/oauth/callback", RedirectKind::Https, "www.cursor.com"),
        (
            "cursor://anysphere.cursor-mcp/oauth/callback",
            RedirectKind::Custom,
            "cursor://anysphere.cursor-mcp",
        ),
        ("com.example.app:/cb", RedirectKind::Custom, "com.example.app:/cb"),
        ("https://h.example:8443/cb?tenant=a%2Fb", RedirectKind::Https, "h.example:8443"),
    ] {
        let read = uri(text);
        assert_eq!((read.kind(), read.destination()), (kind, destination), "{text}");
    }
}

#[test]
fn what_leads_to_this_computer_is_told_by_its_host_whatever_the_scheme() {
    for text in [
        "http://localhost/cb",
        "http://127.0.0.1:9/cb",
        "http://[::1]:9/cb",
        "https://localhost:4444/cb",
        "https://LOCALHOST./cb",
        "https://app.localhost/cb",
        "https://127.0.0.1:4444/cb",
        "https://127.8.9.10/cb",
        "https://[::1]:4444/cb",
        "https://[::ffff:127.0.0.1]/cb",
        "https://0.0.0.0/cb",
        "https://127.1/cb",
        "https://2130706433/cb",
        "https://0x7f.0.0.1/cb",
        "https://0x7f000001/cb",
    ] {
        assert!(uri(text).stays_on_this_computer(), "{text}");
    }
    for text in [
        "https://h.example/cb",
        "https://localhost.example/cb",
        "https://192.0.2.1/cb",
        "https://[2001:db8::1]/cb",
        "cursor://localhost/cb",
    ] {
        assert!(!uri(text).stays_on_this_computer(), "{text}");
    }
    assert!(!uri("https://localhost:1/cb").admits(&uri("https://localhost:2/cb")), "the port stays exact");
}

#[test]
fn what_could_deceive_is_never_registered() {
    for text in [
        "",
        "callback",
        "//h.example/cb",
        "https:",
        "https://",
        "https:///cb",
        "https:h.example",
        "javascript:alert(1)",
        "JavaScript://x/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "blob:https://h/1",
        "http://h.example/cb",
        "http://192.168.0.1/cb",
        "http://127.1/cb",
        "http://2130706433/",
        "http://0.0.0.0/cb",
        "http://[::]/",
        "http://localhost.evil.example/cb",
        "http://localhost@evil.example/cb",
        "http://localhost:1@evil.example/cb",
        "http://LOCALHOST/cb",
        "https://user@h.example/cb",
        "https://user:pw@h.example/cb",
        "https://h.example/cb#f",
        "https://h.example/#",
        "https://h.example/a/../cb",
        "https://h.example/a/%2e%2e/cb",
        "https://h.example/a/.%2E/cb",
        "https://h.example/./cb",
        "https://h.example/a%2f..%2fcb",
        "https://h.example/a\\b",
        "https://h.example\\@evil.example/",
        "https://h.example/a b",
        "https://h.example/\n",
        "https://h.example/\u{202e}",
        "https://hé.example/",
        "https://h.example/%",
        "https://h.example/%2",
        "https://h.example/%zz",
        "https://h.example:/cb",
        "https://h.example:0/cb",
        "https://h.example:65536/cb",
        "https://h.example:+1/",
        "https://h.example:80:80/",
        "https://[::1/cb",
        "https://[x]/",
        "https://[::1]x/",
        "https://h.example/<script>",
        "https://h.example/\"",
        "1x://h/cb",
        "cursor:",
        ":",
    ] {
        assert!(RedirectUri::parse(text).is_err(), "{text:?}");
    }
    assert!(RedirectUri::parse(&format!("https://h.example/{}", "a".repeat(300))).is_err());
}

#[test]
fn only_the_port_of_a_loopback_address_may_differ() {
    for registered in ["http://localhost/callback", "http://localhost:1234/callback"] {
        for asked in
            ["http://localhost/callback", "http://localhost:1/callback", "http://localhost:65535/callback"]
        {
            assert!(uri(registered).admits(&uri(asked)), "{registered} {asked}");
        }
    }
    assert!(uri("http://[::1]/cb").admits(&uri("http://[::1]:8080/cb")));
}

#[test]
fn anything_else_that_differs_is_another_uri() {
    for (registered, asked) in [
        ("https://h.example/cb", "https://h.example/cb/"),
        ("https://h.example/cb", "https://h.example/cbx"),
        ("https://h.example/cb", "https://h.example/c"),
        ("https://h.example/cb", "https://h.example/CB"),
        ("https://h.example/cb", "https://H.example/cb"),
        ("https://h.example/cb", "HTTPS://h.example/cb"),
        ("https://h.example/cb", "https://h.example:443/cb"),
        ("https://h.example:1/cb", "https://h.example:2/cb"),
        ("https://localhost/cb", "https://localhost:2/cb"),
        ("https://h.example/cb", "https://h.example/cb?x=1"),
        ("https://h.example/cb?x=1", "https://h.example/cb"),
        ("https://h.example/cb", "https://h.example/%63b"),
        ("https://h.example/cb", "https://sub.h.example/cb"),
        ("https://h.example/cb", "https://h.example.evil.example/cb"),
        ("http://localhost/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1/cb", "http://[::1]/cb"),
        ("http://localhost/cb", "http://localhost/cb?x"),
        ("http://localhost/cb", "https://localhost/cb"),
        ("http://localhost/cb", "http://localhost:1/cb/"),
        ("app://h/cb", "app://h:1/cb"),
        ("app://h/cb", "app://h/cb/"),
    ] {
        assert!(!uri(registered).admits(&uri(asked)), "{registered} {asked}");
    }
}

#[test]
fn a_custom_scheme_is_used_only_when_the_exact_uri_is_listed() {
    assert!(uri("cursor://anysphere.cursor-mcp/oauth/callback").usable(&[]));
    assert!(!uri("cursor://anysphere.cursor-mcp/oauth/callback2").usable(&[]));
    let listed = ["app://h/cb".to_owned()];
    assert!(uri("app://h/cb").usable(&listed));
    for other in ["app://h/cb2", "app://h/c", "APP://h/cb", "app:/h/cb"] {
        assert!(!uri(other).usable(&listed), "{other}");
    }
    assert!(uri("https://h.example/cb").usable(&[]));
}

#[test]
fn an_answer_keeps_the_query_and_names_each_of_ours_once() {
    let params = [("code", "c d"), ("state", "a&b=%"), ("iss", "https://cs.example")];
    assert_eq!(
        uri("https://h.example/cb").answer(&params),
        "https://h.example/cb?code=c%20d&state=a%26b%3D%25&iss=https%3A%2F%2Fcs.example"
    );
    assert_eq!(
        uri("https://h.example/cb?t=%41&iss=https://evil&%69ss=x&x").answer(&params),
        "https://h.example/cb?t=%41&x&code=c%20d&state=a%26b%3D%25&iss=https%3A%2F%2Fcs.example"
    );
}

proptest! {
    #[test]
    fn admission_is_equality_but_for_a_loopback_port(a in uris(), b in uris()) {
        let (x, y) = (RedirectUri::parse(&a), RedirectUri::parse(&b));
        if let (Ok(x), Ok(y)) = (x, y) {
            prop_assert_eq!(x.admits(&y), y.admits(&x));
            prop_assert_eq!(x.admits(&y), model(&a) == model(&b));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic_and_what_it_reads_is_plain(text in "\\PC{0,60}") {
        if let Ok(read) = RedirectUri::parse(&text) {
            prop_assert_eq!(read.as_str(), &text);
            prop_assert!(text.bytes().all(|b| b.is_ascii_graphic()));
            let answer = read.answer(&[("state", "\r\n<é")]);
            prop_assert!(answer.bytes().all(|b| b.is_ascii_graphic()));
        }
    }
}

fn uris() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec!["http", "https", "app"]);
    let host = prop::sample::select(vec!["localhost", "127.0.0.1", "[::1]", "h.example"]);
    let port = prop::sample::select(vec!["", ":1", ":80", ":99999"]);
    let path = prop::sample::select(vec!["", "/", "/cb", "/cb?x=:1", "/..", "/:1"]);
    (scheme, host, port, path).prop_map(|(s, h, p, r)| format!("{s}://{h}{p}{r}"))
}

/// The reference: the text itself, without the port when it is an http one.
fn model(text: &str) -> String {
    if !text.starts_with("http://") {
        return text.to_owned();
    }
    let (authority, rest) = match text[7..].find(['/', '?']) {
        Some(at) => text[7..].split_at(at),
        None => (&text[7..], ""),
    };
    let bare = [":1", ":80"].iter().find_map(|port| authority.strip_suffix(port)).unwrap_or(authority);
    format!("{bare}{rest}")
}
