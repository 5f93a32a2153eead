//! The page of the audit log: records, where the seals stand, and what a filter may name.

use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::{audit_page, audit_seal};

use super::list::{LIST, Listing, PAGE, page};
use super::view::{AuditView, SealView};
use crate::App;
use crate::gate::{self, Found, Permit};

/// How many people, connections and resources a filter offers.
const CHOICES: i64 = 200;

/// The page, for owners of the workspace.
pub async fn show(app: &App, caller: &Caller, listing: Listing) -> Result<AuditView, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::workspace(listing)) }),
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<Listing>) -> Result<AuditView, Problem> {
    app.journal.flush().await;
    let (workspace, listing) = (permit.workspace(), permit.target().clone());
    let (page, choices, head, unsealed) = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>((
                    page(t, workspace, &listing, PAGE).await?,
                    audit_page::choices(t, workspace, CHOICES).await?,
                    audit_seal::head(t).await?,
                    audit_seal::count_unsealed(t).await?,
                ))
            })
        })
        .await?;
    let last = head.map(|(number, _, at)| (number, Timestamp::from_millis(at)));
    Ok(AuditView {
        filter: permit.target().filter.clone(),
        page,
        seals: SealView { last, unsealed, checked: app.checks.last() },
        people: choices.people,
        connections: choices.connections,
        resources: choices.resources,
    })
}
