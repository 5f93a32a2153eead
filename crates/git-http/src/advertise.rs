//! `info/refs`: what a clone, a fetch or a push begins with.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State as Shared};
use axum::response::Response;
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use http::StatusCode;
use serde::Deserialize;

use crate::conversation::Conversation;
use crate::credential::{self, Credential};
use crate::protocol::Protocol;
use crate::state::State;
use crate::{answer, door};

/// The line that begins an answer of the older protocols, in the framing of gitprotocol-common.
const UPLOAD: &[u8] = b"001e# service=git-upload-pack\n0000";
/// The same for a push, which has no newer protocol.
const RECEIVE: &[u8] = b"001f# service=git-receive-pack\n0000";

/// Which service is asked for.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    service: Option<String>,
}

/// Lists refs for a fetch or a push; says no to clients that know only the dumb protocol.
pub(crate) async fn refs(
    Shared(state): Shared<State>,
    Path((workspace, name)): Path<(String, String)>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    request: Request,
) -> Response {
    let asker = match credential::asker(&state.app, Credential::of(&request)).await {
        Ok(asker) => asker,
        Err(response) => return response,
    };
    let protocol = Protocol::of(request.headers());
    // A query that cannot be read asks for no service.
    let wanted = wanted.ok().and_then(|Query(wanted)| wanted.service);
    let mut response = match wanted.as_deref() {
        Some("git-upload-pack") => match door::open(&state, &asker.caller, &workspace, &name).await {
            Ok(repository) => list(&state, (&asker.caller, &repository), &protocol).await,
            Err(response) => response,
        },
        Some("git-receive-pack") => {
            match door::open_for_push(&state, &asker.caller, &workspace, &name).await {
                Ok(repository) => list_for_push(&state, (&asker.caller, repository)).await,
                Err(response) => response,
            }
        }
        Some(_) | None => {
            answer::plain(StatusCode::FORBIDDEN, "This server speaks smart HTTP alone. Update git.")
        }
    };
    answer::tell_rate(response.headers_mut(), asker.rate);
    response
}

async fn list(
    state: &State,
    (caller, repository): (&Caller, &std::path::Path),
    protocol: &Protocol,
) -> Response {
    let slot = match state.reading.slot(caller).await {
        Ok(slot) => slot,
        Err(response) => return response,
    };
    let command = state.app.git.git().command(repository, "upload-pack");
    let mut command = command.args(["--stateless-rpc", "--http-backend-info-refs", "."]);
    if let Some(value) = protocol.value() {
        command = command.env("GIT_PROTOCOL", value);
    }
    let first = if protocol.is_v2() { &b""[..] } else { UPLOAD };
    match Conversation::start(command, slot, state.limits.advertisement) {
        Ok(talk) => talk.answer("application/x-git-upload-pack-advertisement", first).await,
        Err(response) => response,
    }
}

async fn list_for_push(state: &State, (caller, repository): (&Caller, ResourceId)) -> Response {
    let slot = match state.writing.slot(caller).await {
        Ok(slot) => slot,
        Err(response) => return response,
    };
    let command = state.app.git.advertise_for_push(repository);
    match Conversation::start(command, slot, state.limits.advertisement) {
        Ok(talk) => talk.answer("application/x-git-receive-pack-advertisement", RECEIVE).await,
        Err(response) => response,
    }
}
