//! The repositories that a person sees, all of them or one.

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::repository::SeenRepository;
use countersign_store::{ByName, repository, workspace};

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::page::by_name;

/// The action of listing.
pub const LIST: Action =
    Action { name: "repository.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// The action of looking at one.
pub const GET: Action =
    Action { name: "repository.get", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// One repository in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryLine {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The project that it is in.
    pub project: ProjectId,
    /// Whether agents see it.
    pub gitnest: bool,
    /// Its default branch.
    pub default_branch: String,
    /// The address to clone from.
    pub clone_url: String,
}

/// Every repository that the person has a role on, by name.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<RepositoryLine>, Problem> {
    gate::through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| run(app, permit))
        .await
}

/// A page of the same, behind a repository.
pub async fn page(app: &App, caller: &Caller, part: Part) -> Result<Slice<RepositoryLine>, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| async move {
            let lines = lines(app, &permit, by_name(&part), part.rows()).await?;
            Ok(part.cut(lines, |line| Cursor::new(&line.name.to_lowercase(), &line.id)))
        },
    )
    .await
}

/// One of them.
pub async fn get(app: &App, caller: &Caller, id: ResourceId) -> Result<RepositoryLine, Problem> {
    gate::through(
        app,
        caller,
        GET,
        move |_| Box::pin(async move { Ok(Found::resource(id, id, MemberRole::Viewer)) }),
        |permit| async move {
            let (workspace, missing) = (permit.workspace(), || Problem::not_found("repository"));
            let found = app.db.read(move |t| {
                Box::pin(async move {
                    let place = workspace::find(t, workspace).await?;
                    Ok::<_, Problem>(place.zip(repository::one_for(t, id).await?))
                })
            });
            let (place, row) = found.await?.ok_or_else(missing)?;
            line(row, &clone_base(&app.settings.public_url, &place.slug))
        },
    )
    .await
}

async fn run(app: &App, permit: Permit<()>) -> Result<Vec<RepositoryLine>, Problem> {
    lines(app, &permit, ByName::start(), i64::MAX).await
}

async fn lines(
    app: &App,
    permit: &Permit<()>,
    behind: ByName,
    limit: i64,
) -> Result<Vec<RepositoryLine>, Problem> {
    let (workspace, person) = (permit.workspace(), permit.person()?);
    let found = app.db.read(move |t| {
        Box::pin(async move {
            let place = workspace::find(t, workspace).await?;
            Ok::<_, Problem>((place, repository::list_for(t, (workspace, person), behind, limit).await?))
        })
    });
    let (place, rows) = found.await?;
    let slug = place.ok_or_else(|| Problem::not_found("workspace"))?.slug;
    rows.into_iter().map(|row| line(row, &clone_base(&app.settings.public_url, &slug))).collect()
}

/// Where the clone URLs of a workspace begin.
pub(crate) fn clone_base(public_url: &str, slug: &str) -> String {
    format!("{public_url}/git/{slug}")
}

fn line(
    (id, name, project, on, default_branch): SeenRepository,
    base: &str,
) -> Result<RepositoryLine, Problem> {
    Ok(RepositoryLine {
        id: ResourceId::parse(&id).map_err(Problem::internal)?,
        project: ProjectId::parse(&project).map_err(Problem::internal)?,
        gitnest: on.is_some(),
        default_branch,
        clone_url: format!("{base}/{name}.git"),
        name,
    })
}
