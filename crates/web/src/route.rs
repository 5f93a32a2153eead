//! Every route of this crate in one list: method, path, who may call it, and what answers.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use countersign_app::App;
use countersign_core::problem::{Code, Problem};
use countersign_core::route::Route;
use countersign_core::routes;
use tower_http::csrf::CsrfLayer;

use crate::answer::PageProblem;
use crate::credential::{api_door, page_door};
use crate::openapi::{self, Operation, Schemas, describe};
use crate::state::Web;
use crate::{api, asset, handler, header, live};

routes! { PAGES, pages(Web):
    GET Session "/" => handler::home::show;
    GET Session "/go" => handler::go::show;
    GET Visitor "/static/{version}/{name}" => asset::show;
    GET Visitor "/setup" => handler::set_up::show;
    POST Visitor "/setup" => handler::set_up::submit;
    GET Visitor "/join" => handler::join::show;
    POST Visitor "/join" => handler::join::accept;
    POST Visitor "/join/look" => handler::join::look;
    GET Visitor "/sign-in" => handler::sign_in::show;
    POST Visitor "/sign-in" => handler::sign_in::submit;
    POST Visitor "/sign-in/passkey" => handler::sign_in::ask_passkey;
    POST Session "/sign-out" => handler::sign_in::sign_out;
    GET Session "/sudo" => handler::sudo::show;
    POST Session "/sudo" => handler::sudo::submit;
    POST Session "/sudo/passkey" => handler::sudo::ask_passkey;
    GET Session "/settings" => handler::settings::show;
    POST Session "/settings/passkeys" => handler::settings::add_passkey;
    POST Session "/settings/passkeys/ask" => handler::settings::ask_passkey;
    POST Session "/settings/passkeys/{id}/remove" => handler::settings::remove_passkey;
    POST Session "/settings/password" => handler::settings::change_password;
    POST Session "/settings/sign-out-elsewhere" => handler::settings::sign_out_elsewhere;
    GET Session "/tokens" => handler::tokens::show;
    POST Session "/tokens" => handler::tokens::create;
    POST Session "/tokens/{id}/revoke" => handler::tokens::revoke;
    GET Session "/projects" => handler::projects::show;
    POST Session "/projects" => handler::projects::create;
    GET Session "/projects/{id}" => handler::project::show;
    POST Session "/projects/{id}/members" => handler::project::add;
    POST Session "/projects/{id}/members/{user}/role" => handler::project::set_role;
    POST Session "/projects/{id}/members/{user}/remove" => handler::project::remove;
    GET Session "/people" => handler::people::show;
    POST Session "/people/invitations" => handler::people::invite;
    POST Session "/people/invitations/{id}/withdraw" => handler::people::withdraw;
    POST Session "/people/{user}/role" => handler::people::set_role;
    POST Session "/people/{user}/disable" => handler::people::disable;
    POST Session "/people/{user}/enable" => handler::people::enable;
    GET Session "/external-assistant-authorize" => handler::consent::show;
    POST Session "/external-assistant-authorize" => handler::consent::submit;
    GET Session "/approvals" => handler::approvals::show;
    GET Session "/approvals/several" => handler::several::show;
    POST Session "/approvals/several/approve" => handler::several::approve;
    POST Session "/approvals/several/decline" => handler::several::decline;
    GET Session "/approvals/{id}" => handler::approval::show;
    POST Session "/approvals/{id}/approve" => handler::approval::approve;
    POST Session "/approvals/{id}/decline" => handler::approval::decline;
    GET Session "/connected" => handler::connected::show;
    POST Session "/connected" => handler::connected::create;
    GET Session "/connected/{id}" => handler::connection::show;
    POST Session "/connected/{id}/projects" => handler::connection::add_project;
    POST Session "/connected/{id}/projects/{project}/remove" => handler::connection::remove_project;
    POST Session "/connected/{id}/tools" => handler::connection::switch_tool;
    POST Session "/connected/{id}/tools/all-on" => handler::connection::switch_all_on;
    POST Session "/connected/{id}/revoke" => handler::connection::revoke;
    GET Session "/repositories" => handler::repositories::show;
    GET Session "/repositories/new" => handler::new_repository::show;
    POST Session "/repositories/new" => handler::new_repository::create;
    POST Session "/repositories/import" => handler::import::begin;
    POST Session "/repositories/{id}/import/discard" => handler::import::discard;
    GET Session "/repositories/{id}" => handler::repository::files;
    GET Session "/repositories/{id}/files/{*path}" => handler::repository::files;
    GET Session "/repositories/{id}/raw/{*path}" => handler::raw::show;
    GET Session "/repositories/{id}/blame/{*path}" => handler::repository::blame;
    GET Session "/repositories/{id}/history" => handler::repository::history;
    GET Session "/repositories/{id}/history/{*path}" => handler::repository::history;
    GET Session "/repositories/{id}/branches" => handler::repository::branches;
    GET Session "/repositories/{id}/search" => handler::repository::search;
    GET Session "/repositories/{id}/settings" => handler::repository_settings::show;
    POST Session "/repositories/{id}/settings" => handler::repository_settings::save;
    POST Session "/repositories/{id}/project" => handler::repository_settings::relocate;
    POST Session "/repositories/{id}/members" => handler::repository_settings::set_member;
    GET Session "/repositories/{id}/commits/{oid}" => handler::commit::show;
    GET Session "/audit" => handler::audit::show;
    POST Session "/audit/verification" => handler::audit::verify;
    GET Session "/audit/export" => handler::audit::export;
    GET Session "/live" => live::open;
}

routes! { OPEN, open(Web), open_operations(&mut Schemas) -> Operation = describe:
    /// Gives this document
    GET Anyone "/api/v1/openapi.json" => openapi::show;
}

routes! { API, api(Web), api_operations(&mut Schemas) -> Operation = describe:
    /// Makes a token for whoever knows the password; the one time that its secret is shown
    POST Password "/api/v1/tokens" => api::token::create, SignInFailed;
    /// Lists the person's tokens that live, the newest first
    GET Token "/api/v1/tokens" => api::token::list;
    /// Revokes one of the person's tokens
    DELETE Token "/api/v1/tokens/{id}" => api::token::revoke;
    /// Tells who the token's person is
    GET Token "/api/v1/me" => api::person::me;
    /// Lists the people of the workspace, by name; for its owners
    GET Token "/api/v1/people" => api::people::list, RoleRequired;
    /// Makes a person an owner of the workspace, or a member again; for its owners
    PATCH DecidingToken "/api/v1/people/{user}" => api::people::set_role, RoleRequired LastOwner VersionConflict;
    /// Shuts a person out: their sessions and tokens end, and they cannot sign in; for owners
    PUT DecidingToken "/api/v1/people/{user}/shut-out" => api::people::shut_out, RoleRequired LastOwner;
    /// Lets a person in again; for owners
    DELETE DecidingToken "/api/v1/people/{user}/shut-out" => api::people::let_in, RoleRequired;
    /// Lists the open invitations, the newest first; for owners of the workspace
    GET Token "/api/v1/invitations" => api::invitation::list, RoleRequired;
    /// Invites somebody by a link that works once; for owners of the workspace
    POST DecidingToken "/api/v1/invitations" => api::invitation::create, RoleRequired NotFound NameTaken;
    /// Takes an invitation back; for owners of the workspace
    DELETE Token "/api/v1/invitations/{id}" => api::invitation::withdraw, RoleRequired;
    /// Lists the projects that the person sees, by name
    GET Token "/api/v1/projects" => api::project::list;
    /// Makes a project; for owners of the workspace
    POST Token "/api/v1/projects" => api::project::create, RoleRequired NameTaken;
    /// Lists the members of a project, by name
    GET Token "/api/v1/projects/{id}/members" => api::member::list;
    /// Adds a member; with name and password, a person who is new here
    POST Token "/api/v1/projects/{id}/members" => api::member::add, RoleRequired NameTaken VersionConflict;
    /// Shows a member
    GET Token "/api/v1/projects/{id}/members/{user}" => api::member::show;
    /// Changes the role of a member; for owners of the project
    PATCH Token "/api/v1/projects/{id}/members/{user}" => api::member::set_role, RoleRequired VersionConflict;
    /// Takes a member off a project; for its owners
    DELETE Token "/api/v1/projects/{id}/members/{user}" => api::member::remove, RoleRequired VersionConflict;
    /// Sets the password of a person who lost theirs; it takes a token with `proposals:decide` too
    POST Token "/api/v1/projects/{id}/members/{user}/password" => api::member::set_password,
        RoleRequired VersionConflict;
    /// Lists the connections of assistants that the person may see, the newest first
    GET Token "/api/v1/connections" => api::connection::list;
    /// Makes a connection that waits for a client, without projects
    POST Token "/api/v1/connections" => api::connection::create;
    /// Shows a connection with its projects, tools and latest calls
    GET Token "/api/v1/connections/{id}" => api::connection::show;
    /// Revokes a connection for good; its tokens and waiting proposals end with it
    DELETE Token "/api/v1/connections/{id}" => api::connection::revoke;
    /// Adds a project to a connection; for its own person
    PUT DecidingToken "/api/v1/connections/{id}/projects/{project}" => api::connection::add_project,
        RoleRequired ConnectionRevoked;
    /// Takes a project off a connection; for its own person
    DELETE Token "/api/v1/connections/{id}/projects/{project}" => api::connection::remove_project,
        RoleRequired ConnectionRevoked;
    /// Switches a tool of a connection on; for its own person
    PUT DecidingToken "/api/v1/connections/{id}/tools/{tool}" => api::connection::switch_on,
        InvalidArguments RoleRequired ConnectionRevoked VersionConflict;
    /// Switches a tool of a connection off; for its own person
    DELETE Token "/api/v1/connections/{id}/tools/{tool}" => api::connection::switch_off,
        InvalidArguments RoleRequired ConnectionRevoked VersionConflict;
    /// Lists the repositories that the person sees, by name
    GET Token "/api/v1/repositories" => api::repository::list;
    /// Makes a repository with a first README, or empty; for owners of the workspace
    POST Token "/api/v1/repositories" => api::repository::create,
        RoleRequired NotFound NameTaken RepositoryBusy;
    /// Makes a repository from a folder on the server's machine; for owners of the workspace
    POST Token "/api/v1/repositories/import" => api::repository::import,
        RoleRequired NotFound NameTaken RepositoryBusy ContentTooLarge;
    /// Begins to import a repository from another server; for owners of the workspace
    POST Token "/api/v1/repositories/import-url" => api::import::begin,
        RoleRequired NotFound NameTaken RepositoryBusy;
    /// Tells how far an import is; for owners of the workspace
    GET Token "/api/v1/repositories/{id}/import" => api::import::show;
    /// Takes back an import that failed; for owners of the workspace
    DELETE Token "/api/v1/repositories/{id}/import" => api::import::discard, VersionConflict;
    /// Shows a repository with its settings
    GET Token "/api/v1/repositories/{id}" => api::repository::show;
    /// Moves a repository to another project, shows it to agents or hides it, or changes its rules; for its owners
    PATCH Token "/api/v1/repositories/{id}" => api::repository::change,
        RoleRequired BranchNotFound VersionConflict RepositoryBusy;
    /// Shows the same as the repository's own address
    GET Token "/api/v1/repositories/{id}/settings" => api::repository::settings;
    /// Lists everybody with a role on a repository, by name
    GET Token "/api/v1/repositories/{id}/members" => api::repository::members;
    /// Gives a person a role of their own on a repository, or takes it away; for its owners
    PATCH Token "/api/v1/repositories/{id}/members/{user}" => api::repository::set_member,
        RoleRequired VersionConflict;
    /// Lists a folder, folders first
    GET Token "/api/v1/repositories/{id}/tree" => api::tree::folder;
    /// Gives up to 2,000 lines of a file, or tells what else lies there
    GET Token "/api/v1/repositories/{id}/file" => api::tree::file;
    /// Gives the bytes of a file
    GET Token "/api/v1/repositories/{id}/raw" => api::tree::raw;
    /// Lists the commits of a branch, or those that changed a path, the latest first
    GET Token "/api/v1/repositories/{id}/history" => api::tree::history;
    /// Tells who wrote up to 1,000 lines of a file
    GET Token "/api/v1/repositories/{id}/blame" => api::tree::blame;
    /// Lists the branches, by name
    GET Token "/api/v1/repositories/{id}/branches" => api::names::branches, RepositoryBusy;
    /// Lists the tags, by name
    GET Token "/api/v1/repositories/{id}/tags" => api::names::tags, RepositoryBusy;
    /// Finds up to 200 lines that hold a text
    GET Token "/api/v1/repositories/{id}/search" => api::tree::search, BranchNotFound RepositoryBusy;
    /// Shows a commit, its signature and its changes
    GET Token "/api/v1/repositories/{id}/commits/{oid}" => api::commit::show,
        InvalidArguments BranchNotFound ContentTooLarge RepositoryBusy;
    /// Lists the proposals that wait, then those decided last
    GET Token "/api/v1/proposals" => api::proposal::list;
    /// Shows a proposal with all its frozen facts
    GET Token "/api/v1/proposals/{id}" => api::proposal::show, RepositoryBusy;
    /// Approves a proposal: its commit lands, once
    POST DecidingToken "/api/v1/proposals/{id}/approve" => api::proposal::approve,
        RoleRequired DeciderLacksRole ConnectionRevoked NotInProject OwnerLacksAccess PolicyNotMet ProposalInvalid
        NothingChanges ProposalStale ProposalDeclined ProposalExpired ProposalWithdrawn ProposalNotPending
        ProposalFailed RepositoryBusy ContentTooLarge;
    /// Declines a proposal, with a reason that the agent reads
    POST DecidingToken "/api/v1/proposals/{id}/decline" => api::proposal::decline,
        RoleRequired DeciderLacksRole PolicyNotMet ProposalNotPending ProposalStale ProposalExpired
        ProposalWithdrawn ProposalDeclined RepositoryBusy;
    /// Lists the records of the audit log, the newest first; for owners of the workspace
    GET Token "/api/v1/audit" => api::audit::list, RoleRequired;
    /// Gives the records of the audit log as a file; for owners of the workspace
    GET Token "/api/v1/audit/export" => api::audit::export, RoleRequired;
    /// Verifies the audit log for about two seconds; for owners of the workspace
    GET Token "/api/v1/audit/verification" => api::audit::verify, RoleRequired;
}

/// The REST API as its document describes it.
pub(crate) fn operations(schemas: &mut Schemas) -> Vec<Operation> {
    let mut operations = open_operations(schemas);
    operations.extend(api_operations(schemas));
    operations
}

/// Every route of this crate.
pub fn list() -> Vec<Route> {
    [PAGES, OPEN, API].concat()
}

/// The longest form, in bytes.
const FORM: usize = 64 * 1024;
/// The longest body of the API, in bytes.
pub(crate) const BODY: usize = 64 * 1024;

/// The router: pages behind the door of pages, the API behind its own, and what is nowhere.
pub fn routes(app: &App) -> Router {
    let web = Web::new(app);
    let pages = pages()
        .method_not_allowed_fallback(handler::start::no_method)
        .layer(DefaultBodyLimit::max(FORM))
        .layer(from_fn_with_state(web.clone(), page_door))
        .layer(same_origin(app));
    let api = api()
        .method_not_allowed_fallback(handler::start::no_api_method)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(web.clone(), api_door));
    Router::new()
        .merge(pages)
        .merge(api)
        .merge(open().method_not_allowed_fallback(handler::start::no_api_method))
        .fallback(handler::start::nothing)
        .layer(from_fn_with_state(web.clone(), header::set))
        .with_state(web)
}

/// Refuses a form that another site sent, by what the browser says of it (Fetch Metadata, RFC 6454).
fn same_origin(app: &App) -> CsrfLayer<fn(tower_http::csrf::ProtectionError) -> Response> {
    let layer = CsrfLayer::new();
    // Behind a proxy that rewrites `Host`, the public address is still ours.
    let layer = layer.add_trusted_origin(&app.settings.public_url).unwrap_or_else(|error| {
        tracing::warn!(%error, "the public address is no origin of a browser; check public_url");
        CsrfLayer::new()
    });
    layer.with_rejection_response(foreign as fn(_) -> _)
}

fn foreign(_: tower_http::csrf::ProtectionError) -> Response {
    PageProblem(Problem::new(Code::CsrfRefused, "This form came from another site.")).into_response()
}
