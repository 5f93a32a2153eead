//! A workspace that was set up by Ada, and ways to sign people in.

use std::net::{IpAddr, Ipv4Addr};

use countersign_app::member::{self, NewMember, NewPassword, NewPerson};
use countersign_app::session::{self, Credentials, Proof, SessionView, SignedIn};
use countersign_app::setup::{self, Claim};
use countersign_app::testing::TestApp;
use countersign_app::token::{self, NewToken};
use countersign_app::{App, project};
use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, UserId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScopes;
use countersign_store::{Db, person};

pub(crate) const ADA: &str = "ada@example.org";
pub(crate) const BOB: &str = "bob@example.org";
pub(crate) const PASSWORD: &str = "correct horse battery";
/// Another password.
pub(crate) const NEXT: &str = "staple battery horse";
pub(crate) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The token of the open set-up link.
pub(crate) async fn offer(test: &TestApp) -> String {
    let link = setup::offer(&test.app, &test.folder.path().join("setup-token")).await.unwrap().unwrap();
    link.address().split_once('#').unwrap().1.to_owned()
}

pub(crate) fn claim(token: &str) -> Claim {
    Claim {
        token: token.to_owned(),
        mail: ADA.to_owned(),
        name: "Ada Lovelace".to_owned(),
        password: PASSWORD.to_owned(),
        workspace_name: "Engines".to_owned(),
        workspace_slug: "engines".to_owned(),
    }
}

/// A server that Ada set up.
pub(crate) struct House {
    pub(crate) test: TestApp,
    pub(crate) app: App,
    pub(crate) db: Db,
    /// The cookie of Ada's first session.
    pub(crate) cookie: String,
    /// The project General.
    pub(crate) general: ProjectId,
}

impl House {
    pub(crate) async fn open(db: Db) -> Self {
        let test = TestApp::over(db.clone()).await;
        let app = test.app.clone();
        let token = offer(&test).await;
        let cookie = setup::claim(&app, claim(&token)).await.unwrap().session.reveal().to_owned();
        let ada = session::authenticate(&app, &cookie).await.unwrap().unwrap().caller;
        let general = project::list(&app, &ada, project::Page::default()).await.unwrap().projects[0].id;
        Self { test, app, db, cookie, general }
    }

    /// Ada in a browser.
    pub(crate) async fn ada(&self) -> Caller {
        self.view(&self.cookie).await.unwrap().caller
    }

    pub(crate) async fn view(&self, cookie: &str) -> Option<SessionView> {
        session::authenticate(&self.app, cookie).await.unwrap()
    }

    pub(crate) async fn sign_in(&self, mail: &str, password: &str) -> Result<SignedIn, Problem> {
        session::sign_in(&self.app, LOOPBACK, typed(mail, password)).await
    }

    /// A person in a browser, who just signed in.
    pub(crate) async fn person(&self, mail: &str) -> Caller {
        session::by_password(&self.app, LOOPBACK, typed(mail, PASSWORD)).await.unwrap()
    }

    /// A new person with a role in General; the caller that they make.
    pub(crate) async fn newcomer(&self, mail: &str, role: MemberRole) -> Caller {
        let ada = self.person(ADA).await;
        member::add(&self.app, &ada, newcomer(self.general, mail, role)).await.unwrap();
        self.person(mail).await
    }

    /// A new password for somebody.
    pub(crate) async fn new_password(&self, mail: &str, password: &str) -> NewPassword {
        let key = mail.to_owned();
        let found = self.db.read(move |t| Box::pin(async move { person::find_by_mail(t, &key).await }));
        let user = UserId::parse(&found.await.unwrap().unwrap().id).unwrap();
        NewPassword { project: self.general, user, password: password.to_owned() }
    }

    /// The caller of a fresh token of Ada's.
    pub(crate) async fn token(&self, scopes: &str) -> Caller {
        let ada = self.person(ADA).await;
        let made = token::create(&self.app, &ada, new_token(scopes, 3600)).await.unwrap();
        token::authenticate(&self.app, made.secret.reveal()).await.unwrap().unwrap()
    }
}

pub(crate) fn typed(mail: &str, password: &str) -> Credentials {
    Credentials { mail: mail.to_owned(), password: password.to_owned() }
}

/// A password as a proof.
pub(crate) fn password(text: &str) -> Proof {
    Proof::Password(text.to_owned())
}

pub(crate) fn newcomer(project: ProjectId, mail: &str, role: MemberRole) -> NewMember {
    let person = NewPerson { name: "Somebody New".to_owned(), password: PASSWORD.to_owned() };
    NewMember { project, mail: mail.to_owned(), role, person: Some(person) }
}

pub(crate) fn known(project: ProjectId, mail: &str, role: MemberRole) -> NewMember {
    NewMember { project, mail: mail.to_owned(), role, person: None }
}

pub(crate) fn new_token(scopes: &str, lifetime_s: i64) -> NewToken {
    NewToken { name: "laptop".to_owned(), scopes: TokenScopes::parse(scopes), lifetime_s }
}

/// A secret of the same form that is another one.
pub(crate) fn altered(secret: &str) -> String {
    let (head, last) = secret.split_at(secret.len() - 2);
    let other = if last.starts_with('A') { "B" } else { "A" };
    format!("{head}{other}{}", &last[1..])
}
