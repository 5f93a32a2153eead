//! The caller's live tokens.

use countersign_core::caller::Caller;
use countersign_core::id::TokenId;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::scope::{TokenScope, TokenScopes};
use countersign_core::time::Timestamp;
use countersign_store::ByTime;
use countersign_store::token::{self, Token};

use super::view::TokenView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::page::newest_first;

const LIST: Action = Action { name: "token.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many are shown.
const LIMIT: i64 = 100;

/// The newest hundred of the caller's own tokens that are neither over nor revoked.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<TokenView>, Problem> {
    through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| read(app, permit)).await
}

/// A page of all of them, the newest on top, behind one of them.
pub async fn page(app: &App, caller: &Caller, part: Part) -> Result<Slice<TokenView>, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::own((newest_first(&part)?, part))) }),
        |permit| async move {
            let (permit, (behind, part)) = permit.with(());
            let rows = rows(app, &permit, behind, part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.created_at.millis(), &row.id)))
        },
    )
    .await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Vec<TokenView>, Problem> {
    rows(app, &permit, ByTime::newest(), LIMIT).await
}

async fn rows(app: &App, permit: &Permit<()>, behind: ByTime, limit: i64) -> Result<Vec<TokenView>, Problem> {
    let (whose, now) = ((permit.person()?, permit.workspace()), permit.at());
    let rows = app.db.read(move |t| Box::pin(token::list_for(t, whose, now, behind, limit))).await;
    rows.map_err(Problem::from)?.into_iter().map(view).collect()
}

fn view(row: Token) -> Result<TokenView, Problem> {
    Ok(TokenView {
        id: TokenId::parse(&row.id).map_err(Problem::internal)?,
        name: row.name,
        scopes: TokenScopes::parse(&row.scopes),
        created_at: Timestamp::from_millis(row.created_at),
        expires_at: Timestamp::from_millis(row.expires_at),
        used_at: row.used_at.map(Timestamp::from_millis),
    })
}
