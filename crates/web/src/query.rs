//! What stands in the query of an address of a page.

pub(crate) mod audit;

use axum::extract::{FromRequestParts, Query as Axum};
use countersign_core::problem::Problem;
use http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::answer::PageProblem;
use crate::state::Web;

/// What a list is asked for.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    /// A part of a name.
    #[serde(default)]
    pub(crate) q: String,
}

/// The fields of a query. One that cannot be read, such as a field that stands there twice, is refused in words.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Web> for Query<T> {
    type Rejection = PageProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        read(parts).map(Self).map_err(PageProblem)
    }
}

/// Reads a query, for pages and for the API alike.
pub(crate) fn read<T: DeserializeOwned>(parts: &Parts) -> Result<T, Problem> {
    let read = Axum::<T>::try_from_uri(&parts.uri);
    read.map(|Axum(fields)| fields).map_err(|_| {
        Problem::invalid("query", "each field once, as `name=value`")
            .next("Correct what follows the question mark in the address.")
    })
}
