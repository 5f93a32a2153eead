//! `git-upload-pack`: what a client has and wants goes in, a pack comes out.

use axum::extract::{Path, Request, State as Shared};
use axum::response::Response;
use countersign_core::caller::Caller;
use http::StatusCode;
use http::header::CONTENT_TYPE;

use crate::conversation::Conversation;
use crate::credential::{self, Credential};
use crate::protocol::Protocol;
use crate::state::State;
use crate::{answer, body, door};

/// One round of a fetch. Nothing is kept between rounds: the protocol is stateless over HTTP.
pub(crate) async fn fetch(
    Shared(state): Shared<State>,
    Path((workspace, name)): Path<(String, String)>,
    request: Request,
) -> Response {
    let asker = match credential::asker(&state.app, Credential::of(&request)).await {
        Ok(asker) => asker,
        Err(response) => return response,
    };
    let opened = door::open(&state, &asker.caller, &workspace, &name).await;
    let mut response = match opened {
        Ok(repository) => talk(&state, (&asker.caller, &repository), request).await,
        Err(response) => response,
    };
    answer::tell_rate(response.headers_mut(), asker.rate);
    response
}

async fn talk(
    state: &State,
    (caller, repository): (&Caller, &std::path::Path),
    request: Request,
) -> Response {
    let kind = request.headers().get(CONTENT_TYPE).map(http::HeaderValue::as_bytes);
    if kind != Some(b"application/x-git-upload-pack-request") {
        let said = "The body is no request of git-upload-pack. Use git to fetch.";
        return answer::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, said);
    }
    let protocol = Protocol::of(request.headers());
    let sent = match body::reader(request) {
        Ok(sent) => sent,
        Err(response) => return response,
    };
    let slot = match state.reading.slot(caller).await {
        Ok(slot) => slot,
        Err(response) => return response,
    };
    let command = state.app.git.git().command(repository, "upload-pack");
    let mut command = command.args(["--stateless-rpc", "--strict", "--timeout=120", "."]);
    if let Some(value) = protocol.value() {
        command = command.env("GIT_PROTOCOL", value);
    }
    match Conversation::start(command, slot, state.limits.fetch) {
        Ok(talk) => {
            let heard = talk.hear(sent, state.limits.request, state.limits.idle);
            heard.answer("application/x-git-upload-pack-result", b"").await
        }
        Err(response) => response,
    }
}
