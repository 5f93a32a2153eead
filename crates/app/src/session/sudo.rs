//! The sudo window: ten minutes from the last time that a person gave their password or a passkey.

use countersign_core::caller::{Caller, Principal};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;

/// How long the window is open.
const WINDOW_MS: i64 = 10 * 60 * 1000;
/// How far the clocks of two servers may differ.
const SKEW_MS: i64 = 60 * 1000;

/// Passes a person in a browser who gave their password or a passkey within ten minutes; nobody else.
pub fn require_sudo(caller: &Caller, now: Timestamp) -> Result<(), Problem> {
    match &caller.principal {
        Principal::Session { proved_at, .. } if is_open(*proved_at, now) => Ok(()),
        Principal::Session { .. } => Err(closed("This step asks for the password or a passkey again.")),
        Principal::Anonymous { .. } | Principal::Connection { .. } | Principal::Token { .. } => {
            Err(closed("This step asks for a person and their password."))
        }
    }
}

/// Passes whoever could also countersign: the sudo window, or a token made in it for deciding. What hands out
/// a new way to sign in asks for this, so that no lesser token can make itself a decider.
pub fn require_proof(caller: &Caller, now: Timestamp) -> Result<(), Problem> {
    match &caller.principal {
        Principal::Token { scopes, .. } if scopes.holds(TokenScope::Decide) => Ok(()),
        Principal::Token { .. } => {
            let scope = TokenScope::Decide.as_str();
            Err(Problem::new(Code::TokenScopeDenied, format!("This token lacks the scope {scope}."))
                .fact("scope", scope))
        }
        Principal::Anonymous { .. } | Principal::Connection { .. } | Principal::Session { .. } => {
            require_sudo(caller, now)
        }
    }
}

const fn is_open(proved_at: Timestamp, now: Timestamp) -> bool {
    let age = now.millis() - proved_at.millis();
    -SKEW_MS <= age && age < WINDOW_MS
}

fn closed(message: &str) -> Problem {
    Problem::new(Code::SudoRequired, message)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::net::Ipv4Addr;

    use countersign_core::id::{ConnectionId, TokenId, UserId};
    use countersign_core::scope::{Scopes, TokenScopes};
    use uuid::Uuid;

    use super::*;

    fn caller(principal: Principal) -> Caller {
        Caller { principal, workspace: None, scopes: Scopes::default(), switched_off: BTreeSet::new() }
    }

    fn proved(seconds: i64) -> Caller {
        caller(Principal::Session { user: UserId::new(Uuid::nil()), proved_at: at(seconds), session: None })
    }

    fn token(scopes: &str) -> Caller {
        let (id, user) = (TokenId::new(Uuid::nil()), UserId::new(Uuid::nil()));
        caller(Principal::Token { id, user, scopes: TokenScopes::parse(scopes) })
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    #[test]
    fn the_window_is_open_for_ten_minutes() {
        for (now, open) in [(-61, false), (-60, true), (0, true), (599, true), (600, false), (9_999, false)] {
            let result = require_sudo(&proved(0), at(now));
            assert_eq!(result.is_ok(), open, "after {now} s");
            assert!(result.is_ok() || result.unwrap_err().code == Code::SudoRequired);
        }
    }

    #[test]
    fn no_token_and_no_agent_opens_it() {
        let agent =
            Principal::Connection { id: ConnectionId::new(Uuid::nil()), owner: UserId::new(Uuid::nil()) };
        let nobody = Caller::anonymous(Ipv4Addr::LOCALHOST.into());
        for caller in [caller(agent), nobody, token("api proposals:decide repo:read repo:write")] {
            assert_eq!(require_sudo(&caller, at(0)).unwrap_err().code, Code::SudoRequired);
        }
    }

    #[test]
    fn a_token_proves_its_person_only_if_it_may_decide() {
        assert!(require_proof(&token("api proposals:decide"), at(0)).is_ok());
        assert_eq!(require_proof(&token("api repo:write"), at(0)).unwrap_err().code, Code::TokenScopeDenied);
        assert!(require_proof(&proved(0), at(0)).is_ok());
        assert_eq!(require_proof(&proved(0), at(600)).unwrap_err().code, Code::SudoRequired);
    }
}
