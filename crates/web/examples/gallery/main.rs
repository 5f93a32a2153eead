//! Serves pages with made-up data, in their empty, long and broken states:
//! `cargo run -p countersign-web --example gallery`.
//! Those of what a repository holds are not among them: they need Git, and `crates/web/tests/it/repository` has them.

mod fixture;
mod shown;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use countersign_app::home::find::{Found, Wanted};
use countersign_app::proposal::view::Reach;
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_web::frame::Scene;
use countersign_web::page::people::People;
use countersign_web::page::repository::settings::{Ruled, Saved, Settings};
use countersign_web::page::{
    approval, approvals, audit, commit, connected, connection, consent, go, home, join, new_repository,
    people, problem, project, projects, repositories, repository, set_up, settings, several, sign_in, sudo,
    tokens,
};
use countersign_web::part::diff::Layout;
use http::StatusCode;
use maud::{Markup, html};

use shown::SHOWN;

/// How a proposal is looked at first.
const CHANGES: (Layout, Reach) = (Layout::Unified, Reach::Changes);

fn render(name: &str) -> Option<Markup> {
    let viewer = fixture::viewer();
    let scene = Scene { viewer: &viewer, waiting: 3, now: fixture::NOW };
    let wrong = Problem::invalid("workspace_slug", "small letters, digits and hyphens, at most 40");
    Some(match name {
        "setup" => set_up::page("t", &set_up::Typed::default(), None),
        "setup-wrong" => set_up::page("t", &fixture::typed(), Some(&wrong)),
        "sign-in" => sign_in::page(&fixture::SIGN_IN, "", None),
        "sign-in-wrong" => sign_in::page(
            &fixture::SIGN_IN,
            "ada@example.org",
            Some(&Problem::new(Code::SignInFailed, "That did not match.")),
        ),
        "sudo" => sudo::page(&fixture::SUDO, None),
        "sudo-wrong" => sudo::page(&fixture::SUDO, Some(&fixture::passkey_refused())),
        "consent" => consent::page(&fixture::ASKED, &fixture::consent(), None),
        "consent-site" => consent::page(&fixture::ASKED, &fixture::consent_site(), None),
        "consent-long" => consent::page(
            &fixture::ASKED,
            &fixture::consent_long(),
            Some(&Problem::new(Code::SignInFailed, "That password did not match.")),
        ),
        "connected" => connected::page(&scene, &fixture::connected(), "/none"),
        "connected-empty" => connected::page(&scene, &fixture::connected_empty(), "/none"),
        "connection" => connection::page(&scene, &fixture::connection(), "/none"),
        "connection-empty" => connection::page(&scene, &fixture::connection_empty(), "/none"),
        "connection-pending" => connection::page(&scene, &fixture::connection_pending(), "/none"),
        "connection-revoked" => connection::page(&scene, &fixture::connection_revoked(), "/none"),
        "commit" => commit::page(&scene, &fixture::commit(), Layout::Unified, "/none"),
        "commit-unsigned" => commit::page(&scene, &fixture::commit_unsigned(), Layout::Unified, "/none"),
        "commit-bad" => commit::page(&scene, &fixture::commit_bad(), Layout::Unified, "/none"),
        "problem" => problem::page(&Problem::not_found("proposal")),
        "problem-facts" => problem::page(
            &Problem::new(Code::ProposalStale, "The branch moved after this was proposed.")
                .fact("base_oid", fixture::BASE)
                .fact("branch_head", fixture::HEAD),
        ),
        name => {
            let others = [of_approvals, of_projects, of_people, of_oneself, of_repositories, of_audit];
            return others.iter().find_map(|others| others(&scene, name));
        }
    })
}

fn of_projects(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    Some(match name {
        "projects" => projects::page(scene, (&fixture::project_rows(), ""), None, "/none"),
        "projects-empty" => projects::page(scene, (&[], ""), None, "/none"),
        "projects-long" => projects::page(scene, (&fixture::many_projects(), ""), None, "/none"),
        "projects-wrong" => {
            let problem = Problem::invalid("name", "1 to 80 visible characters without < and >");
            projects::page(scene, (&fixture::project_rows(), ""), Some(("<Engine>", &problem)), "/none")
        }
        "project" => {
            project::page(scene, &fixture::project(), (&project::Typed::default(), None), "", "/none")
        }
        "project-empty" => {
            project::page(scene, &fixture::project_empty(), (&project::Typed::default(), None), "", "/none")
        }
        "project-long" => {
            project::page(scene, &fixture::project_long(), (&project::Typed::default(), None), "", "/none")
        }
        "project-wrong" => {
            let problem = Problem::invalid("password", "at least 12 characters");
            project::page(scene, &fixture::project(), (&fixture::typed_member(), Some(&problem)), "", "/none")
        }
        _ => return None,
    })
}

fn of_people(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    Some(match name {
        "people" => people::page(scene, &fixture::folk(&fixture::everybody()), "/none"),
        "people-long" => people::page(scene, &fixture::folk(&fixture::crowd()), "/none"),
        "people-invited" => {
            let (all, invited, link) = (fixture::everybody(), fixture::invited(), Some(fixture::LINK));
            let (invitations, projects) = (&invited, &fixture::projects());
            people::page(scene, &People { invitations, projects, link, ..fixture::folk(&all) }, "/none")
        }
        "people-wrong" => {
            let (everybody, last) = (fixture::everybody(), fixture::last_owner());
            people::page(scene, &People { problem: Some(&last), ..fixture::folk(&everybody[..1]) }, "/none")
        }
        "join" => join::code("t", "", None),
        "join-wrong" => join::code("t", "cs_in_abc", Some(&fixture::not_open())),
        "join-offer" => join::offer(("t", "c"), &fixture::offer(), "", None),
        "join-offer-wrong" => {
            let short = Problem::invalid("password", "at least 12 characters");
            join::offer(("t", "c"), &fixture::offer(), "Mary Somerville", Some(&short))
        }
        _ => return None,
    })
}

fn of_oneself(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    Some(match name {
        "tokens" => tokens::page(scene, &fixture::tokens(&fixture::three_tokens()), "/none"),
        "tokens-empty" => {
            let closed = tokens::Tokens { sudo: settings::Sudo::Closed, ..fixture::tokens(&[]) };
            tokens::page(scene, &closed, "/none")
        }
        "tokens-long" => tokens::page(scene, &fixture::tokens(&fixture::hundred_tokens()), "/none"),
        "tokens-made" => {
            let all = fixture::three_tokens();
            let made = tokens::Tokens { secret: Some(fixture::SECRET), ..fixture::tokens(&all) };
            tokens::page(scene, &made, "/none")
        }
        "tokens-wrong" => {
            let problem =
                Problem::invalid("scopes", "at least one of repo:read, repo:write, api, proposals:decide");
            let wrong = tokens::Tokens { problem: Some(&problem), ..fixture::tokens(&[]) };
            tokens::page(scene, &wrong, "/none")
        }
        "account" => settings::page(scene, &fixture::account(&fixture::passkeys()), "/none"),
        "account-empty" => settings::page(scene, &fixture::account(&[]), "/none"),
        "account-long" => settings::page(scene, &fixture::account(&fixture::twenty_passkeys()), "/none"),
        "account-closed" => {
            let keys = fixture::passkeys();
            let closed = settings::Settings { sudo: settings::Sudo::Closed, ..fixture::account(&keys) };
            settings::page(scene, &closed, "/none")
        }
        "account-wrong" => {
            let (keys, problem) = (fixture::passkeys(), fixture::passkey_refused());
            let wrong = settings::Settings { done: None, problem: Some(&problem), ..fixture::account(&keys) };
            settings::page(scene, &wrong, "/none")
        }
        "account-nowhere" => {
            let none = settings::Settings { passkeys: None, ..fixture::account(&[]) };
            settings::page(scene, &none, "/none")
        }
        _ => return None,
    })
}

/// Home, the way to everything, and what is decided.
fn of_approvals(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    let proposal = |state| approval::page(scene, &fixture::proposal(state), CHANGES, "/none");
    Some(match name {
        "home" => home::page(scene, &fixture::home(), &fixture::queue(), "/none"),
        "home-quiet" => home::page(scene, &fixture::home_quiet(), &fixture::empty_queue(), "/none"),
        "home-fresh" => home::page(scene, &fixture::home_fresh(), &fixture::empty_queue(), "/none"),
        "home-long" => home::page(scene, &fixture::home(), &fixture::long_queue(), "/none"),
        "go" => found(scene, "", &fixture::found()),
        "go-none" => found(scene, "a name that nothing bears", &[]),
        "several" => several::page(
            scene,
            &[fixture::proposal(ProposalState::Pending), fixture::refused(), fixture::another()],
            "/none",
        ),
        "several-decided" => several::page(
            scene,
            &[fixture::proposal(ProposalState::Executed), fixture::proposal(ProposalState::Stale)],
            "/none",
        ),
        "approvals" => approvals::page(scene, &fixture::queue(), "/none"),
        "approvals-empty" => {
            approvals::page(&Scene { waiting: 0, ..*scene }, &fixture::empty_queue(), "/none")
        }
        "approvals-long" => {
            approvals::page(&Scene { waiting: 120, ..*scene }, &fixture::long_queue(), "/none")
        }
        "proposal" => proposal(ProposalState::Pending),
        "proposal-split" => approval::page(
            scene,
            &fixture::proposal(ProposalState::Pending),
            (Layout::Split, Reach::Whole),
            "/none",
        ),
        "proposal-refused" => approval::page(scene, &fixture::refused(), CHANGES, "/none"),
        "proposal-long" => approval::page(scene, &fixture::long_proposal(), CHANGES, "/none"),
        "proposal-executing" => proposal(ProposalState::Executing),
        "proposal-executed" => proposal(ProposalState::Executed),
        "proposal-stale" => proposal(ProposalState::Stale),
        "proposal-failed" => proposal(ProposalState::Failed),
        "proposal-declined" => proposal(ProposalState::Declined),
        "proposal-withdrawn" => proposal(ProposalState::Withdrawn),
        "proposal-expired" => proposal(ProposalState::Expired),
        _ => return None,
    })
}

fn found(scene: &Scene<'_>, typed: &str, found: &[Found]) -> Markup {
    go::page(scene, (typed, &Wanted::parse(typed)), found, "/none")
}

fn of_repositories(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    Some(match name {
        "repositories" => {
            repositories::page(scene, &fixture::overview(), Some(&fixture::no_imports()), "/none")
        }
        "repositories-importing" => {
            repositories::page(scene, &fixture::overview(), Some(&fixture::imports()), "/none")
        }
        "repositories-empty" => {
            repositories::page(scene, &fixture::overview_empty(), Some(&fixture::no_imports()), "/none")
        }
        "repositories-empty-member" => repositories::page(scene, &fixture::overview_empty(), None, "/none"),
        "repository-new" => new_repository::page(scene, &fixture::projects(), None, "/none"),
        "repository-new-wrong" => {
            new_repository::page(scene, &fixture::projects(), Some(&fixture::typed_repository()), "/none")
        }
        "settings" => of_repository(scene, Some(Saved::Settings), None),
        "settings-wrong" => {
            let wrong = "“/etc”: a protected path is relative, and no part of it is empty, `.` or `..`";
            of_repository(scene, None, Some(&Problem::invalid("protected_paths", wrong)))
        }
        "settings-conflict" => of_repository(scene, None, Some(&fixture::conflict())),
        _ => return None,
    })
}

fn of_audit(scene: &Scene<'_>, name: &str) -> Option<Markup> {
    let plain = audit::Around { address: "/audit", export: "/audit/export", ..audit::Around::default() };
    let wrong = fixture::wrong_day();
    let (intact, goes_on, broken) = (fixture::intact(), fixture::goes_on(), fixture::broken());
    let verified = |progress| audit::Around { verified: Some(progress), ..plain };
    let page = |view, around: &audit::Around<'_>| audit::page(scene, &view, around, "/none");
    Some(match name {
        "audit" => page(fixture::audit(), &plain),
        "audit-empty" => page(fixture::audit_empty(), &plain),
        "audit-nothing-fits" => page(fixture::audit_nothing_fits(), &plain),
        "audit-looking-back" => page(fixture::audit_looking_back(), &plain),
        "audit-wrong" => {
            let around = audit::Around { days: ("yesterday", ""), problem: Some(&wrong), ..plain };
            page(fixture::audit(), &around)
        }
        "audit-intact" => page(fixture::audit(), &verified(&intact)),
        "audit-goes-on" => page(fixture::audit(), &verified(&goes_on)),
        "audit-broken" => page(fixture::audit_broken(), &verified(&broken)),
        _ => return None,
    })
}

fn of_repository(scene: &Scene<'_>, saved: Option<Saved>, problem: Option<&Problem>) -> Markup {
    let (view, projects, members) = (fixture::manage(), fixture::projects(), fixture::people());
    let ruled = Ruled::of(&view);
    let settings =
        Settings { view: &view, projects: &projects, members: &members, ruled: &ruled, saved, problem };
    repository::settings::page(scene, &settings, "/none")
}

fn index() -> Markup {
    html! { ul { @for name in SHOWN { li { a href={ "/gallery/" (name) } { (name) } } } } }
}

fn one(Path(name): Path<String>) -> std::future::Ready<Response> {
    std::future::ready(
        render(&name).map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response),
    )
}

/// The gallery: its list, its pages, what they load.
#[expect(clippy::disallowed_methods, reason = "the gallery is no server of ours: nothing in it is anybody's")]
pub(crate) fn routes() -> Router {
    Router::new()
        .route("/", get(|| async { index() }))
        .route("/gallery/{name}", get(one))
        .route("/static/{version}/{name}", get(countersign_web::asset::show))
        .route("/none", get(|| async { StatusCode::NO_CONTENT }))
}

#[cfg(not(test))]
#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 8421)).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, routes()).await
}
