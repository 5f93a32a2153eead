//! A workspace with Ann (its owner) and Bob (a member), a client, and the steps that a host takes.

use countersign_app::App;
use countersign_app::oauth::{self, Answer, Approval, Choice, TokenAnswer, TokenFailure};
use countersign_app::secret::{Secret, SecretKind};
use countersign_app::session;
use countersign_app::testing::TestApp;
use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, UserId, WorkspaceId};
use countersign_core::oauth::{authorize::Browser, params::Params, refusal::OAuthError};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_store::person::Person;
use countersign_store::project::{Project, ProjectMember};
use countersign_store::session::Session;
use countersign_store::workspace::{Workspace, WorkspaceMember};
use countersign_store::{Db, Error};
use serde_json::{Value, json};

/// RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const REDIRECT: &str = "https://host.example/cb?keep=%41";
pub(crate) const RESOURCE: &str = "http://localhost:8420/api/v1/external-mcp";
pub(crate) const ALL: &str = "countersign:read countersign:write countersign:run";

/// A person who is signed in.
#[derive(Clone)]
pub(crate) struct Signed {
    pub(crate) user: UserId,
    pub(crate) session: Secret,
}

pub(crate) struct World {
    pub(crate) t: TestApp,
    pub(crate) app: App,
    pub(crate) workspace: WorkspaceId,
    pub(crate) ann: Signed,
    pub(crate) bob: Signed,
    pub(crate) general: ProjectId,
    pub(crate) other: ProjectId,
    pub(crate) client: String,
}

impl World {
    pub(crate) async fn over(db: Db) -> Self {
        let t = TestApp::over(db).await;
        let app = t.app.clone();
        let workspace = WorkspaceId::new(app.uuid());
        let (general, other) = (ProjectId::new(app.uuid()), ProjectId::new(app.uuid()));
        let client = register(&app, "Agent", REDIRECT);
        let row = Workspace {
            id: workspace.to_string(),
            name: "Acme".to_owned(),
            slug: "acme".to_owned(),
            created_at: app.now().millis(),
        };
        insert(&app, move |t| Box::pin(async move { row.insert(t).await })).await;
        for (project, name) in [(general, "General"), (other, "Other")] {
            let row = Project {
                id: project.to_string(),
                workspace_id: workspace.to_string(),
                name: name.to_owned(),
                created_at: app.now().millis(),
            };
            insert(&app, move |t| Box::pin(async move { row.insert(t).await })).await;
        }
        let ann = person(&app, workspace, "Ann", "owner").await;
        let bob = person(&app, workspace, "Bob", "member").await;
        let role = ProjectMember {
            project_id: general.to_string(),
            user_id: bob.user.to_string(),
            role: "viewer".to_owned(),
            created_at: 0,
        };
        insert(&app, move |t| Box::pin(async move { role.insert(t).await })).await;
        Self { t, app, workspace, ann, bob, general, other, client }
    }

    pub(crate) async fn caller(&self, who: &Signed) -> Caller {
        session::authenticate(&self.app, who.session.reveal()).await.unwrap().unwrap().caller
    }

    /// Authorize as `client` and give the handle.
    pub(crate) async fn ask(&self, client: &str, scope: &str) -> String {
        let asked = request(client, scope);
        let url = oauth::begin_authorize(&self.app, &asked, Browser::SignedIn).await.unwrap();
        let (page, handle) = url.split_once("?h=").unwrap();
        assert_eq!(page, "http://localhost:8420/external-assistant-authorize");
        handle.to_owned()
    }

    /// Look at the question as a person.
    pub(crate) async fn look(
        &self,
        who: &Signed,
        handle: &str,
    ) -> Result<countersign_app::consent::view::ConsentView, Problem> {
        oauth::consent_view(&self.app, &self.caller(who).await, who.session.hash(), handle).await
    }

    /// Answer the question as a person.
    pub(crate) async fn decide(&self, who: &Signed, handle: &str, answer: Answer) -> Result<String, Problem> {
        oauth::consent_decide(&self.app, &self.caller(who).await, who.session.hash(), handle, answer).await
    }

    pub(crate) fn yes(&self, scopes: &str) -> Answer {
        let connection = Choice::New { name: "My agent".to_owned() };
        Answer::Approve(Approval { workspace: self.workspace, scopes: Scopes::parse(scopes), connection })
    }

    /// From nothing to a code of Ann's for `client`.
    pub(crate) async fn code(&self, client: &str) -> String {
        let handle = self.ask(client, ALL).await;
        self.look(&self.ann, &handle).await.unwrap();
        let url = self.decide(&self.ann, &handle, self.yes(ALL)).await.unwrap();
        parameter(&url, "code").unwrap()
    }

    pub(crate) async fn exchange(&self, client: &str, code: &str) -> Result<TokenAnswer, TokenFailure> {
        oauth::token(&self.app, &code_form(client, code)).await
    }

    /// From nothing to tokens of Ann's.
    pub(crate) async fn tokens(&self) -> Tokens {
        let code = self.code(&self.client).await;
        Tokens::of(&self.exchange(&self.client, &code).await.unwrap_or_else(|error| panic!("{error}")))
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<TokenAnswer, TokenFailure> {
        oauth::token(&self.app, &refresh_form(&self.client, token)).await
    }

    pub(crate) async fn call(&self, access: &str) -> Result<Caller, Code> {
        oauth::authenticate(&self.app, access).await.map_err(|problem| problem.code)
    }

    /// One column of one row.
    pub(crate) async fn text(&self, sql: &'static str) -> Vec<String> {
        let rows = self
            .app
            .db
            .read::<Vec<(String,)>, Error>(move |t| Box::pin(async move { t.all(sql, &[]).await }));
        rows.await.unwrap().into_iter().map(|(text,)| text).collect()
    }

    /// Every row of a table as one text, binary columns in hex.
    pub(crate) async fn dump(&self, table: &'static str) -> Vec<String> {
        let columns = match table {
            "oauth_code" => "redirect_uri, challenge, scopes, {code_hash}",
            "oauth_access" => "scopes, resource, {token_hash}, {refresh_hash}",
            "oauth_refresh" => "scopes, {token_hash}, {sealed}",
            "oauth_family" => "client_id, scopes",
            "oauth_request" => "client_id, redirect_uri, challenge, {handle_hash}, {session_hash}",
            "audit" => "action, detail",
            "connection" => "client_id, name",
            other => panic!("which columns does {other} have?"),
        };
        let rows = self.app.db.read::<Vec<(String,)>, Error>(move |t| {
            Box::pin(async move {
                let parts = columns.split(", ").map(|column| match column.strip_prefix('{') {
                    Some(name) => {
                        let name = name.trim_end_matches('}');
                        t.pick(
                            format!("COALESCE(HEX({name}), '')"),
                            format!("COALESCE(ENCODE({name}, 'hex'), '')"),
                        )
                    }
                    None => format!("COALESCE({column}, '')"),
                });
                let parts: Vec<_> = parts.collect();
                t.all(&format!("SELECT {} FROM {table}", parts.join(" || ' ' || ")), &[]).await
            })
        });
        rows.await.unwrap().into_iter().map(|(text,)| text).collect()
    }

    pub(crate) async fn change(&self, sql: &'static str) {
        insert(&self.app, move |t| Box::pin(async move { t.exec(sql, &[]).await.map(|_| ()) })).await;
    }
}

/// What a token answer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
    pub(crate) scope: String,
    pub(crate) expires_in: i64,
}

impl Tokens {
    pub(crate) fn of(answer: &TokenAnswer) -> Self {
        let body: Value = serde_json::from_slice(answer.as_bytes()).unwrap();
        assert_eq!(body["token_type"], "Bearer");
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self {
            access: text("access_token"),
            refresh: text("refresh_token"),
            scope: text("scope"),
            expires_in: body["expires_in"].as_i64().unwrap(),
        }
    }
}

pub(crate) fn register(app: &App, name: &str, redirect_uri: &str) -> String {
    let answer =
        oauth::register(app, &json!({ "client_name": name, "redirect_uris": [redirect_uri] })).unwrap();
    answer["client_id"].as_str().unwrap().to_owned()
}

pub(crate) fn params(pairs: &[(&str, &str)]) -> Params {
    Params::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
}

pub(crate) fn request(client: &str, scope: &str) -> Params {
    params(&[
        ("client_id", client),
        ("redirect_uri", REDIRECT),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "s t"),
        ("scope", scope),
    ])
}

pub(crate) fn code_form(client: &str, code: &str) -> Params {
    params(&[
        ("grant_type", "authorization_code"),
        ("client_id", client),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
        ("resource", RESOURCE),
    ])
}

pub(crate) fn refresh_form(client: &str, token: &str) -> Params {
    params(&[("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)])
}

/// The decoded value of a query parameter whose value needs no decoding.
pub(crate) fn parameter(url: &str, name: &str) -> Option<String> {
    let query = url.split_once('?')?.1;
    query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).map(str::to_owned)
}

pub(crate) fn refused(result: Result<TokenAnswer, TokenFailure>) -> OAuthError {
    match result {
        Ok(_) => panic!("tokens were issued"),
        Err(TokenFailure::Refused(refusal)) => refusal.code,
        Err(TokenFailure::Trouble(problem)) => panic!("{problem:?}"),
    }
}

async fn insert(
    app: &App,
    job: impl for<'c> FnOnce(&'c countersign_store::Tx<'c>) -> countersign_store::Job<'c, ()> + Send + 'static,
) {
    app.db.write(job).await.unwrap();
}

async fn person(app: &App, workspace: WorkspaceId, name: &str, place: &str) -> Signed {
    let (user, session) = (UserId::new(app.uuid()), app.secret(SecretKind::Session));
    let now = app.now().millis();
    let person = Person {
        id: user.to_string(),
        mail: format!("{name}@acme.example"),
        mail_key: format!("{name}@acme.example").to_lowercase(),
        name: name.to_owned(),
        password_hash: "-".to_owned(),
        created_at: now,
        disabled_at: None,
    };
    let member = WorkspaceMember {
        workspace_id: workspace.to_string(),
        user_id: user.to_string(),
        role: place.to_owned(),
        created_at: now,
    };
    let row = Session {
        token_hash: session.hash().to_vec(),
        user_id: user.to_string(),
        csrf: "c".to_owned(),
        created_at: now,
        seen_at: now,
        proved_at: now,
        expires_at: now + 400 * 24 * 60 * 60 * 1000,
        revoked_at: None,
    };
    insert(app, move |t| {
        Box::pin(async move {
            person.insert(t).await?;
            member.insert(t).await?;
            row.insert(t).await
        })
    })
    .await;
    Signed { user, session }
}
