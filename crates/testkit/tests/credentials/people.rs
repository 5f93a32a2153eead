//! Every route of people × who they are to what it names, with ids that are there: a viewer looks, somebody from another
//! project does not even learn that anything exists, and what the two sent changed nothing.

use countersign_core::route::{Route, Who};
use countersign_testkit::data::Engine;
use countersign_testkit::house::{EVERY_SCOPE, House, make_token};
use countersign_testkit::server::Options;
use reqwest::Method;
use serde_json::json;

use crate::cast::{OWNER, VIEWER};
use crate::credential::{Credential, Session};
use crate::ids::Ids;
use crate::probe::Probe;
use crate::routes::{every_route, name};
use crate::table::Table;
use crate::told::Told;

/// A member of the workspace who has no role in the house's project.
const STRANGER: (&str, &str) = ("otto@countersign.example", "somebody from another project");
/// What changes something of the caller's own alone.
const OWN: [&str; 11] = [
    "/sign-out",
    "/sudo",
    "/sudo/passkey",
    "/settings/passkeys",
    "/settings/passkeys/ask",
    "/settings/password",
    "/settings/sign-out-elsewhere",
    "/tokens",
    "/external-assistant-authorize",
    "/connected",
    "/api/v1/connections",
];
/// What only owners of the workspace are let near, whoever is named.
const OF_OWNERS: [&str; 3] = ["/people/", "/api/v1/people/", "/api/v1/invitations/"];

/// A person with every credential that a person can have.
struct Person {
    session: Credential,
    token: Credential,
    basic: Credential,
}

impl Person {
    async fn of(base: &str, person: (&'static str, &'static str)) -> Self {
        let token = make_token(base, person, EVERY_SCOPE).await;
        let new = || Credential::new("", "");
        Self {
            session: new().session(&Session::begin(base, person).await),
            token: new().bearer(&token),
            basic: new().basic(&token),
        }
    }

    /// The one that a route takes.
    fn credential(&mut self, route: &Route) -> Option<&mut Credential> {
        match route.who {
            Who::Session => Some(&mut self.session),
            Who::Token | Who::DecidingToken => Some(&mut self.token),
            Who::GitToken | Who::GitWriteToken => Some(&mut self.basic),
            Who::Anyone | Who::Visitor | Who::Password | Who::Agent | Who::Client => None,
        }
    }
}

async fn real_ids(house: &House) -> Ids {
    let (_, me) = house.api(Method::GET, "/api/v1/me", None).await;
    let (_, tokens) = house.api(Method::GET, "/api/v1/tokens", None).await;
    let read =
        house.agent.call("read_gitnest_repository", json!({ "repository_id": house.repository })).await;
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    Ids {
        project: house.project.clone(),
        repository: house.repository.clone(),
        proposal: house.propose("for-the-matrix", "secret.txt", "x\n").await,
        connection: house.connection.clone(),
        token: text(&tokens["items"][0]["id"]),
        user: text(&me["id"]),
        commit: text(&read.ok()["head_oid"]),
        name: "demo".to_owned(),
    }
}

async fn add_stranger(house: &mut House) {
    let (_, other) = house.api(Method::POST, "/api/v1/projects", Some(json!({ "name": "Other" }))).await;
    let own = std::mem::replace(&mut house.project, other["id"].as_str().expect("an id").to_owned());
    house.add_member("owner", STRANGER).await;
    house.project = own;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_member_sees_what_they_are_in_and_decides_nothing() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    house.add_member("viewer", VIEWER).await;
    // An owner of the workspace is a member where they are added.
    let members = format!("/api/v1/projects/{}/members", house.project);
    let (status, body) =
        house.api(Method::POST, &members, Some(json!({ "mail": OWNER.0, "role": "owner" }))).await;
    assert!(status.is_success(), "{body}");
    add_stranger(&mut house).await;
    let (base, ids) = (house.server.url.clone(), real_ids(&house).await);
    let (probe, told_of) = (Probe::at(&base), Told::at(&base).await);
    let mut owner = Person::of(&base, OWNER).await;
    let mut viewer = Person::of(&base, VIEWER).await;
    let mut stranger = Person::of(&base, STRANGER).await;
    let heads = [
        Credential::new("viewer", "a member of the workspace, viewer of the project"),
        Credential::new("stranger", "a member of the workspace, owner of another project"),
    ];
    let (mut table, mut broken) = (Table::default(), Vec::new());
    for route in every_route() {
        let (Some(of_viewer), Some(of_stranger)) = (viewer.credential(&route), stranger.credential(&route))
        else {
            continue;
        };
        let (seen, _) = probe.read(&route, &ids, of_viewer).await;
        let (strangers, text) = probe.read(&route, &ids, of_stranger).await;
        let (looks, names) = (route.method == "GET", route.path.contains('{'));
        let mut hold = |kept: bool, rule: &str| {
            if !kept {
                broken.push(format!("{}: {rule}: {seen:?}, {strangers:?}", name(&route)));
            }
        };
        let breaches = [&seen, &strangers].map(|answer| told_of.breach(&route, answer));
        let nothing = if OF_OWNERS.iter().any(|start| route.path.starts_with(start)) { 403 } else { 404 };
        hold(!names || strangers.status == nothing, "a stranger is told that there is nothing");
        let told = [&ids.repository, &ids.proposal, &ids.connection, &ids.project, &ids.commit];
        // A refusal may repeat what the address names; a list must not name more.
        hold(
            names || told.iter().all(|id| !text.contains(*id)),
            "a stranger's list names nothing of the house",
        );
        for breach in breaches.into_iter().flatten() {
            hold(false, &breach);
        }
        let changes = !looks && route.who != Who::GitToken && !OWN.contains(&route.path);
        for answer in [&seen, &strangers] {
            hold(!changes || matches!(answer.status, 403 | 404), "who is no owner changes nothing");
        }
        if let Some(of_owner) = owner.credential(&route).filter(|_| looks) {
            let control = probe.ask(&route, &ids, of_owner).await;
            hold(control.status == 200 || !names, "the ids are there");
        }
        table.row(name(&route), vec![seen, strangers]);
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    insta::assert_snapshot!("people", table.render(&heads));
    let approved = house.approve(&ids.proposal).await.expect("the server is there");
    assert_eq!(approved.1["status"], "executed", "{approved:?}");
}
