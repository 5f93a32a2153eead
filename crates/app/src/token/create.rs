//! Making a token, inside the sudo window or with the password; for deciding, for a day at most.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, TokenId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{TokenScope, TokenScopes};
use countersign_store::token::Token;
use countersign_store::{person, standing};

use super::view::TokenView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::name::Name;
use crate::secret::{Secret, SecretKind};
use crate::session::require_sudo;

const CREATE: Action = Action { name: "token.create", need: Need::Browser, effect: Effect::Write };

const MINUTE_S: i64 = 60;
const DAY_S: i64 = 24 * 60 * 60;
const YEAR_S: i64 = 366 * DAY_S;

/// The token to make.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What its person calls it.
    pub name: String,
    /// What it may do.
    pub scopes: TokenScopes,
    /// How many seconds it lives.
    pub lifetime_s: i64,
}

/// A token that was made, with the only sight of its secret.
#[derive(Debug)]
pub struct Created {
    /// The token.
    pub token: TokenView,
    /// The secret.
    pub secret: Secret,
}

/// Makes a token of the caller's own, for whoever has just proved who they are: it outlives the browser. A token never
/// makes another: what it may do would outlive it.
pub async fn create(app: &App, caller: &Caller, input: NewToken) -> Result<Created, Problem> {
    through(
        app,
        caller,
        CREATE,
        move |_| Box::pin(async move { Ok(Found::own(Wish::read(input)?)) }),
        |permit| save(app, permit),
    )
    .await
}

/// A token within the rules.
struct Wish {
    name: Name,
    scopes: TokenScopes,
    lifetime_s: i64,
}

impl Wish {
    fn read(input: NewToken) -> Result<Self, Problem> {
        let name = Name::new("name", &input.name)?;
        if input.scopes.is_empty() {
            let words = TokenScope::ALL.map(TokenScope::as_str).join(", ");
            return Err(Problem::invalid("scopes", format!("at least one of {words}")));
        }
        let decides = input.scopes.holds(TokenScope::Decide);
        let (most, rule) = if decides {
            (DAY_S, "60 to 86400 seconds for a token that decides proposals")
        } else {
            (YEAR_S, "60 to 31622400 seconds")
        };
        if !(MINUTE_S..=most).contains(&input.lifetime_s) {
            return Err(Problem::invalid("lifetime", rule));
        }
        Ok(Self { name, scopes: input.scopes, lifetime_s: input.lifetime_s })
    }

    fn decides(&self) -> bool {
        self.scopes.holds(TokenScope::Decide)
    }
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<Created, Problem> {
    let (permit, wish) = permit.with(());
    require_sudo(permit.caller(), permit.at())?;
    let (id, secret) = (TokenId::new(app.uuid()), app.secret(SecretKind::Token));
    let token = TokenView {
        id,
        name: wish.name.as_str().to_owned(),
        scopes: wish.scopes.clone(),
        created_at: permit.at(),
        expires_at: permit.at().plus_seconds(wish.lifetime_s),
        used_at: None,
    };
    let row = row(&permit, &token, &secret)?;
    let record = permit
        .record(Outcome::Done)
        .detail("token", id.to_string())
        .detail("scopes", token.scopes.to_string())
        .detail("expires_at", token.expires_at.to_string())
        .detail("decides", wish.decides());
    let record_id = AuditId::new(app.uuid());
    let whose = (permit.workspace(), permit.person()?);
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            // Held, so that whoever shuts the person out meanwhile finds this token or keeps it from being made.
            person::hold(t, whose.1).await?;
            if !standing::person(t, whose).await? {
                return Err(Problem::new(Code::Unauthenticated, "The person was shut out meanwhile."));
            }
            row.insert(t).await?;
            record.append(t, record_id).await?;
            Ok(())
        })
    });
    saved.await?;
    Ok(Created { token, secret })
}

fn row(permit: &Permit<()>, token: &TokenView, secret: &Secret) -> Result<Token, Problem> {
    Ok(Token {
        id: token.id.to_string(),
        token_hash: secret.hash().to_vec(),
        user_id: permit.person()?.to_string(),
        workspace_id: permit.workspace().to_string(),
        name: token.name.clone(),
        scopes: token.scopes.to_string(),
        created_at: token.created_at.millis(),
        expires_at: token.expires_at.millis(),
        used_at: None,
        revoked_at: None,
    })
}
