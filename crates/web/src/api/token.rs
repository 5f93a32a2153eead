//! `/api/v1/tokens`: a person's own tokens. Making one takes mail address and password, never another token.

use axum::extract::State;
use countersign_app::session::{Credentials, by_password};
use countersign_app::token::{self, NewToken};
use countersign_core::api::token::{MadeToken, MakeToken, TokenItem};
use countersign_core::id::TokenId;
use countersign_core::problem::Problem;
use countersign_core::scope::{TokenScope, TokenScopes};

use super::answer::{Created, NoContent};
use super::listing::{Listed, Paged};
use super::{ApiProblem, Body, Ids};
use crate::credential::{ApiCaller, ApiVisitor};
use crate::state::Web;

const HOUR_S: i64 = 60 * 60;
const DAY_S: i64 = 24 * HOUR_S;

/// Makes a token for whoever knows the password; attempts are counted as those of a sign-in.
pub(crate) async fn create(
    State(web): State<Web>,
    visitor: ApiVisitor,
    Body(body): Body<MakeToken>,
) -> Result<Created<MadeToken>, ApiProblem> {
    let input = wish(&body)?;
    let credentials = Credentials { mail: body.mail, password: body.password };
    let caller = by_password(&web.app, visitor.address, credentials).await?;
    let made = token::create(&web.app, &caller, input).await?;
    let answer = MadeToken {
        id: made.token.id,
        token: made.secret.reveal().to_owned(),
        scopes: words(&made.token.scopes),
        expires_at: made.token.expires_at,
    };
    Ok(Created(answer))
}

/// Lists the person's tokens.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<TokenItem> {
    let page = token::page(&web.app, &caller, paged.part.clone()).await?;
    let item = |token: token::view::TokenView| TokenItem {
        id: token.id,
        name: token.name,
        scopes: words(&token.scopes),
        created_at: token.created_at,
        expires_at: token.expires_at,
    };
    Ok(paged.items(page, item))
}

/// Revokes one.
pub(crate) async fn revoke(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<TokenId>,
) -> Result<NoContent, ApiProblem> {
    token::revoke(&web.app, &caller, id).await?;
    Ok(NoContent)
}

fn wish(body: &MakeToken) -> Result<NewToken, Problem> {
    let lifetime_s = match (body.days, body.hours) {
        (Some(days), None) => i64::from(days) * DAY_S,
        (None, Some(hours)) => i64::from(hours) * HOUR_S,
        (None, None) | (Some(_), Some(_)) => {
            return Err(Problem::invalid("days", "give either `days` or `hours`"));
        }
    };
    let scope = |word: &String| {
        let known = TokenScope::ALL.map(TokenScope::as_str).join(", ");
        TokenScope::parse(word).ok_or_else(|| Problem::invalid("scopes", format!("each one of {known}")))
    };
    let scopes = body.scopes.iter().map(scope).collect::<Result<Vec<_>, _>>()?;
    Ok(NewToken { name: body.name.clone(), scopes: TokenScopes::new(scopes), lifetime_s })
}

fn words(scopes: &TokenScopes) -> Vec<String> {
    scopes.iter().map(|scope| scope.as_str().to_owned()).collect()
}
