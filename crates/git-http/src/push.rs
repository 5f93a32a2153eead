//! `git-receive-pack`: refused to everybody. What changes a repository here is approved by a person.

use axum::extract::{Request, State as Shared};
use axum::response::Response;
use http::StatusCode;

use crate::answer;
use crate::credential::{self, Credential};
use crate::state::State;

/// Says no, once it is known who asks; it does not say whether there is such a repository.
pub(crate) async fn refuse(Shared(state): Shared<State>, request: Request) -> Response {
    match credential::asker(&state.app, Credential::of(&request)).await {
        Ok(asker) => {
            let mut response = refusal();
            answer::tell_rate(response.headers_mut(), asker.rate);
            response
        }
        Err(response) => response,
    }
}

/// The refusal of a push.
pub(crate) fn refusal() -> Response {
    let said = "This server does not take pushes yet. Let an assistant propose the change and approve it in the app.";
    answer::plain(StatusCode::FORBIDDEN, said)
}
