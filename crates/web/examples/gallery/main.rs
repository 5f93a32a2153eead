//! Serves pages with made-up data, in their empty, long and broken states:
//! `cargo run -p countersign-web --example gallery`.
//! Those of what a repository holds are not among them: they need Git, and `crates/web/tests/it/repository` has them.

mod fixture;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use countersign_app::home::find::{Found, Wanted};
use countersign_app::proposal::view::Reach;
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_web::frame::Scene;
use countersign_web::page::repository::settings::{Ruled, Saved, Settings};
use countersign_web::page::{
    approval, approvals, audit, commit, connected, connection, consent, go, home, new_repository, problem,
    repositories, repository, set_up, several, sign_in, sudo,
};
use countersign_web::part::diff::Layout;
use http::StatusCode;
use maud::{Markup, html};

/// The name of each state and what it shows.
const SHOWN: &[&str] = &[
    "setup",
    "setup-wrong",
    "sign-in",
    "sign-in-wrong",
    "sudo",
    "consent",
    "consent-site",
    "consent-long",
    "home",
    "home-quiet",
    "home-fresh",
    "home-long",
    "go",
    "go-none",
    "approvals",
    "approvals-empty",
    "approvals-long",
    "several",
    "several-decided",
    "proposal",
    "proposal-split",
    "proposal-refused",
    "proposal-long",
    "proposal-executing",
    "proposal-executed",
    "proposal-stale",
    "proposal-failed",
    "proposal-declined",
    "proposal-withdrawn",
    "proposal-expired",
    "connected",
    "connected-empty",
    "connection",
    "connection-empty",
    "connection-pending",
    "connection-revoked",
    "commit",
    "commit-unsigned",
    "commit-bad",
    "repositories",
    "repositories-importing",
    "repositories-empty",
    "repositories-empty-member",
    "repository-new",
    "repository-new-wrong",
    "settings",
    "settings-wrong",
    "settings-conflict",
    "audit",
    "audit-empty",
    "audit-nothing-fits",
    "audit-looking-back",
    "audit-wrong",
    "audit-intact",
    "audit-goes-on",
    "audit-broken",
    "problem",
    "problem-facts",
];

/// How a proposal is looked at first.
const CHANGES: (Layout, Reach) = (Layout::Unified, Reach::Changes);

fn render(name: &str) -> Option<Markup> {
    let viewer = fixture::viewer();
    let scene = Scene { viewer: &viewer, waiting: 3, now: fixture::NOW };
    let wrong = Problem::invalid("workspace_slug", "small letters, digits and hyphens, at most 40");
    Some(match name {
        "setup" => set_up::page("t", &set_up::Typed::default(), None),
        "setup-wrong" => set_up::page("t", &fixture::typed(), Some(&wrong)),
        "sign-in" => sign_in::page("t", "/approvals", "", None),
        "sign-in-wrong" => sign_in::page(
            "t",
            "/approvals",
            "ada@example.org",
            Some(&Problem::new(Code::SignInFailed, "That did not match.")),
        ),
        "sudo" => sudo::page("t", "/approvals", "ada@example.org", None),
        "consent" => consent::page("t", &fixture::consent(), None),
        "consent-site" => consent::page("t", &fixture::consent_site(), None),
        "consent-long" => consent::page(
            "t",
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
            let others = [of_approvals, of_repositories, of_audit];
            return others.iter().find_map(|others| others(&scene, name));
        }
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
        "settings" => settings(scene, Some(Saved::Settings), None),
        "settings-wrong" => {
            let wrong = "“/etc”: a protected path is relative, and no part of it is empty, `.` or `..`";
            settings(scene, None, Some(&Problem::invalid("protected_paths", wrong)))
        }
        "settings-conflict" => settings(scene, None, Some(&fixture::conflict())),
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

fn settings(scene: &Scene<'_>, saved: Option<Saved>, problem: Option<&Problem>) -> Markup {
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
