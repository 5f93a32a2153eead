//! Whose address a request comes from: the peer's, or what a trusted proxy says of whom it speaks for.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderMap;
use axum::middleware::{self, Next};
use axum::response::Response;
use ipnet::IpNet;
use serde::Deserialize;

/// One proxy, or a network of them: `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct TrustedProxy(IpNet);

/// The text is neither an address nor a network.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is neither an IP address nor a network, as 10.0.0.7 or 10.0.0.0/8")]
pub struct NotAProxy(String);

impl FromStr for TrustedProxy {
    type Err = NotAProxy;
    fn from_str(text: &str) -> Result<Self, NotAProxy> {
        let address = text.parse().map(|address: IpAddr| IpNet::from(address.to_canonical()));
        address.or_else(|_| text.parse()).map(Self).map_err(|_| NotAProxy(text.to_owned()))
    }
}

impl TryFrom<String> for TrustedProxy {
    type Error = NotAProxy;
    fn try_from(text: String) -> Result<Self, NotAProxy> {
        text.parse()
    }
}

impl std::fmt::Display for TrustedProxy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The client's address. Whoever writes `X-Forwarded-For` can write anything, so it is read from the right, where
/// the nearest proxy wrote, and no further than the first address that is not a trusted proxy's. `forwarded` is the
/// header's entries from left to right; one that is no address ends the reading.
fn client<'a>(
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &[TrustedProxy],
) -> IpAddr {
    let mut nearest = peer.to_canonical();
    for entry in forwarded.rev() {
        if !trusted.iter().any(|proxy| proxy.0.contains(&nearest)) {
            break;
        }
        let Some(before) = address(entry) else { break };
        nearest = before;
    }
    nearest
}

/// An entry: an address alone, or with the port that some proxies add.
fn address(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let with_port = || entry.parse().map(|socket: SocketAddr| socket.ip());
    let bracketed = || entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let found = entry.parse().or_else(|_| with_port()).ok().or_else(bracketed);
    found.map(|address| address.to_canonical())
}

/// Lets everything behind it see the client's address where the door put the peer's.
pub(crate) fn seen_through(router: Router, trusted: &[TrustedProxy]) -> Router {
    let trusted: Arc<[TrustedProxy]> = trusted.into();
    router.layer(middleware::from_fn_with_state(trusted, put_client))
}

async fn put_client(
    State(trusted): State<Arc<[TrustedProxy]>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>().copied() {
        let address = client(peer.ip(), forwarded(request.headers()), &trusted);
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, peer.port())));
    }
    next.run(request).await
}

/// The entries of all such headers; several are one list (RFC 9110 §5.3). One that is no text is no address either.
fn forwarded(headers: &HeaderMap) -> impl DoubleEndedIterator<Item = &str> {
    let lines = headers.get_all("x-forwarded-for").iter();
    lines.flat_map(|line| line.to_str().unwrap_or_default().split(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    use axum::body::{Body, to_bytes};
    use tower::ServiceExt as _;

    fn trusted(list: &[&str]) -> Vec<TrustedProxy> {
        list.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn only_a_trusted_proxy_says_who_the_client_is() {
        let two = &["10.0.0.0/8", "fd00::1"][..];
        let table: &[(&[&str], &str, &str, &str)] = &[
            // trusted, peer, header, client
            (&[], "10.0.0.1", "192.0.2.1", "10.0.0.1"),
            (two, "192.0.2.9", "192.0.2.1", "192.0.2.9"),
            (two, "10.0.0.1", "", "10.0.0.1"),
            (two, "10.0.0.1", "192.0.2.1", "192.0.2.1"),
            (two, "fd00::1", "192.0.2.1", "192.0.2.1"),
            (two, "fd00::2", "192.0.2.1", "fd00::2"),
            // What the client wrote stands left of what the proxy added, and is not read.
            (two, "10.0.0.1", "198.51.100.7, 192.0.2.1", "192.0.2.1"),
            (two, "10.0.0.1", "198.51.100.7, 10.9.9.9, 192.0.2.1", "192.0.2.1"),
            // Of several proxies in a row each is skipped.
            (two, "10.0.0.1", "198.51.100.7, 192.0.2.1, 10.0.0.3, fd00::1", "192.0.2.1"),
            (two, "10.0.0.1", "10.0.0.2,10.0.0.3", "10.0.0.2"),
            // What is no address is nobody's: the nearest that is known counts.
            (two, "10.0.0.1", "192.0.2.1, unknown", "10.0.0.1"),
            (two, "10.0.0.1", "192.0.2.1, unknown, 10.0.0.3", "10.0.0.3"),
            // Ports, brackets, and IPv4 in the clothes of IPv6.
            (two, "10.0.0.1", "192.0.2.1:4711", "192.0.2.1"),
            (two, "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
            (two, "10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
            (two, "::ffff:10.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"),
            (&["::ffff:10.0.0.1"], "10.0.0.1", "192.0.2.1", "192.0.2.1"),
        ];
        for (proxies, peer, header, expected) in table {
            let entries = header.split(',').filter(|entry| !entry.is_empty());
            let found = client(peer.parse().unwrap(), entries, &trusted(proxies));
            assert_eq!(found.to_string(), *expected, "{proxies:?} {peer} {header}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        for good in ["10.0.0.7", "10.0.0.0/8", "fd00::/8", "::1"] {
            assert!(good.parse::<TrustedProxy>().is_ok(), "{good}");
        }
        for bad in ["", "proxy.example", "10.0.0.0/33", "10.0.0", "10.0.0.1:80", "*"] {
            assert!(bad.parse::<TrustedProxy>().is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn everything_behind_sees_the_client_and_several_headers_are_one_list() {
        let hello =
            Router::new().fallback(async |ConnectInfo(who): ConnectInfo<SocketAddr>| who.ip().to_string());
        let router = seen_through(hello, &trusted(&["10.0.0.0/8"]));
        let request = Request::builder()
            .header("x-forwarded-for", "198.51.100.7")
            .header("x-forwarded-for", "192.0.2.1, 10.0.0.2")
            .extension(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 1))))
            .body(Body::empty());
        let answer = router.oneshot(request.unwrap()).await.unwrap();
        assert_eq!(to_bytes(answer.into_body(), 99).await.unwrap(), "192.0.2.1");
    }
}
