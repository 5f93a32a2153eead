//! The queue of a person: what waits for them, and what was decided last.

use countersign_core::caller::Caller;
use countersign_core::id::{ProposalId, UserId, WorkspaceId};
use countersign_core::page::{Cursor, Part, Slice, foreign};
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::proposal_queue::{self, QueueLine};
use countersign_store::{ByTime, Tx};

use super::decider::{self, Protection, guarded};
use super::view::{ProposalRow, QueueView};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// The action of looking at the queue.
pub const QUEUE: Action =
    Action { name: "proposal.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many waiting ones a page lists.
const WAITING: usize = 100;
/// How many decided ones it lists.
const DECIDED: i64 = 50;

/// What the person may see: waiting ones, the one that expires first on top, then those decided last.
pub async fn queue(app: &App, caller: &Caller) -> Result<QueueView, Problem> {
    gate::through(app, caller, QUEUE, |_| Box::pin(async { Ok(Found::own(())) }), |permit| run(app, permit))
        .await
}

async fn run(app: &App, permit: Permit<()>) -> Result<QueueView, Problem> {
    let whose = (permit.workspace(), permit.person()?);
    let limit = i64::try_from(WAITING + 1).unwrap_or(i64::MAX);
    let (waiting, decided) = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>((
                    proposal_queue::waiting(t, whose, "", &ByTime::oldest(), limit).await?,
                    proposal_queue::ended(t, whose, "", &ByTime::newest(), DECIDED).await?,
                ))
            })
        })
        .await?;
    let more = waiting.len() > WAITING;
    let row = |line: &QueueLine| row(line, whose.1);
    Ok(QueueView {
        waiting: waiting.iter().take(WAITING).map(row).collect::<Result<_, _>>()?,
        decided: decided.iter().map(row).collect::<Result<_, _>>()?,
        more,
    })
}

/// A page of the same: what waits first, then what was decided last; of one status alone where one is given.
pub async fn page(
    app: &App,
    caller: &Caller,
    status: Option<ProposalState>,
    part: Part,
) -> Result<Slice<ProposalRow>, Problem> {
    gate::through(
        app,
        caller,
        QUEUE,
        move |_| Box::pin(async move { Ok(Found::own((Spot::read(&part)?, part))) }),
        |permit| async move {
            let whose = (permit.workspace(), permit.person()?);
            let (spot, part) = permit.target().clone();
            let limit = part.rows();
            let word = status.map_or("", ProposalState::as_str);
            let lines = app
                .db
                .read(move |t| Box::pin(async move { spot.lines(t, whose, word, limit).await }))
                .await?;
            let rows: Vec<ProposalRow> =
                lines.iter().map(|line| row(line, whose.1)).collect::<Result<_, _>>()?;
            Ok(part.cut(rows, Spot::of))
        },
    )
    .await
}

/// A place in the queue: behind one that waits, or behind one that does not.
#[derive(Clone, Debug)]
enum Spot {
    Waiting(ByTime),
    Decided(ByTime),
}

impl Spot {
    fn read(part: &Part) -> Result<Self, Problem> {
        let Some(after) = part.after() else { return Ok(Self::Waiting(ByTime::oldest())) };
        let at = |text: &str| text.parse().map(|at| ByTime { at, id: after.id().to_owned() });
        let (kind, text) = after.key().split_once('.').ok_or_else(foreign)?;
        let behind = at(text).map_err(|_| foreign())?;
        match kind {
            "waiting" => Ok(Self::Waiting(behind)),
            "decided" => Ok(Self::Decided(behind)),
            _ => Err(foreign()),
        }
    }

    fn of(row: &ProposalRow) -> Cursor {
        let waits = row.state.is_open() || row.state == ProposalState::Executing;
        let (kind, at) = if waits { ("waiting", Some(row.expires_at)) } else { ("decided", row.ended_at) };
        Cursor::new(&format!("{kind}.{}", at.map_or(i64::MIN, Timestamp::millis)), &row.id)
    }

    async fn lines(
        self,
        t: &Tx<'_>,
        whose: (WorkspaceId, UserId),
        word: &str,
        limit: i64,
    ) -> Result<Vec<QueueLine>, Problem> {
        let (mut lines, behind) = match self {
            Self::Waiting(behind) => {
                (proposal_queue::waiting(t, whose, word, &behind, limit).await?, ByTime::newest())
            }
            Self::Decided(behind) => (Vec::new(), behind),
        };
        let left = limit - i64::try_from(lines.len()).unwrap_or(limit);
        if left > 0 {
            lines.extend(proposal_queue::ended(t, whose, word, &behind, left).await?);
        }
        Ok(lines)
    }
}

/// One line in types.
pub(super) fn row(line: &QueueLine, person: UserId) -> Result<ProposalRow, Problem> {
    let state = ProposalState::parse(&line.status)
        .ok_or_else(|| Problem::internal("an unknown status in the store"))?;
    let standing = standing(line)?;
    let another = line.other_decider.is_some() && line.owner_id == person.to_string();
    Ok(ProposalRow {
        id: ProposalId::parse(&line.id).map_err(Problem::internal)?,
        title: line.title.clone(),
        state,
        repository: line.repository.clone(),
        branch: line.branch.clone(),
        agent: line.agent.clone(),
        owner: line.owner.clone(),
        files: line.paths.len(),
        created_at: Timestamp::from_millis(line.created_at),
        expires_at: Timestamp::from_millis(line.expires_at),
        ended_at: line.ended_at.map(Timestamp::from_millis),
        may_decide: !another && standing.role.is_some_and(|role| role >= standing.needs),
    })
}

/// What deciding takes, why, and what the person has.
pub(super) struct Standing {
    pub(super) needs: MemberRole,
    pub(super) guarded: Vec<String>,
    pub(super) role: Option<MemberRole>,
}

/// Reads it off a line.
pub(super) fn standing(line: &QueueLine) -> Result<Standing, Problem> {
    let protection = Protection { branches: &line.protected_branches, paths: &line.protected_paths };
    let guarded = guarded(protection, &line.branch, line.paths.iter().map(String::as_str))?;
    let word = |text: &Option<String>| text.as_deref().and_then(MemberRole::parse);
    let role = effective(
        line.workspace_role.as_deref().and_then(WorkspaceRole::parse),
        word(&line.project_role),
        word(&line.repository_role),
    );
    Ok(Standing { needs: decider::needs(&guarded), guarded, role })
}
