//! Where these tests stand: an owner, a project, a repository with GitNest on, an agent with the project.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use countersign_app::member::{NewMember, NewPerson};
use countersign_app::proposal::{FileImport, Receipt, propose_file_import};
use countersign_app::repository::{Change, First, NewRepository, change, create};
use countersign_app::testing::TestApp;
use countersign_app::{member, project, session, setup};
use countersign_core::caller::{Caller, Principal};
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::{ConnectionId, ProjectId, ProposalId, ResourceId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::Scopes;
use countersign_store::connection::{Connection, ConnectionProject};
use countersign_store::{Db, Error};
use serde_json::json;

/// The floor.
pub(crate) struct Floor {
    pub(crate) test: TestApp,
    pub(crate) owner: Caller,
    pub(crate) agent: Caller,
    pub(crate) connection: ConnectionId,
    pub(crate) project: ProjectId,
    pub(crate) repository: ResourceId,
}

impl Floor {
    pub(crate) async fn lay(db: Db) -> Self {
        let test = TestApp::over(db).await;
        let app = &test.app;
        let link = setup::offer(app, &test.folder.path().join("setup")).await.unwrap().unwrap();
        let token = link.address().split('#').nth(1).unwrap().to_owned();
        let claim = setup::Claim {
            token,
            mail: "olivia@countersign.example".into(),
            name: "Olivia Owner".into(),
            password: "correct horse battery staple".into(),
            workspace_name: "Acme".into(),
            workspace_slug: "acme".into(),
        };
        let signed = setup::claim(app, claim).await.unwrap();
        let owner = session::authenticate(app, signed.session.reveal()).await.unwrap().unwrap().caller;
        let page = project::Page { limit: 10, offset: 0 };
        let project = project::list(app, &owner, page).await.unwrap().projects[0].id;
        let new = NewRepository { name: "demo".into(), project, first: First::Readme };
        let repository = create(app, &owner, new).await.unwrap().id;
        change(app, &owner, repository, Change { gitnest: Some(true), ..Change::default() }).await.unwrap();
        let connection = ConnectionId::new(app.uuid());
        let floor = Self { owner, agent: agent(&test, connection), connection, project, repository, test };
        floor.connect().await;
        floor
    }

    async fn connect(&self) {
        let (id, project) = (self.connection.to_string(), self.project.to_string());
        let row = Connection {
            id: id.clone(),
            workspace_id: self.owner.workspace.unwrap().to_string(),
            user_id: self.owner.person().unwrap().to_string(),
            kind: "other".into(),
            name: "Test agent".into(),
            status: "active".into(),
            client_id: None,
            client_name: None,
            scopes: "countersign:read countersign:write".into(),
            switched_off: "[]".into(),
            created_at: 0,
            activated_at: Some(0),
            used_at: None,
            revoked_at: None,
            version: 1,
        };
        let grant = ConnectionProject { connection_id: id, project_id: project, added_at: 0 };
        let write = self.test.app.db.write(move |t| {
            Box::pin(async move {
                row.insert(t).await?;
                grant.insert(t).await
            })
        });
        let done: Result<(), Error> = write.await;
        done.unwrap();
    }

    pub(crate) fn import(&self, key: &str, path: &str, content: &str) -> FileImport {
        FileImport {
            repository: self.repository,
            branch: "main".into(),
            message: format!("Write {path}"),
            files: vec![ProposedFile { path: path.into(), content: content.into() }],
            idempotency_key: key.into(),
            expected_base_oid: None,
            arguments: json!({ "path": path, "content": content, "key": key }),
        }
    }

    pub(crate) async fn propose(&self, key: &str, path: &str) -> ProposalId {
        self.try_propose(self.import(key, path, "text\n")).await.unwrap().proposal_id
    }

    pub(crate) async fn try_propose(&self, import: FileImport) -> Result<Receipt, Problem> {
        // The agent of the connection, whose owner this floor knows only after it was laid.
        let agent = Caller { workspace: self.owner.workspace, ..self.agent_caller() };
        propose_file_import(&self.test.app, &agent, import).await
    }

    pub(crate) fn agent_caller(&self) -> Caller {
        let owner = self.owner.person().unwrap();
        Caller {
            principal: Principal::Connection { id: self.connection, owner },
            workspace: self.owner.workspace,
            ..self.agent.clone()
        }
    }

    /// A new person with this role in the project.
    pub(crate) async fn person(&self, role: MemberRole) -> Caller {
        let person = NewPerson { name: "Pat".into(), password: "correct horse battery staple".into() };
        let mail = format!("{}@countersign.example", role.as_str());
        let new = NewMember { project: self.project, mail, role, person: Some(person) };
        let user = member::add(&self.test.app, &self.owner, new).await.unwrap().user;
        let principal = Principal::Session { user, proved_at: self.test.app.now(), session: None };
        Caller { principal, ..self.owner.clone() }
    }

    /// Runs git in the bare repository, as a stranger would, and gives what it said.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_reading("", args)
    }

    /// [`Self::git`], with something to read.
    pub(crate) fn git_reading(&self, input: &str, args: &[&str]) -> String {
        let bare = self.test.app.git.path(self.repository);
        let mut git = Command::new("git");
        git.arg("--git-dir").arg(bare).args(["-c", "user.name=o", "-c", "user.email=o@o.example"]).args(args);
        let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        git.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = git.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Changes rows behind the application's back.
    pub(crate) async fn meddle(&self, sql: &'static str, id: String) {
        let write = self.test.app.db.write(move |t| Box::pin(async move { t.exec(sql, &[&id]).await }));
        let changed: Result<u64, Error> = write.await;
        assert_eq!(changed.unwrap(), 1);
    }

    pub(crate) async fn tip(&self) -> Oid {
        let main = BranchName::parse("main").unwrap();
        self.test.app.git.with(self.repository, move |repo| repo.tip(&main)).await.unwrap().unwrap()
    }
}

fn agent(test: &TestApp, connection: ConnectionId) -> Caller {
    let owner = countersign_core::id::UserId::new(test.app.uuid());
    Caller {
        principal: Principal::Connection { id: connection, owner },
        workspace: None,
        scopes: Scopes::parse("countersign:read countersign:write"),
        switched_off: BTreeSet::new(),
    }
}
