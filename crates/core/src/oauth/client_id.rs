//! Stateless client ids (RFC 7591, appendix A.5.2): the registration itself, signed by this server.
//!
//! Nothing is stored for a registration, so none piles up and none is lost. The id holds only what
//! authorize needs: redirect URIs, name, time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::redirect::RedirectUri;
use crate::text::clean_name;
use crate::time::Timestamp;

/// The longest id that is issued or read.
pub const LONGEST: usize = 512;

/// The longest name that is kept, in characters.
pub const NAME_CHARACTERS: usize = 64;

const PREFIX: &str = "cs_cl_";
const VERSION: u8 = 1;
/// What is signed begins with this, so that the key signs nothing else by accident.
const CONTEXT: &[u8] = b"countersign client id 1\0";
/// The base64url of a SHA-256.
const SIGNATURE: usize = 43;
/// What is left of [`LONGEST`] for the payload, in bytes before base64url.
const PAYLOAD: usize = (LONGEST - PREFIX.len() - 1 - SIGNATURE) * 3 / 4;

/// The key that signs client ids. It has no `Debug`, so that no log can show it.
#[derive(Clone)]
pub struct ClientKey([u8; 32]);

/// What a client registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The name that it gave itself; unverified.
    pub name: String,
    /// Where it may be answered; at least one.
    pub redirect_uris: Vec<RedirectUri>,
    /// When, in whole seconds.
    pub issued_at: Timestamp,
}

/// The redirect URIs do not fit into an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl ClientKey {
    /// Wraps the key of `keys/`.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The id of a registration; a name that does not fit is cut.
    pub fn issue(&self, registration: &Registration) -> Result<String, TooLong> {
        let payload = URL_SAFE_NO_PAD.encode(write(registration)?);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(&payload).finalize().into_bytes());
        Ok(format!("{PREFIX}{payload}.{signature}"))
    }

    /// The registration behind an id that this key signed. Nothing is read before the signature
    /// was found good, in constant time.
    pub fn read(&self, id: &str) -> Option<Registration> {
        if id.len() > LONGEST {
            return None;
        }
        let (payload, signature) = id.strip_prefix(PREFIX)?.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(payload).verify_slice(&signature).ok()?;
        read(&URL_SAFE_NO_PAD.decode(payload).ok()?)
    }

    fn mac(&self, payload: &str) -> Hmac<Sha256> {
        // A key shorter than a block is filled with zeros (RFC 2104 §2).
        let mut block = [0; 64];
        block[..self.0.len()].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(CONTEXT);
        mac.update(payload.as_bytes());
        mac
    }
}

/// Version, seconds (4 bytes), name and URIs, each of these behind its length (2 bytes).
fn write(registration: &Registration) -> Result<Vec<u8>, TooLong> {
    let seconds = u32::try_from(registration.issued_at.seconds()).unwrap_or_default();
    let fixed = 1 + 4 + 2;
    let uris: usize = registration.redirect_uris.iter().map(|uri| 2 + uri.as_str().len()).sum();
    let room = PAYLOAD.checked_sub(fixed + uris).ok_or(TooLong)?;
    let mut out = vec![VERSION];
    out.extend_from_slice(&seconds.to_be_bytes());
    put(&mut out, cut(&clean_name(&registration.name, NAME_CHARACTERS), room))?;
    for uri in &registration.redirect_uris {
        put(&mut out, uri.as_str())?;
    }
    Ok(out)
}

fn put(out: &mut Vec<u8>, text: &str) -> Result<(), TooLong> {
    let length = u16::try_from(text.len()).map_err(|_| TooLong)?;
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// At most `limit` bytes, at a character boundary.
fn cut(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].trim_end()
}

fn read(bytes: &[u8]) -> Option<Registration> {
    let (&version, rest) = bytes.split_first()?;
    let (seconds, rest) = rest.split_first_chunk::<4>()?;
    let (name, mut rest) = take(rest)?;
    let mut redirect_uris = Vec::new();
    while !rest.is_empty() {
        let (uri, more) = take(rest)?;
        redirect_uris.push(RedirectUri::parse(uri).ok()?);
        rest = more;
    }
    let issued_at = Timestamp::from_millis(i64::from(u32::from_be_bytes(*seconds)) * 1000);
    let good = version == VERSION && !redirect_uris.is_empty();
    good.then(|| Registration { name: name.to_owned(), redirect_uris, issued_at })
}

fn take(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let (text, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    Some((std::str::from_utf8(text).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: ClientKey = ClientKey([7; 32]);

    fn registration(name: &str, uris: &[&str]) -> Registration {
        let redirect_uris = uris.iter().map(|uri| RedirectUri::parse(uri).unwrap()).collect();
        Registration {
            name: name.to_owned(),
            redirect_uris,
            issued_at: Timestamp::from_millis(1_796_000_000_000),
        }
    }

    #[test]
    fn an_id_gives_its_registration_back() {
        let cursor = registration(
            "Cursor",
            &[
                "https://www.cursor.com/agents/mcp/oauth/callback",
                "http://localhost:8787/callback",
                "cursor://anysphere.cursor-mcp/oauth/callback",
            ],
        );
        let id = KEY.issue(&cursor).unwrap();
        assert!(id.len() <= LONGEST, "{}", id.len());
        assert_eq!(KEY.read(&id), Some(cursor));
    }

    #[test]
    fn no_flipped_bit_cut_swap_or_other_key_is_read() {
        let id = KEY.issue(&registration("A", &["https://a.example/cb"])).unwrap();
        for at in 0..id.len() {
            for bit in 0..7 {
                let mut bytes = id.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let flipped = String::from_utf8(bytes).unwrap();
                assert_eq!(KEY.read(&flipped), None, "byte {at} bit {bit}");
            }
            assert_eq!(KEY.read(&id[..at]), None, "cut to {at}");
        }
        assert_eq!(KEY.read(&format!("{id}A")), None);
        assert_eq!(KEY.read(&format!("{id}=")), None);
        assert_eq!(ClientKey([8; 32]).read(&id), None);
        let other = KEY.issue(&registration("A", &["https://b.example/cb"])).unwrap();
        let swapped = format!("{}.{}", other.split_once('.').unwrap().0, id.split_once('.').unwrap().1);
        assert_eq!(KEY.read(&swapped), None);
        for nothing in ["", "cs_cl_", "cs_cl_.", ".", "a.b", "cs_cl_AQ.AQ"] {
            assert_eq!(KEY.read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn the_key_signs_nothing_but_client_ids() {
        let id = KEY.issue(&registration("A", &["https://a.example/cb"])).unwrap();
        let (payload, _) = id.strip_prefix(PREFIX).unwrap().split_once('.').unwrap();
        let mut bare = Hmac::<Sha256>::new_from_slice(&KEY.0).unwrap();
        bare.update(payload.as_bytes());
        let forged = format!("{PREFIX}{payload}.{}", URL_SAFE_NO_PAD.encode(bare.finalize().into_bytes()));
        assert_eq!(KEY.read(&forged), None);
    }

    #[test]
    fn an_id_longer_than_any_that_is_issued_is_not_read_even_when_signed() {
        let uri = format!("https://h.example/{}", "a".repeat(280));
        let bytes =
            [&[VERSION, 0, 0, 0, 0, 0, 0][..], &[1, 42], uri.as_bytes(), &[1, 42], uri.as_bytes()].concat();
        assert!(read(&bytes).is_some());
        let payload = URL_SAFE_NO_PAD.encode(bytes);
        let signature = URL_SAFE_NO_PAD.encode(KEY.mac(&payload).finalize().into_bytes());
        assert_eq!(KEY.read(&format!("{PREFIX}{payload}.{signature}")), None);
    }

    #[test]
    fn what_does_not_fit_is_told_and_a_long_name_is_cut() {
        let long = format!("https://h.example/{}", "a".repeat(280));
        assert_eq!(KEY.issue(&registration("A", &[&long, &long])), Err(TooLong));
        let id = KEY.issue(&registration(&"ü".repeat(500), &[&long])).unwrap();
        assert!(id.len() <= LONGEST);
        let name = KEY.read(&id).unwrap().name;
        assert!(!name.is_empty() && name.chars().all(|c| c == 'ü'), "{name}");
    }

    proptest! {
        #[test]
        fn any_name_survives_cleaned_and_every_id_fits(name in "\\PC{0,80}", uris in prop::collection::vec("https://[a-z]{1,20}\\.example/[a-z]{0,30}", 1..4)) {
            let uris: Vec<&str> = uris.iter().map(String::as_str).collect();
            let id = KEY.issue(&registration(&name, &uris)).unwrap();
            prop_assert!(id.len() <= LONGEST);
            let read = KEY.read(&id).unwrap();
            prop_assert!(clean_name(&name, NAME_CHARACTERS).starts_with(&read.name));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = read(&bytes);
        }
    }
}
