//! What is sent to a route, so that nothing but the credential can be wrong with it.

use std::sync::atomic::{AtomicUsize, Ordering};

use countersign_core::route::{Route, Who};
use countersign_testkit::agent::REDIRECT;
use serde_json::{Value, json};

use crate::cast::OWNER;
use crate::credential::{is_form, made_up};
use crate::ids::Ids;

/// A body.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// None.
    Empty,
    /// A form.
    Fields(Vec<(&'static str, String)>),
    /// JSON.
    Json(Value),
    /// Of a type of its own.
    Typed(&'static str, &'static str),
}

/// What a browser could answer about a passkey, with nothing in it that is signed.
const UNSIGNED: &str = r#"{"rawId":"AA","response":{"clientDataJSON":"e30","attestationObject":"oA"}}"#;

/// A name that nothing has yet.
fn fresh() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("new-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The body that a route takes, where a password is asked for that of this person.
pub(crate) fn body(route: &Route, ids: &Ids, person: (&str, &str)) -> Body {
    if route.method == "GET" || route.method == "DELETE" {
        return Body::Empty;
    }
    if is_form(route) {
        return Body::Fields(fields(route.path, ids, person));
    }
    match route.who {
        Who::GitToken => Body::Typed("application/x-git-upload-pack-request", "0000"),
        Who::GitWriteToken => Body::Typed("application/x-git-receive-pack-request", "0000"),
        Who::Client if !route.path.ends_with("/register") => Body::Fields(vec![
            ("grant_type", "authorization_code".to_owned()),
            ("client_id", "nobody".to_owned()),
            ("code", made_up("cs_ac_")),
            ("token", made_up("cs_rt_")),
        ]),
        Who::Anyone
        | Who::Visitor
        | Who::Session
        | Who::Password
        | Who::Token
        | Who::DecidingToken
        | Who::Agent
        | Who::Client => Body::Json(document(route, ids, person)),
    }
}

fn fields(path: &str, ids: &Ids, person: (&str, &str)) -> Vec<(&'static str, String)> {
    let pairs = |pairs: &[(&'static str, &str)]| {
        pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect::<Vec<_>>()
    };
    match path {
        "/sign-in" | "/sudo" => pairs(&[("mail", person.0), ("password", person.1)]),
        "/external-assistant-authorize" => pairs(&[("h", &"A".repeat(43)), ("answer", "deny")]),
        "/approvals/several/approve" => pairs(&[("id", &ids.proposal)]),
        "/approvals/several/decline" => pairs(&[("id", &ids.proposal), ("reason", "No.")]),
        "/approvals/{id}/decline" => pairs(&[("reason", "No.")]),
        "/connected" => pairs(&[("kind", "other"), ("name", &fresh())]),
        "/projects" => pairs(&[("name", &fresh())]),
        "/projects/{id}/members" => pairs(&[("mail", OWNER.0), ("role", "viewer")]),
        "/projects/{id}/members/{user}/role" => pairs(&[("role", "viewer")]),
        "/people/invitations" => pairs(&[("mail", &format!("{}@x.example", fresh())), ("role", "member")]),
        "/join" | "/join/look" => {
            pairs(&[("token", &made_up("cs_in_")), ("name", "Mary"), ("password", person.1)])
        }
        "/people/{user}/role" => pairs(&[("role", "owner")]),
        "/settings/password" => pairs(&[("password", person.1)]),
        "/tokens" => pairs(&[("name", &fresh()), ("scope", "repo:read"), ("hours", "24")]),
        "/settings/passkeys" => pairs(&[("name", &fresh()), ("credential", UNSIGNED)]),
        "/connected/{id}/tools" => pairs(&[("tool", "list_granted_resources"), ("to", "off")]),
        "/repositories/new" => pairs(&[("name", &fresh()), ("project", &ids.project)]),
        "/repositories/import" => {
            pairs(&[("name", &fresh()), ("project", &ids.project), ("url", "https://192.0.2.1/nowhere.git")])
        }
        "/repositories/{id}/settings" => pairs(&[("default_branch", "main")]),
        "/repositories/{id}/members" => pairs(&[("user", &ids.user), ("role", "viewer")]),
        "/repositories/{id}/project" | "/connected/{id}/projects" => pairs(&[("project", &ids.project)]),
        _ => Vec::new(),
    }
}

fn document(route: &Route, ids: &Ids, person: (&str, &str)) -> Value {
    match (route.method, route.path) {
        ("POST", "/api/v1/tokens") => {
            let (mail, password) = person;
            json!({ "mail": mail, "password": password, "name": "t", "scopes": ["api"], "hours": 1 })
        }
        ("POST", "/api/v1/connections") => json!({ "kind": "other", "name": fresh() }),
        ("POST", "/api/v1/invitations") => {
            json!({ "mail": format!("{}@x.example", fresh()), "role": "member" })
        }
        ("POST", "/api/v1/projects") => json!({ "name": fresh() }),
        ("POST", "/api/v1/projects/{id}/members") => json!({ "mail": OWNER.0, "role": "viewer" }),
        ("PATCH", "/api/v1/people/{user}" | "/api/v1/projects/{id}/members/{user}") => {
            json!({ "role": "owner" })
        }
        ("POST", "/api/v1/projects/{id}/members/{user}/password") => {
            json!({ "password": "a sentence that nobody chose" })
        }
        ("POST", "/api/v1/repositories") => json!({ "name": fresh(), "project_id": ids.project }),
        ("POST", "/api/v1/repositories/import") => {
            json!({ "name": fresh(), "project_id": ids.project, "folder": "/nowhere" })
        }
        ("POST", "/api/v1/repositories/import-url") => {
            json!({ "name": fresh(), "project_id": ids.project, "url": "https://192.0.2.1/nowhere.git" })
        }
        ("PATCH", "/api/v1/repositories/{id}") => json!({ "gitnest": true }),
        ("PATCH", "/api/v1/repositories/{id}/members/{user}") => json!({ "role": "viewer" }),
        ("POST", "/api/v1/proposals/{id}/decline") => json!({ "reason": "No." }),
        ("POST", "/api/v1/external-oauth/register") => {
            json!({ "client_name": "n", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none" })
        }
        ("POST", "/api/v1/external-mcp") => {
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": "list_granted_resources", "arguments": {} } })
        }
        (_, _) => json!({}),
    }
}
