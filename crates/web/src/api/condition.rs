//! Entity tags and the conditions on them (RFC 9110 §8.8.3 and §13): who reads is told when nothing changed, and who
//! changes overwrites nothing that they did not see.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use countersign_core::problem::{Code, Problem};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::ApiProblem;
use crate::state::Web;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Asked for anew each time, and kept by nobody but who asked.
const REVALIDATED: HeaderValue = HeaderValue::from_static("private, no-cache");

/// A strong tag: of the very bytes of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag(String);

impl Tag {
    /// The tag of these bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..18]))
    }

    fn header(&self) -> Result<HeaderValue, Problem> {
        HeaderValue::try_from(format!("\"{}\"", self.0)).map_err(Problem::internal)
    }
}

/// What a header names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    /// `*`: whatever is there.
    Anything,
    /// Tags, each weak or not. A header that cannot be read names none.
    Tags(Vec<(Strength, String)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strength {
    Strong,
    Weak,
}

impl Named {
    fn read(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        let mut values = headers.get_all(name).iter().peekable();
        values.peek()?;
        let mut tags = Vec::new();
        for value in values {
            let text = value.to_str().unwrap_or_default().trim();
            if text == "*" {
                return Some(Self::Anything);
            }
            match read_tags(text) {
                Some(more) => tags.extend(more),
                None => return Some(Self::Tags(Vec::new())),
            }
        }
        Some(Self::Tags(tags))
    }

    /// The strong comparison of RFC 9110 §8.8.3.2, for changes.
    fn is_exactly(&self, tag: &Tag) -> bool {
        match self {
            Self::Anything => true,
            Self::Tags(tags) => tags.iter().any(|(s, text)| *s == Strength::Strong && *text == tag.0),
        }
    }

    /// The weak one, for reads.
    fn is_much_like(&self, tag: &Tag) -> bool {
        match self {
            Self::Anything => true,
            Self::Tags(tags) => tags.iter().any(|(_, text)| *text == tag.0),
        }
    }
}

/// Reads `"a", W/"b"`; a tag holds no quotation mark, but may hold a comma.
fn read_tags(text: &str) -> Option<Vec<(Strength, String)>> {
    let (mut rest, mut tags) = (text.trim_start_matches([' ', '\t', ',']), Vec::new());
    while !rest.is_empty() {
        let (strength, quoted) = match rest.strip_prefix("W/") {
            Some(quoted) => (Strength::Weak, quoted),
            None => (Strength::Strong, rest),
        };
        let (tag, behind) = quoted.strip_prefix('"')?.split_once('"')?;
        tags.push((strength, tag.to_owned()));
        let next = behind.trim_start_matches([' ', '\t']);
        if !next.is_empty() && !next.starts_with(',') {
            return None;
        }
        rest = next.trim_start_matches([' ', '\t', ',']);
    }
    Some(tags)
}

/// `If-None-Match`: what the caller knows already.
#[derive(Clone, Debug)]
pub(crate) struct IfNoneMatch(Option<Named>);

/// `If-Match`: what the caller looked at.
#[derive(Clone, Debug)]
pub(crate) struct IfMatch(Option<Named>);

impl FromRequestParts<Web> for IfNoneMatch {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        Ok(Self(Named::read(&parts.headers, &header::IF_NONE_MATCH)))
    }
}

impl FromRequestParts<Web> for IfMatch {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        Ok(Self(Named::read(&parts.headers, &header::IF_MATCH)))
    }
}

impl IfMatch {
    /// Whether there is a condition at all.
    pub(crate) const fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Passes when what stands there is what was looked at.
    pub(crate) fn check(&self, present: &impl Serialize) -> Result<(), Problem> {
        let Some(named) = &self.0 else { return Ok(()) };
        let tag = Tag::of(&serde_json::to_vec(present).map_err(Problem::internal)?);
        if named.is_exactly(&tag) { Ok(()) } else { Err(failed()) }
    }

    /// The refusal of a change: who named what they looked at is told that it is not there any more.
    pub(crate) fn told(&self, problem: Problem) -> ApiProblem {
        if self.is_given() && problem.code == Code::VersionConflict {
            return failed().into();
        }
        problem.into()
    }
}

fn failed() -> Problem {
    Problem::new(Code::PreconditionFailed, "It is not any more what `If-Match` names.")
}

/// Something with versions: the answer carries its tag, or says that it is known already.
#[derive(Debug)]
pub(crate) struct Tagged<T> {
    body: T,
    known: IfNoneMatch,
}

impl<T> Tagged<T> {
    /// As it stands now, for a caller who knows some state of it.
    pub(crate) const fn new(body: T, known: IfNoneMatch) -> Self {
        Self { body, known }
    }
}

impl<T: Serialize> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.body) {
            Ok(bytes) => {
                let tag = Tag::of(&bytes);
                fresh(bytes.into(), &tag, &self.known)
            }
            Err(error) => ApiProblem(Problem::internal(error)).into_response(),
        }
    }
}

/// The same after a change of it.
#[derive(Debug)]
pub(crate) struct Changed<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Changed<T> {
    fn into_response(self) -> Response {
        Tagged::new(self.0, IfNoneMatch(None)).into_response()
    }
}

/// The answer of these bytes of JSON, or 304 (RFC 9110 §15.4.5).
pub(crate) fn fresh(bytes: Bytes, tag: &Tag, known: &IfNoneMatch) -> Response {
    let tag_header = match tag.header() {
        Ok(header) => header,
        Err(problem) => return ApiProblem(problem).into_response(),
    };
    let headers = [(header::ETAG, tag_header), (header::CACHE_CONTROL, REVALIDATED)];
    if known.0.as_ref().is_some_and(|named| named.is_much_like(tag)) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, [(header::CONTENT_TYPE, JSON)], bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[&'static str]) -> Option<Named> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_MATCH, HeaderValue::from_static(value));
        }
        Named::read(&headers, &header::IF_MATCH)
    }

    #[test]
    fn a_header_names_tags_or_anything() {
        let tag = |strength, text: &str| (strength, text.to_owned());
        let strong = |text| tag(Strength::Strong, text);
        assert_eq!(named(&[]), None);
        assert_eq!(named(&["*"]), Some(Named::Anything));
        let several = Named::Tags(vec![strong("a,b"), tag(Strength::Weak, "c"), strong("")]);
        assert_eq!(named(&["\"a,b\" , W/\"c\",,\"\""]), Some(several));
        assert_eq!(named(&["\"a\"", "\"b\""]), Some(Named::Tags(vec![strong("a"), strong("b")])));
    }

    #[test]
    fn a_header_that_cannot_be_read_names_nothing() {
        for wrong in ["a", "\"a", "\"a\"b", "\"a\" \"b\"", "w/\"a\"", "a\"b\""] {
            assert_eq!(named(&[wrong]), Some(Named::Tags(Vec::new())), "{wrong}");
        }
    }

    #[test]
    fn a_change_takes_the_very_tag_and_a_read_a_weak_one_too() {
        let tag = Tag("a".to_owned());
        let (strong, weak) = (named(&["\"a\""]).unwrap(), named(&["W/\"a\""]).unwrap());
        assert!(strong.is_exactly(&tag) && strong.is_much_like(&tag));
        assert!(!weak.is_exactly(&tag) && weak.is_much_like(&tag));
        let other = named(&["\"b\""]).unwrap();
        assert!(!other.is_exactly(&tag) && !other.is_much_like(&tag));
    }

    #[test]
    fn other_bytes_have_another_tag() {
        assert_ne!(Tag::of(b"{\"a\":1}"), Tag::of(b"{\"a\":2}"));
    }
}
