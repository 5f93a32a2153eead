//! Passkeys (W3C Web Authentication Level 3): for whom they are made, what they are asked for, when one is refused.

/// The most passkeys that a person may have.
pub const MOST: usize = 20;

/// How long a challenge waits for its answer, in seconds.
pub const CHALLENGE_S: i64 = 5 * 60;

/// The longest id of a credential, in bytes (Level 3 §7.1, step 25).
pub const LONGEST_ID: usize = 1023;

/// The algorithms that are asked for and taken, the most wished-for first: EdDSA, ES256, RS256 (RFC 9053 §2, RFC 8812).
pub const ALGORITHMS: [i32; 3] = [-8, -7, -257];

/// Whom passkeys are made for: the site of the one public address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// Its id, a domain: what an authenticator binds a passkey to.
    pub id: String,
    /// The one origin whose pages may use them.
    pub origin: String,
}

impl RelyingParty {
    /// Reads it from the public address, `http(s)://host[:port]`. There is none where browsers have no passkeys: at a bare
    /// IP address (Level 3 §5.1.3: an effective domain is a domain), and over plain http but for localhost (§13.4.9).
    pub fn of(public_url: &str) -> Option<Self> {
        let (scheme, rest) = public_url.split_once("://")?;
        let rest = rest.trim_end_matches('/').to_ascii_lowercase();
        let (host, port) = match rest.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (rest.as_str(), None),
        };
        let is_local = host == "localhost" || host.ends_with(".localhost");
        let usual = match scheme {
            "https" => "443",
            "http" if is_local => "80",
            _ => return None,
        };
        if !is_domain(host) {
            return None;
        }
        let origin = match port {
            Some(port) if port != usual => format!("{scheme}://{host}:{port}"),
            Some(_) | None => format!("{scheme}://{host}"),
        };
        Some(Self { id: host.to_owned(), origin })
    }
}

/// Labels of letters, digits and hyphens, the last of which is no number: that would be an address (URL Standard §3.5).
fn is_domain(host: &str) -> bool {
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let last = host.rsplit('.').next().unwrap_or_default();
    host.split('.').all(is_label) && !last.bytes().all(|b| b.is_ascii_digit())
}

/// What a passkey is asked for. A challenge that was made for one opens no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A new one is made.
    Register,
    /// Somebody signs in.
    SignIn,
    /// Who is signed in proves it again.
    Prove,
}

impl Purpose {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::SignIn => "sign_in",
            Self::Prove => "prove",
        }
    }
}

/// What the count of a passkey says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It went on, or this authenticator does not count.
    On,
    /// It stood or went back: somebody else may use a copy.
    Back,
}

/// Compares the count of signatures that was seen last with the one of now (Level 3 §7.2, step 22). Zero and zero is an
/// authenticator that does not count.
pub const fn counted(seen: u32, now: u32) -> Counted {
    if now > seen || (now == 0 && seen == 0) { Counted::On } else { Counted::Back }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Option<(String, String)> {
        RelyingParty::of(url).map(|party| (party.id, party.origin))
    }

    fn party(id: &str, origin: &str) -> (String, String) {
        (id.to_owned(), origin.to_owned())
    }

    #[test]
    fn the_public_address_alone_says_whose_passkeys_they_are() {
        assert_eq!(of("https://Sign.Example"), Some(party("sign.example", "https://sign.example")));
        assert_eq!(of("https://sign.example:443/"), Some(party("sign.example", "https://sign.example")));
        assert_eq!(of("https://sign.example:8443"), Some(party("sign.example", "https://sign.example:8443")));
        assert_eq!(of("http://localhost:8420"), Some(party("localhost", "http://localhost:8420")));
        assert_eq!(of("http://box.localhost"), Some(party("box.localhost", "http://box.localhost")));
    }

    #[test]
    fn an_address_where_browsers_have_no_passkeys_has_none() {
        for url in [
            "http://127.0.0.1:8420",
            "https://10.0.0.7",
            "https://[::1]:8420",
            "https://0x7f.1",
            "http://sign.example",
            "ftp://localhost",
            "localhost",
            "https://a..b",
            "https://",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    #[test]
    fn a_count_that_does_not_grow_is_a_copy_unless_nothing_is_counted() {
        for (seen, now, verdict) in [
            (0, 0, Counted::On),
            (0, 1, Counted::On),
            (7, 8, Counted::On),
            (7, 7, Counted::Back),
            (7, 6, Counted::Back),
            (7, 0, Counted::Back),
            (u32::MAX, 0, Counted::Back),
        ] {
            assert_eq!(counted(seen, now), verdict, "{seen} {now}");
        }
    }
}
