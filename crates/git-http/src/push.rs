//! `git-receive-pack`: what a client wants of the refs and a pack go in, and git says what became of it.

use axum::extract::{Path, Request, State as Shared};
use axum::response::Response;
use countersign_app::push;
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_git::GitError;
use countersign_git::receive::{Keep, Receiving};
use http::StatusCode;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};

use crate::conversation::Conversation;
use crate::credential::{self, Credential};
use crate::desk::Desk;
use crate::state::State;
use crate::{answer, body, door};

/// The least that a pack may have, so that a push which only removes is heard in a repository that is full.
const LEAST: u64 = 1 << 20;
/// Up to how many bytes a push is small.
const SMALL: u64 = 1 << 20;

/// Takes a push. Who asks may push there at this moment; whether they may push this is asked once it is all here.
pub(crate) async fn receive(
    Shared(state): Shared<State>,
    Path((workspace, name)): Path<(String, String)>,
    request: Request,
) -> Response {
    let asker = match credential::asker(&state.app, Credential::of(&request)).await {
        Ok(asker) => asker,
        Err(response) => return response,
    };
    let opened = door::open_for_push(&state, &asker.caller, &workspace, &name).await;
    let mut response = match opened {
        Ok(repository) => {
            talk(&state, asker.caller, repository, request).await.unwrap_or_else(|refused| refused)
        }
        Err(response) => response,
    };
    answer::tell_rate(response.headers_mut(), asker.rate);
    response
}

async fn talk(
    state: &State,
    caller: Caller,
    repository: ResourceId,
    request: Request,
) -> Result<Response, Response> {
    let kind = request.headers().get(CONTENT_TYPE).map(http::HeaderValue::as_bytes);
    if kind != Some(b"application/x-git-receive-pack-request") {
        let said = "The body is no request of git-receive-pack. Use git to push.";
        return Err(answer::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, said));
    }
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    // git names the length of what it sends at once, and sends what is larger in pieces.
    let keep =
        if length.is_some_and(|length: u64| length <= SMALL) { Keep::AsGitDoes } else { Keep::ThePack };
    let sent = body::reader(request)?;
    let slot = state.writing.slot(&caller).await?;
    let room = push::room(&state.app, repository).await.map_err(|problem| answer::problem(&problem))?;
    let lock = state.app.git.lock_for_push(repository).await.map_err(|error| failed(&error))?;
    let most = room.clamp(LEAST, state.limits.pack);
    let desk = Desk::open(&state.app, state.limits, caller, lock).map_err(|error| broken(&error))?;
    let receiving = Receiving { program: &state.program, most, keep };
    let command = match desk.lock() {
        Some(lock) => state.app.git.receive_pack(lock, receiving).map_err(|error| failed(&error))?,
        None => return Err(failed(&GitError::CutShort)),
    };
    let command = desk.tell(command).args(["--stateless-rpc", "."]);
    let talk = Conversation::start(command, slot, state.limits.push)?.for_push(
        desk,
        (&state.app.git, repository),
        room.saturating_add(state.limits.spare),
    );
    // git counts the pack itself and says so in its own words; this is for what never ends.
    let heard = talk.hear(sent, most.saturating_add(LEAST * 4), state.limits.idle);
    Ok(heard.answer("application/x-git-receive-pack-result", b"").await)
}

fn failed(error: &GitError) -> Response {
    if error.is_passing() {
        let said =
            "This repository is being tidied up, or is under many pushes. Push again in a few seconds.";
        return answer::later(StatusCode::SERVICE_UNAVAILABLE, said, 5);
    }
    broken(error)
}

fn broken(error: &(dyn std::error::Error + 'static)) -> Response {
    tracing::error!(error, "a push cannot be taken");
    answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "A push cannot be taken here. Tell the operator.")
}
