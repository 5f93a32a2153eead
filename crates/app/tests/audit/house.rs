//! A workspace with an owner and a plain member, and records that a test writes by itself.

use countersign_app::App;
use countersign_app::audit::view::{Progress, Verdict};
use countersign_app::audit::{Ask, seal, verify};
use countersign_app::testing::TestApp;
use countersign_core::audit::Fault;
use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::audit::Audit;
use countersign_store::testing::house::House as Furnished;
use countersign_store::{Db, Error};

/// The moment of the first record.
pub(crate) const FIRST_AT: i64 = 1_795_000_000_000;

pub(crate) struct House {
    pub(crate) test: TestApp,
    pub(crate) app: App,
    pub(crate) db: Db,
    pub(crate) owner: Caller,
    pub(crate) furnished: Furnished,
}

/// The id of a record.
pub(crate) fn id(number: i64) -> String {
    format!("01900000-0000-7000-8000-{number:012}")
}

impl House {
    pub(crate) async fn open(db: Db) -> Self {
        let furnished = Furnished::build(&db).await;
        let test = TestApp::over(db.clone()).await;
        let owner = session(furnished.person, furnished.workspace);
        Self { app: test.app.clone(), test, db, owner, furnished }
    }

    /// With three seals over ten records each, numbered from 0 on.
    pub(crate) async fn sealed(db: Db) -> Self {
        let house = Self::open(db).await;
        for batch in 0..3 {
            house.write(batch * 10..batch * 10 + 10).await;
            assert_eq!(seal(&house.app).await.unwrap(), 10);
        }
        house
    }

    pub(crate) fn record(&self, number: i64) -> Audit {
        Audit {
            id: id(number),
            workspace_id: Some(self.furnished.workspace.to_string()),
            at: FIRST_AT + number,
            actor_kind: "user".to_owned(),
            actor_id: Some(self.furnished.person.to_string()),
            connection_id: None,
            action: format!("thing.do_{number}"),
            resource_id: None,
            outcome: "done".to_owned(),
            code: None,
            detail: "{}".to_owned(),
            seal_id: None,
        }
    }

    pub(crate) async fn write(&self, numbers: std::ops::Range<i64>) {
        self.keep(numbers.map(|number| self.record(number)).collect()).await;
    }

    pub(crate) async fn keep(&self, records: Vec<Audit>) {
        let kept = self.db.write(move |t| {
            Box::pin(async move {
                for record in &records {
                    record.insert(t).await?;
                }
                Ok::<_, Error>(())
            })
        });
        kept.await.unwrap();
    }

    /// Runs statements as somebody who has the database and not the server.
    pub(crate) async fn sql(&self, statements: &[&str]) {
        for sql in statements {
            let sql = (*sql).to_owned();
            let told = sql.clone();
            let done = self.db.write(move |t| Box::pin(async move { t.exec(&sql, &[]).await }));
            let changed = done.await.unwrap_or_else(|error: Error| panic!("{told}: {error}"));
            assert!(changed > 0 || !told.starts_with("UPDATE"), "{told} changes nothing");
        }
    }

    pub(crate) async fn verify(&self, ask: Ask) -> Progress {
        verify(&self.app, &self.owner, ask).await.unwrap()
    }

    /// The fault that a whole verification finds.
    pub(crate) async fn fault(&self) -> Option<Fault> {
        match self.verify(Ask::default()).await.verdict {
            Verdict::Broken(fault) => Some(fault),
            Verdict::Intact => None,
            Verdict::GoesOn => panic!("the log is short"),
        }
    }

    /// A member of the workspace who owns nothing.
    pub(crate) async fn member(&self) -> Caller {
        let user = UserId::parse(&id(9_000_001)).unwrap();
        let (person, workspace) = (user.to_string(), self.furnished.workspace.to_string());
        self.sql(&[
            &format!(
                "INSERT INTO person (id, mail, mail_key, name, password_hash, created_at)
                 VALUES ('{person}', 'bob@example.org', 'bob@example.org', 'Bob', '', 1)"
            ),
            &format!(
                "INSERT INTO workspace_member (workspace_id, user_id, role, created_at)
                 VALUES ('{workspace}', '{person}', 'member', 1)"
            ),
        ])
        .await;
        session(user, self.furnished.workspace)
    }
}

fn session(user: UserId, workspace: WorkspaceId) -> Caller {
    Caller {
        principal: Principal::Session { user, proved_at: Timestamp::from_millis(FIRST_AT), session: None },
        workspace: Some(workspace),
        scopes: Scopes::default(),
        switched_off: std::collections::BTreeSet::new(),
    }
}
