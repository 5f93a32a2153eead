//! Look: each part comes from its own use case, behind the gate; what of it is pressing is decided here.

use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;

use super::view::{HomeView, Needed, Steps};
use crate::App;
use crate::connection::view::{ConnectionRow, ConnectionState};
use crate::repository::RepositoryLine;
use crate::repository::import::{ImportState, ImportView};
use crate::token::view::TokenView;
use crate::{connection, repository, token};

/// A token that ends within so many seconds is named.
const TOKEN_SOON_S: i64 = 7 * 86_400;
/// One that was made for so short a time is not: its end was meant.
const TOKEN_SHORT_S: i64 = 2 * 86_400;
/// How many things are named at most.
const MOST: usize = 20;

/// What needs the caller now, and how far their workspace is set up.
pub async fn look(app: &App, caller: &Caller) -> Result<HomeView, Problem> {
    let connections = connection::list(app, caller).await?.connections;
    let repositories = repository::list(app, caller).await?;
    let tokens = token::list(app, caller).await?;
    let imports = match repository::import::imports(app, caller).await {
        Ok(imports) => imports,
        // They are shown to owners of the workspace alone.
        Err(problem) if problem.code == Code::RoleRequired => Vec::new(),
        Err(problem) => return Err(problem),
    };
    let needs = needs(app.now(), imports, tokens, &connections);
    Ok(HomeView { needs, steps: steps(&repositories, &connections) })
}

fn needs(
    now: Timestamp,
    imports: Vec<ImportView>,
    tokens: Vec<TokenView>,
    connections: &[ConnectionRow],
) -> Vec<Needed> {
    let imports = imports.into_iter().filter_map(|import| match import.state {
        ImportState::Failed(reason) => Some(Needed::Import { name: import.name, reason }),
        ImportState::Waiting
        | ImportState::Receiving { .. }
        | ImportState::Resolving { .. }
        | ImportState::Checking
        | ImportState::Done => None,
    });
    let tokens = tokens.into_iter().filter(|token| ends_soon(token, now)).map(|token| Needed::Token {
        id: token.id,
        name: token.name,
        expires_at: token.expires_at,
    });
    let connections = connections.iter().filter_map(unfinished);
    imports.chain(tokens).chain(connections).take(MOST).collect()
}

fn ends_soon(token: &TokenView, now: Timestamp) -> bool {
    let short = token.expires_at.seconds() - token.created_at.seconds() <= TOKEN_SHORT_S;
    !short && token.expires_at.seconds() - now.seconds() <= TOKEN_SOON_S
}

fn unfinished(connection: &ConnectionRow) -> Option<Needed> {
    let (id, name) = (connection.id, connection.name.clone());
    match connection.state {
        ConnectionState::Pending => Some(Needed::Assistant { id, name, since: connection.created_at }),
        ConnectionState::Active if connection.projects.is_empty() => Some(Needed::Blind { id, name }),
        ConnectionState::Active | ConnectionState::Revoked => None,
    }
}

fn steps(repositories: &[RepositoryLine], connections: &[ConnectionRow]) -> Steps {
    let active = || connections.iter().filter(|connection| connection.state == ConnectionState::Active);
    Steps {
        repository: repositories.iter().any(|repository| repository.gitnest),
        assistant: active().next().is_some(),
        project: active().any(|connection| !connection.projects.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use countersign_core::id::{ConnectionId, ProjectId, ResourceId, TokenId};
    use countersign_core::scope::TokenScopes;
    use uuid::Uuid;

    use super::*;
    use crate::connection::view::AssistantKind;

    const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);

    fn connection(state: ConnectionState, projects: &[&str]) -> ConnectionRow {
        ConnectionRow {
            id: ConnectionId::new(Uuid::from_u128(1)),
            name: "Helper".to_owned(),
            kind: AssistantKind::Other,
            state,
            client: None,
            owner: "Ada".to_owned(),
            projects: projects.iter().map(|&name| name.to_owned()).collect(),
            created_at: NOW,
            used_at: None,
            waiting: 0,
        }
    }

    fn token(days_made_for: i64, days_left: i64) -> TokenView {
        let expires_at = NOW.plus_seconds(days_left * 86_400);
        TokenView {
            id: TokenId::new(Uuid::from_u128(2)),
            name: "laptop".to_owned(),
            scopes: TokenScopes::parse("api"),
            created_at: expires_at.plus_seconds(-days_made_for * 86_400),
            expires_at,
            used_at: None,
        }
    }

    #[test]
    fn a_token_is_named_in_its_last_week_unless_it_was_made_for_a_day() {
        assert!(ends_soon(&token(90, 7), NOW));
        assert!(!ends_soon(&token(90, 8), NOW));
        assert!(!ends_soon(&token(1, 1), NOW));
    }

    #[test]
    fn an_assistant_that_has_not_signed_in_or_sees_nothing_is_named() {
        let all = [
            connection(ConnectionState::Pending, &[]),
            connection(ConnectionState::Active, &[]),
            connection(ConnectionState::Active, &["General"]),
            connection(ConnectionState::Revoked, &[]),
        ];
        let named = needs(NOW, vec![], vec![], &all);
        assert!(matches!(named.as_slice(), [Needed::Assistant { .. }, Needed::Blind { .. }]), "{named:?}");
    }

    #[test]
    fn a_failed_import_comes_first_and_one_under_way_is_not_named() {
        let import = |state| ImportView {
            id: ResourceId::new(Uuid::from_u128(3)),
            name: "orchard".to_owned(),
            project: ProjectId::new(Uuid::from_u128(4)),
            url: "https://git.example/orchard".to_owned(),
            state,
        };
        let imports = vec![import(ImportState::Checking), import(ImportState::Failed("gone".to_owned()))];
        let named = needs(NOW, imports, vec![token(90, 1)], &[]);
        assert!(matches!(named.as_slice(), [Needed::Import { .. }, Needed::Token { .. }]), "{named:?}");
    }

    #[test]
    fn the_steps_are_done_when_an_agent_can_see_a_repository() {
        assert_eq!(steps(&[], &[connection(ConnectionState::Pending, &[])]), Steps::default());
        let repository = RepositoryLine {
            id: ResourceId::new(Uuid::from_u128(3)),
            name: "orchard".to_owned(),
            project: ProjectId::new(Uuid::from_u128(4)),
            gitnest: true,
            default_branch: "main".to_owned(),
            clone_url: String::new(),
        };
        let sighted = [connection(ConnectionState::Active, &["General"])];
        assert!(steps(std::slice::from_ref(&repository), &sighted).done());
        let hidden = RepositoryLine { gitnest: false, ..repository };
        assert!(!steps(&[hidden], &sighted).done());
    }
}
