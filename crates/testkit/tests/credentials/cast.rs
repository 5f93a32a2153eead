//! The house of the matrix, and every kind of credential in it.

use countersign_core::route::Who;
use countersign_core::scope::Scope;
use countersign_testkit::agent::{Agent, Authorization};
use countersign_testkit::browser::Browser;
use countersign_testkit::clock::VARIABLE;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{
    EVERY_SCOPE, House, MAIL, PASSWORD, SCOPE, make_token, newest_connection, revoke_connection,
};
use countersign_testkit::server::Options;
use reqwest::Method;

use crate::credential::{Credential, Form, Session, made_up};

/// The owner, for the sign-in.
pub(crate) const OWNER: (&str, &str) = (MAIL, PASSWORD);
/// A member of the workspace who is viewer of the house's project.
pub(crate) const VIEWER: (&str, &str) = ("vera@countersign.example", "a viewer looks and decides nothing");
/// Longer than any credential lives.
const AHEAD_S: i64 = 400 * 24 * 60 * 60;
/// More than the whole matrix asks in a minute.
const RATE: &str = "rate_limit = 1000000\n";

/// Credentials that are looked at together.
pub(crate) struct Family {
    /// The name of its table.
    pub(crate) name: &'static str,
    /// One a column.
    pub(crate) credentials: Vec<Credential>,
}

/// Builds the house and every credential. What is over was made before the clock was set forward.
pub(crate) async fn assemble() -> (House, Vec<Family>) {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let over = Over {
        token: house.token.clone(),
        access: house.agent.access.clone(),
        session: Session::of(&mut house.owner).await,
    };
    set_forward(&mut house).await;
    house.add_member("viewer", VIEWER).await;
    let families = vec![
        nobody(),
        tokens(&house, &over).await,
        git(&house, &over).await,
        agents(&mut house, &over).await,
        sessions(&house, &over).await,
    ];
    (house, families)
}

/// What was good a year ago.
struct Over {
    token: String,
    access: String,
    session: Session,
}

/// Lets more than a year pass, and gives the owner a browser, a token and an agent again.
async fn set_forward(house: &mut House) {
    std::fs::write(house.data.folder().join("config.toml"), RATE).expect("the data folder is writable");
    let variables = [(VARIABLE.to_owned(), AHEAD_S.to_string())].into();
    house.restart(&Options { variables, ..Options::default() }).await;
    let base = house.server.url.clone();
    house.owner = Browser::signed_in(&base, MAIL, PASSWORD).await;
    house.token = make_token(&base, OWNER, EVERY_SCOPE).await;
    house.agent = Agent::connect(&base, &mut house.owner, "Agent", PASSWORD, SCOPE).await;
    house.connection = newest_connection(&mut house.owner).await;
    house.add_project().await;
}

/// Makes a person who has this role in the house's project.
fn nobody() -> Family {
    let bearer = |head, what, prefix| Credential::new(head, what).bearer(&made_up(prefix));
    let credentials = vec![
        Credential::new("none", "nothing at all"),
        Credential::new("x", "a bearer that is no token of ours").bearer("x").opens(&[Who::Visitor]),
        bearer("pat?", "a made-up personal token", "cs_pat_"),
        bearer("at?", "a made-up access token", "cs_at_"),
        bearer("rt?", "a made-up refresh token", "cs_rt_"),
        bearer("ac?", "a made-up authorization code", "cs_ac_"),
        bearer("ss?", "a made-up session token as a bearer", "cs_ss_"),
        bearer("st?", "a made-up set-up code as a bearer", "cs_st_"),
        bearer("in?", "a made-up code of an invitation as a bearer", "cs_in_"),
        Credential::new("basic?", "a made-up personal token by Basic").basic(&made_up("cs_pat_")),
        Credential::new("basic:x", "a password that is no token of ours, by Basic").basic(PASSWORD),
        Credential::new("cookie?", "a made-up session cookie").session(&Session::made_up()),
    ];
    Family { name: "nobody", credentials }
}

async fn tokens(house: &House, over: &Over) -> Family {
    let base = &house.server.url;
    let api = [Who::Password, Who::Token];
    let decide = [Who::Password, Who::DecidingToken];
    let all = [Who::Password, Who::Token, Who::DecidingToken];
    let one = async |head, scope, opens: &[Who]| {
        let token = make_token(base, OWNER, scope).await;
        Credential::new(head, "a personal token with the one scope that its head names")
            .bearer(&token)
            .opens(opens)
    };
    let viewers = make_token(base, VIEWER, EVERY_SCOPE).await;
    let credentials = vec![
        one("repo:read", "repo:read", &[Who::Password]).await,
        one("repo:write", "repo:write", &[Who::Password]).await,
        one("api", "api", &api).await,
        one("decide", "proposals:decide", &decide).await,
        Credential::new("all", "a personal token with every scope").bearer(&house.token).opens(&all),
        Credential::new("viewer", "the same of a plain member").bearer(&viewers).opens(&all),
        Credential::new("revoked", "the same, revoked").bearer(&revoked_token(house).await),
        Credential::new("expired", "the same, over").bearer(&over.token),
    ];
    Family { name: "personal_tokens", credentials }
}

async fn git(house: &House, over: &Over) -> Family {
    let base = &house.server.url;
    let one = async |head, scope, opens: &[Who]| {
        let token = make_token(base, OWNER, scope).await;
        Credential::new(head, "a personal token with the one scope that its head names, by Basic")
            .basic(&token)
            .opens(opens)
    };
    let viewers = make_token(base, VIEWER, EVERY_SCOPE).await;
    let git = [Who::GitToken, Who::GitWriteToken];
    let credentials = vec![
        one("repo:read", "repo:read", &[Who::GitToken]).await,
        one("repo:write", "repo:write", &[Who::GitWriteToken]).await,
        one("api", "api", &[]).await,
        one("decide", "proposals:decide", &[]).await,
        Credential::new("all", "a personal token with every scope, by Basic").basic(&house.token).opens(&git),
        Credential::new("viewer", "the same of a plain member").basic(&viewers).opens(&git),
        Credential::new("revoked", "the same, revoked").basic(&revoked_token(house).await),
        Credential::new("expired", "the same, over").basic(&over.token),
        Credential::new("agent", "an access token, by Basic").basic(&house.agent.access),
    ];
    Family { name: "by_basic", credentials }
}

async fn revoked_token(house: &House) -> String {
    let base = &house.server.url;
    let (_, before) = house.api(Method::GET, "/api/v1/tokens", None).await;
    let token = make_token(base, OWNER, EVERY_SCOPE).await;
    let (_, after) = house.api(Method::GET, "/api/v1/tokens", None).await;
    let ids = |list: &serde_json::Value| -> Vec<String> {
        let items = list["items"].as_array().cloned().unwrap_or_default();
        items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)).collect()
    };
    let known = ids(&before);
    let id = ids(&after).into_iter().find(|id| !known.contains(id)).expect("the new token is listed");
    let (status, _) = house.api(Method::DELETE, &format!("/api/v1/tokens/{id}"), None).await;
    assert!(status.is_success(), "{status}");
    token
}

async fn agents(house: &mut House, over: &Over) -> Family {
    let base = house.server.url.clone();
    let owner = &mut house.owner;
    let reader = Agent::connect(&base, owner, "Reader", PASSWORD, Scope::Read.as_str()).await;
    let revoked = Agent::connect(&base, owner, "Revoked", PASSWORD, SCOPE).await;
    let connection = newest_connection(owner).await;
    revoke_connection(owner, &connection).await;
    let code = Authorization::ask(&base, owner, "Asking", PASSWORD, SCOPE).await.code;
    let mut vera = Browser::signed_in(&base, VIEWER.0, VIEWER.1).await;
    let viewers = Agent::connect(&base, &mut vera, "Viewer's", VIEWER.1, SCOPE).await;
    let (open, both) = ([Who::Agent], [Scope::Read, Scope::Write]);
    let credentials = vec![
        Credential::new("read", "an access token that may read")
            .bearer(&reader.access)
            .opens(&open)
            .scopes(&[Scope::Read]),
        Credential::new("write", "an access token that may read and write")
            .bearer(&house.agent.access)
            .opens(&open)
            .scopes(&both),
        Credential::new("viewer's", "the same of a plain member's connection")
            .bearer(&viewers.access)
            .opens(&open)
            .scopes(&both),
        Credential::new("revoked", "an access token of a revoked connection").bearer(&revoked.access),
        Credential::new("expired", "an access token that is over").bearer(&over.access),
        Credential::new("refresh", "a refresh token as a bearer").bearer(&house.agent.refresh),
        Credential::new("code", "an authorization code as a bearer").bearer(&code),
    ];
    Family { name: "agents", credentials }
}

async fn sessions(house: &House, over: &Over) -> Family {
    let base = &house.server.url;
    let open = [Who::Session];
    let viewer = Session::begin(base, VIEWER).await;
    // Each has one of its own: some routes end the session that asks.
    let of_owner = async |head, what| {
        Credential::new(head, what).session(&Session::begin(base, OWNER).await).opens(&open)
    };
    let own = Session::begin(base, OWNER).await;
    let credentials = vec![
        of_owner("owner", "a session of the owner").await,
        Credential::new("viewer", "a session of a plain member").session(&viewer).opens(&open),
        Credential::new("ended", "a session that was signed out").session(&signed_out(base).await),
        Credential::new("expired", "a session that is over").session(&over.session),
        of_owner("+agent", "the owner's session beside an access token")
            .await
            .bearer(&house.agent.access)
            .opens(&[Who::Agent])
            .scopes(&[Scope::Read, Scope::Write]),
        of_owner("+token", "the owner's session beside a personal token with every scope")
            .await
            .bearer(&house.token)
            .opens(&[Who::Password, Who::Token, Who::DecidingToken]),
        Credential::new("bearer", "the owner's session, its token as a bearer too")
            .session(&own)
            .bearer(&own.token),
        of_owner("no csrf", "the owner's session, forms without a token").await.form(Form::WithoutToken),
        of_owner("csrf?", "the owner's session, forms with a made-up token").await.form(Form::MadeUpToken),
        of_owner("cross", "the owner's session, from another site").await.form(Form::CrossSite),
        of_owner("origin", "the owner's session, from another origin").await.form(Form::OtherOrigin),
    ];
    Family { name: "sessions", credentials }
}

async fn signed_out(base: &str) -> Session {
    let mut browser = Browser::signed_in(base, OWNER.0, OWNER.1).await;
    let session = Session::of(&mut browser).await;
    let page = browser.get("/connected").await;
    browser.submit(&page, "/sign-out", &[]).await;
    Session { person: None, ..session }
}
