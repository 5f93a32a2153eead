//! The proposal's state machine: the diagram as data, each move pure.

use serde::{Deserialize, Serialize};

use crate::problem::{Code, Problem};
use crate::time::Timestamp;

/// Where a proposal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ProposalState {
    /// Waits for a person.
    Pending,
    /// Approved; its effect is under way, or was cut short and will be resolved.
    Executing,
    /// Its effect landed, once.
    Executed,
    /// What was reviewed is no longer what is there.
    Stale,
    /// Nothing changed; it may be approved again.
    Failed,
    /// A person said no.
    Declined,
    /// Its connection took it back, or was revoked.
    Withdrawn,
    /// Nobody decided in time.
    Expired,
}

impl ProposalState {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Executing,
        Self::Executed,
        Self::Stale,
        Self::Failed,
        Self::Declined,
        Self::Withdrawn,
        Self::Expired,
    ];

    /// The word on the wire and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Executing => "executing",
            Self::Executed => "executed",
            Self::Stale => "stale",
            Self::Failed => "failed",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
        }
    }

    /// Reads the word on the wire.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// The states that may move to `self`. This is the whole diagram.
    pub const fn sources(self) -> &'static [Self] {
        match self {
            Self::Pending => &[],
            Self::Executing | Self::Declined | Self::Withdrawn | Self::Expired => {
                &[Self::Pending, Self::Failed]
            }
            Self::Executed => &[Self::Executing],
            // The checks of an approval may find these before anything is under way.
            Self::Stale | Self::Failed => &[Self::Executing, Self::Pending, Self::Failed],
        }
    }

    /// Whether a person may still decide it.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Failed)
    }
}

/// What an approve, decline or withdraw must do with a proposal as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It is open and in time: go on.
    Begin,
    /// It was approved before and cut short: finish that, then look again.
    Resume,
    /// It is over time: move it to `expired` and refuse.
    Expire,
    /// The same decision was taken before: give its answer again.
    Replay,
    /// Another decision was taken.
    Refuse(Code),
}

/// How an approve goes on.
pub fn approve(state: ProposalState, expires_at: Timestamp, now: Timestamp) -> Step {
    match state {
        ProposalState::Pending | ProposalState::Failed if now >= expires_at => Step::Expire,
        ProposalState::Pending | ProposalState::Failed => Step::Begin,
        ProposalState::Executing => Step::Resume,
        ProposalState::Executed | ProposalState::Stale => Step::Replay,
        ProposalState::Declined => Step::Refuse(Code::ProposalDeclined),
        ProposalState::Withdrawn => Step::Refuse(Code::ProposalWithdrawn),
        ProposalState::Expired => Step::Refuse(Code::ProposalExpired),
    }
}

/// How a decline goes on.
pub fn decline(state: ProposalState, expires_at: Timestamp, now: Timestamp) -> Step {
    close(state, ProposalState::Declined, expires_at, now)
}

/// How a withdraw goes on.
pub fn withdraw(state: ProposalState, expires_at: Timestamp, now: Timestamp) -> Step {
    close(state, ProposalState::Withdrawn, expires_at, now)
}

fn close(state: ProposalState, to: ProposalState, expires_at: Timestamp, now: Timestamp) -> Step {
    if state == to {
        return Step::Replay;
    }
    match state {
        ProposalState::Pending | ProposalState::Failed if now >= expires_at => Step::Expire,
        ProposalState::Pending | ProposalState::Failed => Step::Begin,
        ProposalState::Executing
        | ProposalState::Executed
        | ProposalState::Stale
        | ProposalState::Declined
        | ProposalState::Withdrawn
        | ProposalState::Expired => Step::Refuse(Code::ProposalNotPending),
    }
}

/// The refusal in words, with the present status as a fact.
pub fn refusal(code: Code, state: ProposalState) -> Problem {
    Problem::new(code, format!("The proposal is {}.", state.as_str())).fact("status", state.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    const T0: Timestamp = Timestamp::from_millis(0);
    const T1: Timestamp = Timestamp::from_millis(1);

    #[test]
    fn only_open_states_can_begin() {
        for state in ProposalState::ALL {
            assert_eq!(approve(state, T1, T0) == Step::Begin, state.is_open(), "{state:?}");
            assert_eq!(decline(state, T1, T0) == Step::Begin, state.is_open(), "{state:?}");
            assert_eq!(withdraw(state, T1, T0) == Step::Begin, state.is_open(), "{state:?}");
        }
    }

    #[test]
    fn time_ends_what_is_open_and_nothing_else() {
        for state in ProposalState::ALL {
            assert_eq!(approve(state, T0, T0) == Step::Expire, state.is_open(), "{state:?}");
        }
    }

    #[test]
    fn no_state_is_left_but_by_its_diagram() {
        for end in [
            ProposalState::Executed,
            ProposalState::Stale,
            ProposalState::Declined,
            ProposalState::Withdrawn,
            ProposalState::Expired,
        ] {
            assert!(ProposalState::ALL.iter().all(|to| !to.sources().contains(&end)), "{end:?} is final");
        }
    }
}
