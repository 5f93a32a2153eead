//! URLs of strangers: what is read, and every spelling that two readers could read differently.

use proptest::prelude::*;

use super::*;

fn url(text: &str) -> HttpsUrl {
    HttpsUrl::parse(text).unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

#[test]
fn host_port_path_and_place_are_told() {
    for (text, host, port, path, place) in [
        ("https://claude.ai/oauth/x.json", "claude.ai", 443, "/oauth/x.json", "claude.ai"),
        ("https://a-b.example:8443", "a-b.example", 8443, "", "a-b.example:8443"),
        ("https://xn--e1afmkfd.example/?q=1", "xn--e1afmkfd.example", 443, "/", "xn--e1afmkfd.example"),
        ("https://h.example?q", "h.example", 443, "", "h.example"),
        ("https://h.example:443/a", "h.example", 443, "/a", "h.example"),
    ] {
        let read = url(text);
        assert_eq!(read.host(), &Host::Name(host.to_owned()), "{text}");
        assert_eq!((read.port(), read.path(), read.place().as_str()), (port, path, place), "{text}");
        assert_eq!(read.as_str(), text);
    }
}

#[test]
fn an_address_is_read_in_its_plain_form_alone() {
    assert_eq!(url("https://127.0.0.1/x").host(), &Host::Address(Ipv4Addr::LOCALHOST.into()));
    assert_eq!(url("https://[::1]:8/x").host(), &Host::Address(Ipv6Addr::LOCALHOST.into()));
    assert_eq!(url("https://[::1]:8/x").place(), "[::1]:8");
    for odd in [
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.1.",
        "0",
        "1.2.3.4.5",
        "h.example.0x7f",
        "h.1",
        "[127.0.0.1]",
        "[::1",
        "::1",
        "[::1%25eth0]",
        "[v1.x]",
        "127%2e0%2e0%2e1",
        "①.0.0.1",
    ] {
        assert!(HttpsUrl::parse(&format!("https://{odd}/x")).is_err(), "{odd}");
    }
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    for (text, why) in [
        ("", UrlRefusal::Length),
        ("http://h.example/x", UrlRefusal::Scheme),
        ("HTTPS://h.example/x", UrlRefusal::Scheme),
        ("https:/h.example/x", UrlRefusal::Scheme),
        ("//h.example/x", UrlRefusal::Scheme),
        ("https://u@h.example/x", UrlRefusal::UserInformation),
        ("https://u:p@h.example/x", UrlRefusal::UserInformation),
        ("https://claude.ai@evil.example/x", UrlRefusal::UserInformation),
        ("https:///x", UrlRefusal::Host),
        ("https://", UrlRefusal::Host),
        ("https://H.example/x", UrlRefusal::Host),
        ("https://h..example/x", UrlRefusal::Host),
        ("https://h.example./x", UrlRefusal::Host),
        ("https://h%2eexample/x", UrlRefusal::Host),
        ("https://h.example;a/x", UrlRefusal::Host),
        ("https://h.example:/x", UrlRefusal::Port),
        ("https://h.example:0/x", UrlRefusal::Port),
        ("https://h.example:065/x", UrlRefusal::Port),
        ("https://h.example:65536/x", UrlRefusal::Port),
        ("https://h.example:+1/x", UrlRefusal::Port),
        ("https://h.example/x#", UrlRefusal::Fragment),
        ("https://h.example/a/../x", UrlRefusal::DotSegment),
        ("https://h.example/./x", UrlRefusal::DotSegment),
        ("https://h.example/a/%2E%2e/x", UrlRefusal::DotSegment),
        ("https://h.example/a%2f..%2fx", UrlRefusal::DotSegment),
        ("https://h.example/a%5c..%5cx", UrlRefusal::DotSegment),
        ("https://h.example\\@evil.example/", UrlRefusal::Characters),
        ("https://h.example/a b", UrlRefusal::Characters),
        ("https://h.example/\r\nx", UrlRefusal::Characters),
        ("https://h.example/%", UrlRefusal::Characters),
        ("https://h.example/%2", UrlRefusal::Characters),
        ("https://hé.example/x", UrlRefusal::Characters),
        ("https://h.example/\u{202e}", UrlRefusal::Characters),
    ] {
        assert_eq!(HttpsUrl::parse(text), Err(why), "{text:?}");
    }
    assert_eq!(HttpsUrl::parse(&format!("https://h.example/{}", "a".repeat(500))), Err(UrlRefusal::Length));
    assert!(HttpsUrl::parse(&format!("https://{}.example/", "a".repeat(64))).is_err());
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(https://)?\\PC{0,60}") {
        if let Ok(read) = HttpsUrl::parse(&text) {
            prop_assert!(text.bytes().all(|b| b.is_ascii_graphic()));
            prop_assert!(text.starts_with("https://") && read.port() > 0);
        }
    }
}
