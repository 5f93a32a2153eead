//! What the consent page asks; the handle goes to the first session that looks.

use countersign_core::caller::Caller;
use countersign_core::id::{ConnectionId, UserId, WorkspaceId};
use countersign_core::oauth::document::client_url;
use countersign_core::oauth::redirect::{RedirectKind, RedirectUri};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{Scope, Scopes};
use countersign_store::connection::Connection;
use countersign_store::oauth_request::{self, OauthRequest};
use countersign_store::{Saved, Tx, connection, workspace};

use super::pin;
use crate::App;
use crate::connection::view::AssistantKind;
use crate::consent::view::{ConsentView, Identity, PendingChoice, ReturnsTo, WorkspaceChoice};
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::secret::SecretHash;
use crate::session::require_sudo;

const SHOW: Action = Action { name: "consent.show", need: Need::Browser, effect: Effect::Read };

/// What the page asks of the person in this session. `session` is the cookie's token, by its hash.
pub async fn consent_view(
    app: &App,
    caller: &Caller,
    session: SecretHash,
    handle: &str,
) -> Result<ConsentView, Problem> {
    let handle = handle.to_owned();
    gate::through(
        app,
        caller,
        SHOW,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| show(app, permit, session, handle),
    )
    .await
}

async fn show(
    app: &App,
    permit: Permit<()>,
    session: SecretHash,
    handle: String,
) -> Result<ConsentView, Problem> {
    let (now, person) = (permit.at(), permit.person()?);
    let key = SecretHash::of(&handle);
    let request = {
        let key = key.clone();
        app.db
            .read(move |t| {
                Box::pin(
                    async move { Ok::<_, Problem>(oauth_request::find_open(t, key.as_bytes(), now).await?) },
                )
            })
            .await?
            .ok_or_else(not_open)?
    };
    match &request.session_hash {
        Some(owner) if session.matches(owner) => {}
        Some(_) => return Err(not_open()),
        None => bind(app, key, session.clone(), now).await?,
    }
    let request = pin::known(app, request, (person, session), now).await?;
    let (workspaces, pending) = app.db.read(move |t| Box::pin(choices(t, person))).await?;
    view(&request, handle, (workspaces, pending), require_sudo(permit.caller(), now).is_err())
}

async fn bind(
    app: &App,
    handle: SecretHash,
    session: SecretHash,
    now: countersign_core::time::Timestamp,
) -> Result<(), Problem> {
    let bound = app.db.write(move |t| {
        Box::pin(async move {
            Ok::<_, Problem>(oauth_request::bind(t, handle.as_bytes(), session.as_bytes(), now).await?)
        })
    });
    match bound.await? {
        Saved::Done(()) => Ok(()),
        Saved::Changed | Saved::Missing => Err(not_open()),
    }
}

/// The handle is unknown, over, answered, or another session's: one answer for all.
pub(super) fn not_open() -> Problem {
    Problem::new(Code::ConsentNotOpen, "This question is over, or was asked in another browser session.")
}

type Choices = (Vec<WorkspaceChoice>, Vec<Connection>);

async fn choices(t: &Tx<'_>, person: UserId) -> Result<Choices, Problem> {
    let mut workspaces = Vec::new();
    let mut pending = Vec::new();
    for (id, name) in workspace::list_of(t, person).await? {
        let id = WorkspaceId::parse(&id).map_err(Problem::internal)?;
        pending.extend(connection::list_pending(t, id, person).await?);
        workspaces.push(WorkspaceChoice { id, name });
    }
    Ok((workspaces, pending))
}

fn view(
    request: &OauthRequest,
    handle: String,
    (workspaces, pending): Choices,
    sudo_is_closed: bool,
) -> Result<ConsentView, Problem> {
    let uri = stored_uri(request)?;
    let destination = uri.destination().to_owned();
    let scopes = Scopes::parse(&request.scopes);
    let pending = pending.into_iter().map(|row| {
        Ok(PendingChoice {
            id: ConnectionId::parse(&row.id).map_err(Problem::internal)?,
            name: row.name,
            kind: AssistantKind::parse(&row.kind).unwrap_or(AssistantKind::Other),
        })
    });
    Ok(ConsentView {
        handle,
        client: request.client_name.clone(),
        identity: client_url(&request.client_id)
            .map_or(Identity::SelfNamed, |url| Identity::Domain(url.place())),
        returns_to: match uri.kind() {
            RedirectKind::Https if uri.stays_on_this_computer() => ReturnsTo::Loopback(destination),
            RedirectKind::Https => ReturnsTo::Site(destination),
            RedirectKind::Loopback => ReturnsTo::Loopback(destination),
            RedirectKind::Custom => ReturnsTo::Application(destination),
        },
        workspaces,
        asks_password: sudo_is_closed && takes_proof(&scopes),
        scopes: scopes.iter().collect(),
        pending: pending.collect::<Result<_, Problem>>()?,
    })
}

/// Whether granting these takes a person who has just proved who they are.
pub(super) fn takes_proof(scopes: &Scopes) -> bool {
    scopes.iter().any(|scope| match scope {
        Scope::Read => false,
        Scope::Write | Scope::Run => true,
    })
}

/// The redirect URI of a stored request, which authorize had checked.
pub(super) fn stored_uri(request: &OauthRequest) -> Result<RedirectUri, Problem> {
    RedirectUri::parse(&request.redirect_uri).map_err(Problem::internal)
}
