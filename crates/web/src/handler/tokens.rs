//! `/tokens`: one's own tokens.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::session::require_sudo;
use countersign_app::token::{self, NewToken};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{TokenScope, TokenScopes};

use super::id;
use crate::answer::{PageProblem, go_to, status_and_log};
use crate::credential::SessionCaller;
use crate::form::{Fields, SignedForm};
use crate::live::{Snapshot, Watched};
use crate::page::settings::Sudo;
use crate::page::tokens::{Tokens, Typed, page};
use crate::state::Web;

const HOUR_S: i64 = 60 * 60;

/// The page.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Response, PageProblem> {
    whole(&web, &session, (None, &Typed::default(), None)).await.map_err(PageProblem)
}

/// Makes one, and shows its secret in the answer and nowhere else.
pub(crate) async fn create(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let (session, typed) = (&form.session, typed(&form.fields));
    let made = match wish(&typed) {
        Ok(new) => token::create(&web.app, &session.view.caller, new).await,
        Err(problem) => Err(problem),
    };
    match made {
        Ok(made) => Ok(whole(&web, session, (Some(made.secret.reveal()), &Typed::default(), None)).await?),
        Err(problem) if problem.code == Code::SudoRequired => Ok(go_to("/sudo?to=/tokens")),
        Err(problem) => {
            let page = whole(&web, session, (None, &typed, Some(&problem))).await?;
            Ok((status_and_log(&problem), page).into_response())
        }
    }
}

/// Ends one.
pub(crate) async fn revoke(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    token::revoke(&web.app, &form.session.view.caller, id(&text)?).await?;
    Ok(go_to("/tokens"))
}

fn typed(fields: &Fields) -> Typed {
    Typed {
        name: fields.text("name").to_owned(),
        scopes: fields.all("scope").filter_map(TokenScope::parse).collect(),
        hours: fields.text("hours").to_owned(),
    }
}

fn wish(typed: &Typed) -> Result<NewToken, Problem> {
    let hours: i64 =
        typed.hours.parse().map_err(|_| Problem::invalid("lifetime", "one of the offered ones"))?;
    let scopes = TokenScopes::new(typed.scopes.iter().copied());
    Ok(NewToken { name: typed.name.clone(), scopes, lifetime_s: hours.saturating_mul(HOUR_S) })
}

async fn whole(
    web: &Web,
    session: &SessionCaller,
    (secret, typed, problem): (Option<&str>, &Typed, Option<&Problem>),
) -> Result<Response, Problem> {
    let (caller, viewer) = (&session.view.caller, &session.view.viewer);
    let tokens = token::list(&web.app, caller).await?;
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let now = web.app.now();
    let sudo = if require_sudo(caller, now).is_ok() { Sudo::Open } else { Sudo::Closed };
    let view = Tokens { tokens: &tokens, sudo, secret, typed, problem };
    Ok(page(&snapshot.scene(viewer, now), &view, &snapshot.live(viewer)).into_response())
}
