//! The person's answer: a connection and a code, or a no.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId, FamilyId, WorkspaceId};
use countersign_core::oauth::code::CODE_SECONDS;
use countersign_core::oauth::refresh::ABSOLUTE_SECONDS;
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::connection::Approved;
use countersign_store::oauth_code::OauthCode;
use countersign_store::oauth_family::OauthFamily;
use countersign_store::oauth_request::{self, OauthRequest};
use countersign_store::{Saved, Tx, Wake, connection, workspace};

use super::begin::answer as answer_url;
use super::document;
use super::show::{not_open, stored_uri, takes_proof};
use crate::App;
use crate::connection::{TOPIC, fresh_row};
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit, Record};
use crate::name::Name;
use crate::secret::{Secret, SecretHash, SecretKind};
use crate::session::require_sudo;

const DECIDE: Action = Action { name: "consent.decide", need: Need::Browser, effect: Effect::Write };

/// What the person answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes, with these limits.
    Approve(Approval),
    /// No.
    Deny,
}

/// What the person allows.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The one workspace.
    pub workspace: WorkspaceId,
    /// The capabilities that they ticked; no more than were asked for.
    pub scopes: Scopes,
    /// Which connection the client becomes.
    pub connection: Choice,
}

/// Which connection the client becomes.
#[derive(Clone, Debug)]
pub enum Choice {
    /// One that waits for it.
    Pending(ConnectionId),
    /// A new one with this name.
    New {
        /// Its display name.
        name: String,
    },
}

/// Answers the question behind a handle, once, and gives the URL that takes the answer to the client.
pub async fn consent_decide(
    app: &App,
    caller: &Caller,
    session: SecretHash,
    handle: &str,
    answer: Answer,
) -> Result<String, Problem> {
    let handle = SecretHash::of(handle);
    gate::through(
        app,
        caller,
        DECIDE,
        |_| Box::pin(async { Ok(Found::own(answer)) }),
        |permit| decide(app, permit, (handle, session)),
    )
    .await
}

async fn decide(
    app: &App,
    permit: Permit<Answer>,
    (handle, session): (SecretHash, SecretHash),
) -> Result<String, Problem> {
    let grant = match permit.target() {
        Answer::Deny => None,
        Answer::Approve(approval) => Some(Grant::checked(app, &permit, approval)?),
    };
    let now = permit.at();
    let (record, record_id) =
        (permit.record(Outcome::Done).detail("answer", "deny"), AuditId::new(app.uuid()));
    let (request, code) = permit
        .write(app, move |t| {
            Box::pin(async move {
                let request = take(t, &handle, &session, now).await?;
                let code = match grant {
                    None => {
                        record.append(t, record_id).await?;
                        None
                    }
                    Some(grant) => Some(grant.save(t, &request).await?),
                };
                Ok::<_, Problem>((request, code))
            })
        })
        .await?;
    let (uri, state) = (stored_uri(&request)?, request.state.as_deref());
    if let Some(code) = &code {
        return answer_url(app, &uri, &[("code", code.reveal())], state);
    }
    let said = [("error", "access_denied"), ("error_description", "The person did not allow it.")];
    answer_url(app, &uri, &said, state)
}

async fn take(
    t: &Tx<'_>,
    handle: &SecretHash,
    session: &SecretHash,
    now: Timestamp,
) -> Result<OauthRequest, Problem> {
    match oauth_request::take(t, handle.as_bytes(), session.as_bytes(), now).await? {
        // Nobody answers for a client whose document was not shown.
        Saved::Done(request) if document::is_missing(&request) => Err(not_open()),
        Saved::Done(request) => Ok(request),
        Saved::Changed | Saved::Missing => Err(not_open()),
    }
}

/// A yes with everything fresh that it needs.
struct Grant {
    permit: Permit<Answer>,
    workspace: WorkspaceId,
    scopes: Scopes,
    existing: Option<ConnectionId>,
    name: Option<Name>,
    new_connection: ConnectionId,
    family: FamilyId,
    code: Secret,
    record: Record,
    record_id: AuditId,
}

impl Grant {
    /// Refuses a yes that cannot be meant, or whose person must prove who they are first.
    fn checked(app: &App, permit: &Permit<Answer>, approval: &Approval) -> Result<Self, Problem> {
        let scopes = approval.scopes.clone();
        if scopes.is_empty() {
            return Err(Problem::invalid("scope", "tick at least one capability, or cancel"));
        }
        if takes_proof(&scopes) {
            require_sudo(permit.caller(), permit.at())?;
        }
        let (existing, name) = match &approval.connection {
            Choice::Pending(id) => (Some(*id), None),
            Choice::New { name } => (None, Some(Name::new("name", name)?)),
        };
        Ok(Self {
            permit: permit.clone(),
            workspace: approval.workspace,
            scopes,
            existing,
            name,
            new_connection: ConnectionId::new(app.uuid()),
            family: FamilyId::new(app.uuid()),
            code: app.secret(SecretKind::Code),
            record: permit.record(Outcome::Done),
            record_id: AuditId::new(app.uuid()),
        })
    }

    /// Saves connection, family and code in the transaction that took the request.
    async fn save(self, t: &Tx<'_>, request: &OauthRequest) -> Result<Secret, Problem> {
        if self.scopes.intersect(&Scopes::parse(&request.scopes)) != self.scopes {
            return Err(Problem::invalid("scope", "only what the client asked for"));
        }
        let person = self.permit.person()?;
        if workspace::find_role(t, self.workspace, person).await?.is_none() {
            return Err(Problem::not_found("workspace"));
        }
        let connection = self.connect(t, request).await?;
        let now = self.permit.at();
        let family = OauthFamily {
            id: self.family.to_string(),
            connection_id: connection.to_string(),
            client_id: request.client_id.clone(),
            resource: request.resource.clone(),
            scopes: self.scopes.to_string(),
            created_at: now.millis(),
            expires_at: now.plus_seconds(ABSOLUTE_SECONDS).millis(),
            revoked_at: None,
            reason: None,
            document_hash: request.document_hash.clone(),
            document_uris: request.document_uris.clone(),
        };
        family.insert(t).await?;
        self.code_row(request).insert(t).await?;
        let record = self
            .record
            .in_workspace(Some(self.workspace))
            .detail("answer", "approve")
            .detail("connection", connection.to_string())
            .detail("client", request.client_name.as_str())
            .detail("scopes", self.scopes.to_string());
        record.append(t, self.record_id).await?;
        t.wake(Wake { workspace: self.workspace.to_string(), topic: TOPIC.to_owned() });
        Ok(self.code)
    }

    /// Gives the pending connection to the client, or makes a new one that is active at once.
    async fn connect(&self, t: &Tx<'_>, request: &OauthRequest) -> Result<ConnectionId, Problem> {
        let (person, now) = (self.permit.person()?, self.permit.at());
        let id = self.existing.unwrap_or(self.new_connection);
        if let Some(name) = &self.name {
            let kind = crate::connection::kind_of(&request.client_name);
            fresh_row(id, (self.workspace, person), (kind, name), now).insert(t).await?;
        } else if connection::find(t, id, self.workspace).await?.is_none() {
            return Err(Problem::not_found("connection"));
        }
        let scopes = self.scopes.to_string();
        let approved = Approved {
            person,
            client_id: &request.client_id,
            client_name: &request.client_name,
            scopes: &scopes,
            at: now,
        };
        match connection::activate(t, id, approved).await? {
            Saved::Done(()) => Ok(id),
            Saved::Changed | Saved::Missing => Err(Problem::new(
                Code::VersionConflict,
                "This connection does not wait for a client any more.",
            )
            .next("Choose another connection, or a new one.")),
        }
    }

    fn code_row(&self, request: &OauthRequest) -> OauthCode {
        OauthCode {
            code_hash: self.code.hash().to_vec(),
            family_id: self.family.to_string(),
            client_id: request.client_id.clone(),
            redirect_uri: request.redirect_uri.clone(),
            challenge: request.challenge.clone(),
            resource: request.resource.clone(),
            scopes: self.scopes.to_string(),
            expires_at: self.permit.at().plus_seconds(CODE_SECONDS).millis(),
            used_at: None,
        }
    }
}
