//! `/api/v1/audit`: the log, its export, and its verification; for owners of the workspace.

use axum::Json;
use axum::extract::State;
use countersign_app::audit::view::{Named, Progress, RecordView, Verdict};
use countersign_app::audit::{self, Ask, Listing, Mark, Turn};
use countersign_core::api::audit::{
    AuditFault, AuditItem, AuditPage, AuditParty, AuditVerdict, AuditVerification,
};
use countersign_core::audit::Head;
use countersign_core::page::Cursor;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::listing::{Linked, Paged};
use super::{Answer, ApiProblem, Fields};
use crate::credential::ApiCaller;
use crate::export::{self, Exported};
use crate::query::audit::Asked;
use crate::state::Web;

/// Lists a page, the newest record first.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Fields(asked): Fields<Asked>,
    paged: Paged,
) -> Result<Linked<AuditPage>, ApiProblem> {
    let behind = paged.part.after().map(Mark::try_from).transpose()?;
    let listing = Listing { filter: asked.filter()?, turn: behind.map_or(Turn::Newest, Turn::Older) };
    let page = audit::list(&web.app, &caller, listing, paged.part.limit()).await?;
    let next = page.older.map(Cursor::from);
    let items = page.records.into_iter().map(item).collect();
    let body = AuditPage { items, next: next.as_ref().map(ToString::to_string) };
    Ok(paged.body(body, next.as_ref()))
}

/// Sends all of it as a file.
pub(crate) async fn export(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Fields(asked): Fields<Asked>,
    Fields(how): Fields<export::Asked>,
) -> Result<Exported, ApiProblem> {
    let form = how.form()?;
    Ok(Exported(export::answer(audit::export(&web.app, &caller, asked.filter()?).await?, form)))
}

/// A head, or nothing.
const HEAD: &str = "^([0-9]+:[0-9a-f]{64})?$";

/// Where a verification goes on, and what it should come by.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Steps {
    /// The `head` of the step before; without it the first seal.
    #[schemars(regex(pattern = HEAD))]
    after: String,
    /// A `head` that was noted before; the log must lead through it.
    #[schemars(regex(pattern = HEAD))]
    expect: String,
}

impl Steps {
    /// What the step is asked.
    pub(crate) fn ask(&self) -> Result<Ask, Problem> {
        let head = |name, text: &str| match text.trim() {
            "" => Ok(None),
            text => Head::parse(text).map(Some).ok_or_else(|| Problem::invalid(name, "`NUMBER:DIGEST`")),
        };
        Ok(Ask { after: head("after", &self.after)?, expected: head("expect", &self.expect)? })
    }
}

/// Verifies for about two seconds; who asks goes on from the head that is answered.
pub(crate) async fn verify(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Fields(steps): Fields<Steps>,
) -> Answer<AuditVerification> {
    let Progress { verdict, at, seals, rows, unsealed } =
        audit::verify(&web.app, &caller, steps.ask()?).await?;
    let (verdict, fault) = match verdict {
        Verdict::GoesOn => (AuditVerdict::GoesOn, None),
        Verdict::Intact => (AuditVerdict::Intact, None),
        Verdict::Broken(fault) => (AuditVerdict::Broken, Some(AuditFault::from(&fault))),
    };
    Ok(Json(AuditVerification { verdict, head: at, seals, rows, unsealed, fault }))
}

/// A record as the API tells it.
pub(crate) fn item(record: RecordView) -> AuditItem {
    let party = |named: Option<Named>| named.map(|Named { id, name }| AuditParty { id, name });
    AuditItem {
        id: record.id,
        at: record.at,
        actor_kind: record.actor_kind,
        actor: party(record.actor),
        connection: party(record.connection),
        action: record.action,
        resource: party(record.resource),
        outcome: record.outcome,
        code: record.code,
        // What is no JSON any more, since somebody wrote over it, is told as the text that it is.
        detail: serde_json::from_str(&record.detail).unwrap_or(Value::String(record.detail)),
        seal: record.seal,
    }
}
