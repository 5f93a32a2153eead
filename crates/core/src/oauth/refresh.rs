//! Refresh with rotation and a replay window: parallel processes of one host share an answer,
//! a thief ends the family.

use crate::scope::Scopes;
use crate::time::Timestamp;

/// How long an answer is given again without a question.
pub const WINDOW_SECONDS: i64 = 60;
/// How often, within that time.
pub const WINDOW_REPLAYS: i64 = 20;
/// How long an access token lives.
pub const ACCESS_SECONDS: i64 = 60 * 60;
/// How long a refresh token lives unused.
pub const IDLE_SECONDS: i64 = 30 * 24 * 60 * 60;
/// How long a family lives at most.
pub const ABSOLUTE_SECONDS: i64 = 180 * 24 * 60 * 60;

/// What the store knows of a refresh token.
#[derive(Clone, Debug)]
pub struct RefreshFacts {
    /// The client that it was issued to.
    pub client_id: String,
    /// The audience of its family.
    pub resource: String,
    /// What its family was granted.
    pub scopes: Scopes,
    /// When it dies: idle time, or the end of the family, whichever is first.
    pub expires_at: Timestamp,
    /// Whether its family, its connection or its person was ended.
    pub revoked: bool,
    /// Its rotation, once it was exchanged.
    pub rotation: Option<Rotation>,
}

/// The exchange of a refresh token for its successor.
#[derive(Clone, Debug)]
pub struct Rotation {
    /// When.
    pub at: Timestamp,
    /// How often the answer was given again.
    pub replays: i64,
    /// The scopes of the answer.
    pub scopes: Scopes,
    /// Whether the successor was itself exchanged.
    pub successor_exchanged: bool,
    /// Whether the successor, or the access token that came with it, was ever presented.
    pub successor_presented: bool,
}

/// What comes with a refresh token.
#[derive(Clone, Copy, Debug)]
pub struct RefreshClaim<'a> {
    /// Who asks.
    pub client_id: &'a str,
    /// The connector's URL as this server knows it now.
    pub resource: &'a str,
    /// What is asked for; none for all that was granted.
    pub scopes: Option<&'a Scopes>,
}

/// What to do with a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Rotate it: a new pair, the access token with these scopes.
    Rotate(Scopes),
    /// Give the sealed answer again.
    Replay,
    /// The answer was lost, and its access token died meanwhile: rotate the refresh token that is in it, and give the
    /// new pair in the place of the lost one.
    Renew(Scopes),
    /// Answer `invalid_grant` and change nothing.
    Refuse,
    /// Answer `invalid_scope` and change nothing.
    RefuseScope,
    /// Answer `invalid_grant`, end the family, tell the owner.
    RevokeFamily,
}

/// Decides, and checks first what must consume nothing: client, audience, life, scopes.
pub fn decide(now: Timestamp, facts: &RefreshFacts, claim: RefreshClaim<'_>) -> Decision {
    let bound = facts.client_id == claim.client_id && facts.resource == claim.resource;
    if !bound || facts.revoked || now >= facts.expires_at {
        return Decision::Refuse;
    }
    // Asking may narrow and never widens: what was not granted is dropped.
    let scopes = claim.scopes.map_or_else(|| facts.scopes.clone(), |asked| asked.intersect(&facts.scopes));
    if scopes.is_empty() {
        return Decision::RefuseScope;
    }
    match &facts.rotation {
        None => Decision::Rotate(scopes),
        Some(rotation) if !may_replay(now, rotation) => Decision::RevokeFamily,
        // The sealed answer holds other scopes than these; give neither more nor less.
        Some(rotation) if rotation.scopes != scopes => Decision::RefuseScope,
        Some(rotation) if now >= rotation.at.plus_seconds(ACCESS_SECONDS) => Decision::Renew(scopes),
        Some(_) => Decision::Replay,
    }
}

/// Within the window a bounded number of times, after it only while the answer seems to be lost,
/// and never once the successor was exchanged.
fn may_replay(now: Timestamp, rotation: &Rotation) -> bool {
    let within = now < rotation.at.plus_seconds(WINDOW_SECONDS);
    !rotation.successor_exchanged
        && if within { rotation.replays < WINDOW_REPLAYS } else { !rotation.successor_presented }
}

#[cfg(test)]
mod tests;
