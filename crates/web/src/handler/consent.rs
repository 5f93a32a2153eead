//! `/external-assistant-authorize`: a person allows an assistant, or does not.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::oauth::{Answer, Approval, Choice, consent_decide, consent_view};
use countersign_app::passkey;
use countersign_app::secret::SecretHash;
use countersign_app::session::{self, SessionView, SignedIn};
use countersign_core::id::{ConnectionId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{Scope, Scopes};
use serde::Deserialize;

use super::sudo::given;
use crate::answer::{PageProblem, go_to, status_and_log};
use crate::cookie::begin_session;
use crate::credential::{SessionCaller, Visitor};
use crate::form::{Fields, SignedForm};
use crate::header::CONSENT_POLICY;
use crate::page::consent::{Asked, page};
use crate::query::Query;
use crate::state::Web;

/// Which question.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    #[serde(default)]
    h: String,
}

/// The question.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Question>,
) -> Result<Response, PageProblem> {
    let session = Session { view: session.view, token: session.cookie };
    ask(&web, &session, &asked.h, None).await.map_err(PageProblem)
}

/// The answer leads the browser to the client. What is wrong with it is said on the page, and it can be given again.
pub(crate) async fn submit(
    State(web): State<Web>,
    visitor: Visitor,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let handle = form.fields.text("h").to_owned();
    let mut session = Session { view: form.session.view, token: form.session.cookie };
    let mut fresh = None;
    let result = match prove(&web, &visitor, &session, &form.fields).await {
        Ok(None) => decide(&web, &session, &handle, &form.fields).await,
        Ok(Some(signed_in)) => {
            session = Session::under(&web, &signed_in).await?;
            fresh = Some(signed_in);
            decide(&web, &session, &handle, &form.fields).await
        }
        Err(problem) => Err(problem),
    };
    let mut response = match result {
        Ok(address) => go_to(&address),
        Err(problem) if problem.code == Code::ConsentNotOpen => PageProblem(problem).into_response(),
        Err(problem) => ask(&web, &session, &handle, Some(&problem))
            .await
            .unwrap_or_else(|problem| PageProblem(problem).into_response()),
    };
    // Whatever the answer is: the session goes on under its new token alone.
    if let Some(signed_in) = &fresh {
        begin_session(&web.app, response.headers_mut(), signed_in);
    }
    Ok(response)
}

/// The session that decides: its token changes when the password was given.
struct Session {
    view: SessionView,
    token: String,
}

impl Session {
    async fn under(web: &Web, signed_in: &SignedIn) -> Result<Self, Problem> {
        let token = signed_in.session.reveal().to_owned();
        let view = session::authenticate(&web.app, &token).await?;
        let view = view.ok_or_else(|| Problem::internal("a session that was just made is not there"))?;
        Ok(Self { view, token })
    }
}

async fn ask(
    web: &Web,
    session: &Session,
    handle: &str,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let view = consent_view(&web.app, &session.view.caller, SecretHash::of(&session.token), handle).await?;
    let status = problem.map_or(http::StatusCode::OK, status_and_log);
    let passkeys = view.asks_password && passkey::has_any(&web.app, &session.view.caller).await?;
    let asked = Asked { form_token: &session.view.viewer.csrf, passkeys };
    Ok((status, [CONSENT_POLICY], page(&asked, &view, problem)).into_response())
}

/// Proves the person once more where the form asked for their password or a passkey, and they approve.
async fn prove(
    web: &Web,
    visitor: &Visitor,
    session: &Session,
    fields: &Fields,
) -> Result<Option<SignedIn>, Problem> {
    let is_given = !fields.text("password").is_empty() || !fields.text("credential").is_empty();
    if !is_given || fields.text("answer") != "approve" {
        return Ok(None);
    }
    session::prove(&web.app, visitor.address, &session.token, given(fields)).await.map(Some)
}

async fn decide(web: &Web, session: &Session, handle: &str, fields: &Fields) -> Result<String, Problem> {
    let answer = match fields.text("answer") {
        "approve" => Answer::Approve(approval(fields)?),
        "deny" => Answer::Deny,
        _ => return Err(Problem::invalid("answer", "allow access, or cancel")),
    };
    let key = SecretHash::of(&session.token);
    consent_decide(&web.app, &session.view.caller, key, handle, answer).await
}

fn approval(fields: &Fields) -> Result<Approval, Problem> {
    let connection = match fields.text("connection") {
        "new" => Choice::New { name: fields.text("name").to_owned() },
        id => Choice::Pending(
            ConnectionId::parse(id).map_err(|_| Problem::invalid("connection", "one of the offered ones"))?,
        ),
    };
    Ok(Approval {
        workspace: fields.read("workspace", |text| WorkspaceId::parse(text).ok())?,
        scopes: Scopes::new(fields.all("scope").filter_map(Scope::parse)),
        connection,
    })
}
