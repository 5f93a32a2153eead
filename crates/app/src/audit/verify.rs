//! Verification: walks the chain of seals in bounded steps and names the first fault.

use std::sync::{Mutex, MutexGuard, PoisonError};

use countersign_core::audit::{Digest, Fault, Flaw, Head, Row, Seal, flaw, read_entries, seal_id, statement};
use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_git::sign::{SealSignature, Signer};
use countersign_store::audit_seal::{self, AuditSeal};
use countersign_store::{Db, Tx};

use super::view::{Checked, Progress, Verdict};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

const VERIFY: Action =
    Action { name: "audit.verify", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many seals a step looks at, and for how long it begins with another one.
const SEALS: usize = 100;
const TIME_MS: i64 = 2_000;
/// How many records beyond those that it covers are read for a seal.
const BEYOND: i64 = 1_000;

/// What a step of a verification is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ask {
    /// Where the step before ended; the first begins at the start.
    pub after: Option<Head>,
    /// A head that was noted elsewhere: the log must lead through it.
    pub expected: Option<Head>,
}

/// What this server verified by itself, in memory.
#[derive(Debug, Default)]
pub struct Checks(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// How far a verification came that began at the start and is not over.
    reached: Option<Head>,
    /// How the last one ended.
    last: Option<Checked>,
}

impl Checks {
    /// How the last verification from the start to the end went.
    pub fn last(&self) -> Option<Checked> {
        self.known().last.clone()
    }

    /// Keeps what a step came to, unless it began at a place to which nobody came from the start.
    fn keep(&self, after: Option<Head>, at: Head, over: Option<Checked>) {
        let mut known = self.known();
        if after.is_some() && after != known.reached {
            return;
        }
        match over {
            Some(checked) => *known = Known { reached: None, last: Some(checked) },
            None => known.reached = Some(at),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Verifies from where the step before ended, for about two seconds; for owners of the workspace. The log is that of
/// the whole server: a fault names a record by its id alone.
pub async fn verify(app: &App, caller: &Caller, ask: Ask) -> Result<Progress, Problem> {
    gate::through(
        app,
        caller,
        VERIFY,
        move |_| Box::pin(async move { Ok(Found::workspace(ask)) }),
        |permit| step(app, permit),
    )
    .await
}

async fn step(app: &App, permit: Permit<Ask>) -> Result<Progress, Problem> {
    let ask = *permit.target();
    let mut walk = Walk { at: ask.after.unwrap_or(Head::START), expected: ask.expected, seals: 0, rows: 0 };
    let verdict = walk.go(app, permit.at()).await?;
    let unsealed = app.db.read(|t| Box::pin(audit_seal::count_unsealed(t))).await.map_err(Problem::from)?;
    let over = |fault| Checked { at: app.now(), seal: walk.at.number, fault };
    let over = match &verdict {
        Verdict::GoesOn => None,
        Verdict::Intact => Some(over(None)),
        Verdict::Broken(fault) => Some(over(Some(fault.clone()))),
    };
    app.checks.keep(ask.after, walk.at, over);
    Ok(Progress { verdict, at: walk.at, seals: walk.seals, rows: walk.rows, unsealed })
}

/// Walks through every seal of a store that no server has open: how many seals and records are good, or the first fault.
pub(crate) async fn whole(db: &Db, signer: &Signer) -> Result<Result<(u64, u64), Fault>, Problem> {
    let (mut at, mut seals, mut records) = (Head::START, 0, 0);
    loop {
        let signer = signer.clone();
        match db.read(move |t| Box::pin(async move { look(t, &signer, at).await })).await? {
            Seen::Good { head, rows } => {
                at = head;
                seals += 1;
                records += rows;
            }
            Seen::Again => {}
            Seen::End => return Ok(Ok((seals, records))),
            Seen::Wrong(fault) => return Ok(Err(fault)),
        }
    }
}

/// Where a step is.
struct Walk {
    /// The last seal that was found good.
    at: Head,
    expected: Option<Head>,
    seals: u64,
    rows: u64,
}

/// What came of one seal.
enum Seen {
    Good {
        head: Head,
        rows: u64,
    },
    /// Another seal came meanwhile.
    Again,
    End,
    Wrong(Fault),
}

impl Walk {
    async fn go(&mut self, app: &App, since: Timestamp) -> Result<Verdict, Problem> {
        for _ in 0..SEALS {
            if let Some(fault) = self.unexpected() {
                return Ok(Verdict::Broken(fault));
            }
            let (at, signer) = (self.at, app.signer.clone());
            let seen = app.db.read(move |t| Box::pin(async move { look(t, &signer, at).await })).await?;
            match seen {
                Seen::Good { head, rows } => {
                    self.at = head;
                    self.seals += 1;
                    self.rows += rows;
                }
                Seen::Again => {}
                Seen::Wrong(fault) => return Ok(Verdict::Broken(fault)),
                Seen::End => return Ok(self.ended()),
            }
            if app.now().millis().saturating_sub(since.millis()) >= TIME_MS {
                break;
            }
        }
        Ok(Verdict::GoesOn)
    }

    /// Whether the seal just passed is another one than was known under its number.
    fn unexpected(&self) -> Option<Fault> {
        let expected = self.expected.filter(|expected| expected.number == self.at.number)?;
        (expected.digest != self.at.digest).then_some(Fault::HeadDiffers { expected })
    }

    fn ended(&self) -> Verdict {
        match self.expected.filter(|expected| expected.number > self.at.number) {
            Some(expected) => Verdict::Broken(Fault::TailCut { expected, last: self.at.number }),
            None => Verdict::Intact,
        }
    }
}

/// Looks at the seal behind `at`. What it covers does not change under the reader: seal and records came in one
/// transaction, and nothing of ours changes them afterwards.
async fn look(t: &Tx<'_>, signer: &Signer, at: Head) -> Result<Seen, Problem> {
    let Some(seal) = audit_seal::next(t, at.number).await? else { return end(t, at).await };
    let number = at.number + 1;
    if seal.number != number {
        return Ok(Seen::Wrong(Fault::SealDropped { seal: number }));
    }
    if seal.previous != at.digest.bytes() {
        let to = audit_seal::following(t, at.digest.bytes()).await?;
        return Ok(Seen::Wrong(match to {
            Some(to) => Fault::SealMoved { seal: number, to },
            None => Fault::ChainBroken { seal: number },
        }));
    }
    let digest = match own_digest(signer, &seal) {
        Ok(digest) => digest,
        Err(fault) => return Ok(Seen::Wrong(fault)),
    };
    let before = (at.number > 0).then(|| seal_id(at.number));
    if let Some((id, claimed)) = audit_seal::between(t, before.as_deref(), &seal_id(number)).await? {
        return Ok(Seen::Wrong(Fault::RowAdded { seal: number_of(claimed), id }));
    }
    match rows(t, &seal).await? {
        Some(fault) => Ok(Seen::Wrong(fault)),
        None => Ok(Seen::Good {
            head: Head { number, digest },
            rows: u64::try_from(seal.row_count).unwrap_or_default(),
        }),
    }
}

/// Holds a seal's columns against its digest, and that against its signature.
fn own_digest(signer: &Signer, seal: &AuditSeal) -> Result<Digest, Fault> {
    let number = seal.number;
    let changed = || Fault::SealChanged { seal: number };
    let digest = Seal {
        number,
        previous: Digest::of_bytes(&seal.previous).ok_or_else(changed)?,
        rows: seal.row_count,
        first_at: seal.first_at,
        last_at: seal.last_at,
        sealed_at: seal.sealed_at,
        entries: &seal.entries,
    }
    .digest();
    if seal.digest != digest.bytes() {
        return Err(changed());
    }
    match signer.verify_seal(&statement(&Head { number, digest }), &seal.signature) {
        SealSignature::Good(key) if key.fingerprint() == seal.key_id => Ok(digest),
        SealSignature::Good(_) => Err(changed()),
        SealSignature::Bad => Err(Fault::SealForged { seal: number }),
        SealSignature::Unknown(key) => Err(Fault::KeyUnknown { seal: number, key: key.fingerprint() }),
    }
}

/// Holds the records that name a seal against its entries.
async fn rows(t: &Tx<'_>, seal: &AuditSeal) -> Result<Option<Fault>, Problem> {
    let number = seal.number;
    let Ok(entries) = read_entries(&seal.entries) else {
        return Ok(Some(Fault::SealChanged { seal: number }));
    };
    let most = i64::try_from(entries.len()).unwrap_or(i64::MAX).saturating_add(BEYOND);
    let found = audit_seal::rows(t, &seal_id(number), most).await?;
    let found: Vec<Row<'_>> = found.iter().map(countersign_store::audit::Audit::sealed_columns).collect();
    Ok(match flaw(&entries, &found) {
        None => None,
        Some(Flaw::Changed { id }) => Some(Fault::RowChanged { seal: number, id }),
        Some(Flaw::Swapped { id, other }) => Some(Fault::RowsSwapped { seal: number, id, other }),
        Some(Flaw::Added { id }) => Some(Fault::RowAdded { seal: number.to_string(), id }),
        Some(Flaw::Missing { id, instead }) => Some(missing(t, number, id, instead).await?),
    })
}

/// A record that does not name its seal any more: gone, or elsewhere.
async fn missing(t: &Tx<'_>, seal: i64, id: String, instead: Option<String>) -> Result<Fault, Problem> {
    Ok(match (audit_seal::seal_of(t, &id).await?, instead) {
        (None, _) => Fault::RowDropped { seal, id },
        // It is where it belongs, and was pushed out of what is read by records that are not.
        (Some(Some(here)), Some(id)) if here == seal_id(seal) => {
            Fault::RowAdded { seal: seal.to_string(), id }
        }
        (Some(_), Some(other)) => Fault::RowsSwapped { seal, id, other },
        (Some(to), None) => Fault::RowMoved { seal, id, to },
    })
}

/// The number in the id of a seal; what is no such id as it stands there.
fn number_of(claimed: String) -> String {
    claimed.parse::<i64>().map_or(claimed, |number| number.to_string())
}

/// Behind the last seal stands no record that claims another one; and where the step before ended, there was a seal.
async fn end(t: &Tx<'_>, at: Head) -> Result<Seen, Problem> {
    let id = seal_id(at.number);
    let last = (at.number > 0).then_some((at.number, id.as_str()));
    if let Some((id, claimed)) = audit_seal::beyond(t, last).await? {
        let next = at.number + 1;
        return Ok(Seen::Wrong(if claimed == seal_id(next) {
            Fault::SealDropped { seal: next }
        } else {
            Fault::RowAdded { seal: number_of(claimed), id }
        }));
    }
    match audit_seal::head(t).await? {
        Some((number, ..)) if number < at.number => {
            Ok(Seen::Wrong(Fault::TailCut { expected: at, last: number }))
        }
        None if at.number > 0 => Ok(Seen::Wrong(Fault::TailCut { expected: at, last: 0 })),
        Some((number, ..)) if number > at.number => Ok(Seen::Again),
        Some(_) | None => Ok(Seen::End),
    }
}
