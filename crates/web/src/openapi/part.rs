//! What each type that handlers take or answer says of an operation.

use axum::Json;
use axum::extract::State;
use countersign_core::problem::Code;
use schemars::JsonSchema;
use serde_json::json;

use super::Document;
use super::draft::Draft;
use super::handler::{Input, Output};
use crate::api::answer::{Accepted, Created, NoContent};
use crate::api::condition::{Changed, IfMatch, IfNoneMatch, Tagged};
use crate::api::listing::{Linked, Paged, Window};
use crate::api::spot::{RawAnswer, Spot, SpotFields};
use crate::api::{ApiProblem, Body, Fields, Ids};
use crate::credential::{ApiCaller, ApiVisitor};
use crate::export::Exported;
use crate::state::Web;

impl Input for State<Web> {}
impl Input for ApiCaller {}
impl Input for ApiVisitor {}

impl<T: JsonSchema> Input for Ids<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.path::<T>();
    }
}

impl<T: JsonSchema> Input for Fields<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.query::<T>();
    }
}

impl<T: JsonSchema> Input for Body<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.body::<T>();
    }
}

impl Input for Paged {
    fn describe(draft: &mut Draft<'_>) {
        draft.query::<Window>();
    }
}

impl Input for Spot {
    fn describe(draft: &mut Draft<'_>) {
        draft.path::<countersign_core::id::ResourceId>();
        draft.query::<SpotFields>();
        for code in [Code::BranchNotFound, Code::PathNotFound, Code::ContentTooLarge, Code::RepositoryBusy] {
            draft.may(code);
        }
    }
}

impl Input for IfNoneMatch {
    fn describe(draft: &mut Draft<'_>) {
        draft.header("If-None-Match", "The `ETag` of what is known already.");
    }
}

impl Input for IfMatch {
    fn describe(draft: &mut Draft<'_>) {
        draft.header("If-Match", "The `ETag` of what was looked at; anything else is not changed.");
        draft.may(Code::PreconditionFailed);
    }
}

impl<T: Output> Output for Result<T, ApiProblem> {
    fn describe(draft: &mut Draft<'_>) {
        T::describe(draft);
    }
}

impl<T: JsonSchema> Output for Json<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(200, "Done.");
    }
}

impl<T: JsonSchema> Output for Created<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(201, "Made.");
    }
}

impl<T: JsonSchema> Output for Accepted<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(202, "Begun; it goes on by itself.");
    }
}

impl Output for NoContent {
    fn describe(draft: &mut Draft<'_>) {
        draft.answer(204, "Done; there is nothing to say.", &[]);
    }
}

impl<T: JsonSchema> Output for Linked<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(200, "A page of the list.");
        draft.tells("Link", "The next page, `rel=\"next\"` (RFC 8288), if there is one.", false);
    }
}

impl<T: JsonSchema> Output for Tagged<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(200, "As it stands.");
        draft.answer(304, "It is what `If-None-Match` names.", &[]);
        draft.tells("ETag", "What tells this state from others (RFC 9110 §8.8.3); strong.", true);
    }
}

impl<T: JsonSchema> Output for Changed<T> {
    fn describe(draft: &mut Draft<'_>) {
        draft.gives::<T>(200, "As it stands now.");
        draft.tells("ETag", "What tells this state from others (RFC 9110 §8.8.3); strong.", true);
    }
}

impl Output for Document {
    fn describe(draft: &mut Draft<'_>) {
        draft.answer(200, "The document.", &[("application/json", json!({ "type": "object" }))]);
        draft.answer(304, "It is what `If-None-Match` names.", &[]);
        draft.tells("ETag", "What tells this document from others; strong.", true);
    }
}

impl Output for RawAnswer {
    fn describe(draft: &mut Draft<'_>) {
        // Bytes, whatever they are (OpenAPI 3.1 §4.8.14.3).
        let bytes = json!({});
        let media = [
            "text/plain; charset=utf-8",
            "application/octet-stream",
            "image/png",
            "image/jpeg",
            "image/gif",
            "image/webp",
        ];
        draft.answer(200, "The bytes of the file.", &media.map(|media| (media, bytes.clone())));
    }
}

impl Output for Exported {
    fn describe(draft: &mut Draft<'_>) {
        let text = json!({ "type": "string" });
        let media = ["application/jsonl", "text/csv; charset=utf-8; header=present"];
        draft.answer(200, "All records, one a line.", &media.map(|media| (media, text.clone())));
    }
}
