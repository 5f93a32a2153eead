//! Lists, a page at a time: `limit` and `after` of a query, `next` of the body, and the `Link` that says the same.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use countersign_core::api::Items;
use countersign_core::limit::PAGE;
use countersign_core::page::{Cursor, LONGEST, Part, Slice};
use countersign_core::problem::Problem;
use http::request::Parts;
use http::{HeaderValue, Uri, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ApiProblem;
use crate::state::Web;

/// The fields of the query of a list.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Window {
    /// How many items at most.
    #[serde(default)]
    #[schemars(with = "Option<usize>", range(min = 1, max = PAGE))]
    limit: Option<String>,
    /// The `next` of the page before.
    #[serde(default)]
    #[schemars(length(min = 1, max = LONGEST), pattern("^[A-Za-z0-9_-]+$"))]
    after: Option<String>,
}

/// The part of a list that is asked for.
#[derive(Debug)]
pub(crate) struct Paged {
    /// The part.
    pub(crate) part: Part,
    uri: Uri,
}

impl FromRequestParts<Web> for Paged {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        let Window { limit, after } = crate::query::read(parts)?;
        let wrong = || Problem::invalid("limit", format!("from 1 to {PAGE}"));
        let limit = limit.map(|text| text.parse().map_err(|_| wrong())).transpose()?;
        Ok(Self { part: Part::new(limit, after.as_deref())?, uri: parts.uri.clone() })
    }
}

/// A page, with the link to the one behind it.
#[derive(Debug)]
pub(crate) struct Linked<T> {
    body: T,
    link: Option<HeaderValue>,
}

/// A page of plain items.
pub(crate) type Listed<T> = Result<Linked<Items<T>>, ApiProblem>;

impl Paged {
    /// The answer that holds these items.
    pub(crate) fn items<T, U>(self, slice: Slice<T>, item: impl FnMut(T) -> U) -> Linked<Items<U>> {
        let link = slice.next.as_ref().and_then(|next| link(&self.uri, next));
        let next = slice.next.map(|next| next.to_string());
        Linked { body: Items { items: slice.items.into_iter().map(item).collect(), next }, link }
    }

    /// Another answer that tells `next`.
    pub(crate) fn body<T>(self, body: T, next: Option<&Cursor>) -> Linked<T> {
        Linked { body, link: next.and_then(|next| link(&self.uri, next)) }
    }
}

impl<T: Serialize> IntoResponse for Linked<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.body).into_response();
        if let Some(link) = self.link {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}

/// `<…>; rel="next"` (RFC 8288 §3): the same address with another `after`. No URI that was parsed holds `<` or `>`.
fn link(uri: &Uri, next: &Cursor) -> Option<HeaderValue> {
    let fields = uri.query().unwrap_or_default().split('&');
    let kept = fields.filter(|field| !field.is_empty() && field.split('=').next() != Some("after"));
    let query: String = kept.flat_map(|field| [field, "&"]).collect();
    HeaderValue::from_bytes(format!("<{}?{query}after={next}>; rel=\"next\"", uri.path()).as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_the_same_address_with_another_cursor() {
        let next = Cursor::new("b", "2");
        for (uri, before) in [
            ("/a", "</a?"),
            ("/a?after=x", "</a?"),
            ("/a?limit=2&after=x&q=a%26b", "</a?limit=2&q=a%26b&"),
            ("/a?afterwards=1", "</a?afterwards=1&"),
        ] {
            let link = link(&uri.parse().unwrap(), &next).unwrap();
            assert_eq!(link.to_str().unwrap(), format!("{before}after={next}>; rel=\"next\""));
        }
    }
}
