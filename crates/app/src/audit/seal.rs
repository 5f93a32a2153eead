//! The sealer: covers what is committed and has no seal yet. A timer wakes it, and a graceful stop.

use std::sync::Arc;

use countersign_core::audit::{Digest, Entry, Head, Seal, seal_id, statement, write_entries};
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_git::sign::Signer;
use countersign_store::audit::Audit;
use countersign_store::audit_seal::{self, AuditSeal};
use countersign_store::{Error, Tx};

use crate::App;

/// How many records a seal covers at most.
const ROWS: i64 = 1_000;
/// How many seals are made in one go.
const SEALS: usize = 20;

/// Seals what waits, and tells how many records it sealed: at most twenty thousand at once; what is left waits for the
/// next time. An idle server only reads.
///
/// Marking the records and inserting their seal are one transaction, so that a kill at any line leaves both or none.
/// Of two servers that make the same seal one wins its number; the other's transaction is undone, and it goes on with
/// what is left.
pub async fn seal(app: &App) -> Result<u64, Problem> {
    let mut sealed = 0;
    for _ in 0..SEALS {
        if !app.db.read(|t| Box::pin(audit_seal::any_unsealed(t))).await.map_err(Problem::from)? {
            break;
        }
        match one(app).await {
            Ok(Some((head, rows))) => {
                sealed += rows;
                tracing::debug!(%head, rows, "audit records are sealed");
            }
            // Another server was faster, with all of them or with the number.
            Ok(None) | Err(Error::Unique(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(sealed)
}

/// Makes the next seal; `None` when nothing is left for it.
async fn one(app: &App) -> Result<Option<(Head, u64)>, Error> {
    let (signer, now) = (Arc::clone(&app.signer), app.now());
    app.db.write(move |t| Box::pin(async move { make(t, &signer, now).await })).await
}

async fn make(t: &Tx<'_>, signer: &Signer, now: Timestamp) -> Result<Option<(Head, u64)>, Error> {
    let before = match audit_seal::head(t).await? {
        Some((number, digest, _)) => {
            let digest = Digest::of_bytes(&digest)
                .ok_or_else(|| Error::Sql(format!("the digest of audit seal {number} is not 32 bytes")))?;
            Head { number, digest }
        }
        None => Head::START,
    };
    let rows = audit_seal::take(t, &seal_id(before.number + 1), ROWS).await?;
    let Some((head, seal)) = signed(signer, before, &rows, now) else { return Ok(None) };
    seal.insert(t).await?;
    Ok(Some((head, rows.len() as u64)))
}

/// The seal of these records, behind the one before; none for no records.
fn signed(signer: &Signer, before: Head, rows: &[Audit], now: Timestamp) -> Option<(Head, AuditSeal)> {
    let (first, last) = (rows.first()?, rows.last()?);
    let entry = |row: &Audit| Entry { id: row.id.clone(), digest: row.sealed_columns().digest() };
    let entries = write_entries(&rows.iter().map(entry).collect::<Vec<_>>());
    let seal = Seal {
        number: before.number + 1,
        previous: before.digest,
        rows: i64::try_from(rows.len()).unwrap_or(i64::MAX),
        first_at: first.at,
        last_at: last.at,
        sealed_at: now.millis(),
        entries: &entries,
    };
    let head = Head { number: seal.number, digest: seal.digest() };
    let row = AuditSeal {
        number: seal.number,
        previous: seal.previous.bytes().to_vec(),
        digest: head.digest.bytes().to_vec(),
        row_count: seal.rows,
        first_at: seal.first_at,
        last_at: seal.last_at,
        sealed_at: seal.sealed_at,
        key_id: signer.public().fingerprint(),
        signature: signer.sign_seal(&statement(&head)),
        entries,
    };
    Some((head, row))
}
