//! Invitations: one comes by a link, once; it ends with its time, by hand, and with what its maker is.

use countersign_app::invitation::{self, Acceptance, Created, NewInvitation};
use countersign_app::workspace::{self, disable, set_role};
use countersign_app::{member, session};
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_store::both;
use countersign_store::testing::table::count;

use crate::fixture::{ADA, BOB, House, PASSWORD, altered};

const MARY: &str = "mary@example.org";
const WEEK_S: i64 = 7 * 24 * 60 * 60;

impl House {
    async fn invite(&self, by: &Caller, mail: &str) -> Result<Created, Problem> {
        let project = Some((self.general, MemberRole::Editor));
        let wish = NewInvitation { mail: mail.to_owned(), role: WorkspaceRole::Member, project };
        invitation::create(&self.app, by, wish).await
    }

    /// The code of a fresh link for Mary.
    async fn code(&self) -> String {
        let ada = self.person(ADA).await;
        code_of(&self.invite(&ada, MARY).await.unwrap())
    }

    /// What the code is answered, whoever asks.
    async fn told(&self, code: &str) -> Option<Code> {
        invitation::look(&self.app, code).await.err().map(|problem| problem.code)
    }
}

fn code_of(made: &Created) -> String {
    made.link.split_once("/join#").unwrap().1.to_owned()
}

fn mary(code: &str) -> Acceptance {
    Acceptance { token: code.to_owned(), name: "Mary Somerville".to_owned(), password: PASSWORD.to_owned() }
}

both!(the_invited_person_comes_by_the_link_into_workspace_and_project, db, {
    let house = House::open(db.clone()).await;
    let code = house.code().await;
    let offer = invitation::look(&house.app, &code).await.unwrap();
    assert_eq!((offer.workspace.as_str(), offer.inviter.as_str()), ("Engines", "Ada Lovelace"));
    assert_eq!(offer.project, Some(("General".to_owned(), MemberRole::Editor)));
    let came = invitation::accept(&house.app, mary(&code)).await.unwrap();
    let view = house.view(came.session.reveal()).await.expect("she is signed in");
    assert_eq!((view.viewer.mail.as_str(), view.viewer.role), (MARY, WorkspaceRole::Member));
    assert!(session::require_sudo(&view.caller, house.app.now()).is_ok(), "she has just given a password");
    let members = member::list(&house.app, &view.caller, house.general).await.unwrap();
    assert!(members.iter().any(|member| member.mail == MARY && member.role == MemberRole::Editor));
    assert!(house.sign_in(MARY, PASSWORD).await.is_ok());
    assert_eq!(invitation::list(&house.app, &house.ada().await).await.unwrap(), []);
    assert_eq!(count(&db, "audit WHERE action = 'invitation.accept'").await, 1);
});

both!(of_many_who_hold_a_link_at_once_one_comes_in, db, {
    let house = House::open(db.clone()).await;
    let code = house.code().await;
    let mut all = tokio::task::JoinSet::new();
    for n in 0..12 {
        let (app, input) = (house.app.clone(), Acceptance { name: format!("Mary {n}"), ..mary(&code) });
        all.spawn(async move { invitation::accept(&app, input).await.map(|_| ()).map_err(|p| p.code) });
    }
    let answers = all.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| **answer == Err(Code::NotFound)).count(), 11, "{answers:?}");
    assert_eq!(count(&db, "person").await, 2);
    assert_eq!(house.told(&code).await, Some(Code::NotFound));
});

both!(what_opens_nothing_is_told_alike_and_costs_no_hash, db, {
    let house = House::open(db.clone()).await;
    let code = house.code().await;
    let worked = house.test.app.passwords.worked();
    let mut answers = Vec::new();
    for text in ["", "cs_in_", &altered(&code), &code.replace("cs_in_", "cs_ss_")] {
        answers.push(invitation::accept(&house.app, mary(text)).await.unwrap_err());
        answers.push(invitation::look(&house.app, text).await.unwrap_err());
    }
    for answer in &answers {
        assert_eq!(answer.body(), answers[0].body());
    }
    assert_eq!((answers[0].code, house.test.app.passwords.worked()), (Code::NotFound, worked));
});

both!(a_fault_in_what_was_typed_leaves_the_link_open, db, {
    let house = House::open(db.clone()).await;
    let code = house.code().await;
    for (field, input) in [
        ("name", Acceptance { name: String::new(), ..mary(&code) }),
        ("password", Acceptance { password: "short".to_owned(), ..mary(&code) }),
    ] {
        let problem = invitation::accept(&house.app, input).await.unwrap_err();
        assert_eq!((problem.code, &problem.facts["field"]), (Code::InvalidArguments, &field.into()));
    }
    assert_eq!((house.told(&code).await, count(&db, "person").await), (None, 1));
});

both!(a_link_ends_with_its_week_by_hand_and_by_a_newer_one, db, {
    let house = House::open(db.clone()).await;
    let first = house.code().await;
    let second = house.code().await;
    assert_eq!((house.told(&first).await, house.told(&second).await), (Some(Code::NotFound), None));
    let ada = house.person(ADA).await;
    let open = invitation::list(&house.app, &ada).await.unwrap();
    assert_eq!(open.len(), 1, "one is open for a mail address");
    for _ in 0..2 {
        invitation::withdraw(&house.app, &ada, open[0].id).await.unwrap();
    }
    assert_eq!(house.told(&second).await, Some(Code::NotFound));
    let third = house.code().await;
    house.test.clock.advance_seconds(WEEK_S - 1);
    assert_eq!(house.told(&third).await, None);
    house.test.clock.advance_seconds(1);
    assert_eq!(house.told(&third).await, Some(Code::NotFound));
    let late = invitation::accept(&house.app, mary(&third)).await.unwrap_err();
    assert_eq!(late.code, Code::NotFound);
    house.code().await;
});

both!(of_two_who_invite_one_person_at_once_one_link_is_open, db, {
    let house = House::open(db.clone()).await;
    let ada = house.person(ADA).await;
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (app, ada, general) = (house.app.clone(), ada.clone(), house.general);
        all.spawn(async move {
            let wish = NewInvitation {
                mail: MARY.to_owned(),
                role: WorkspaceRole::Member,
                project: Some((general, MemberRole::Viewer)),
            };
            code_of(&invitation::create(&app, &ada, wish).await.unwrap())
        });
    }
    let mut open = 0;
    for code in all.join_all().await {
        open += usize::from(house.told(&code).await.is_none());
    }
    assert_eq!(open, 1);
});

both!(what_a_person_hands_out_ends_with_what_they_are, db, {
    let house = House::open(db.clone()).await;
    let bob = house.newcomer(BOB, MemberRole::Viewer).await;
    let (ada, user) = (house.person(ADA).await, bob.person().unwrap());
    set_role(&house.app, &ada, user, WorkspaceRole::Owner).await.unwrap();
    let code = code_of(&house.invite(&bob, MARY).await.unwrap());
    assert_eq!(house.told(&code).await, None);
    set_role(&house.app, &ada, user, WorkspaceRole::Member).await.unwrap();
    assert_eq!(house.told(&code).await, Some(Code::NotFound));
    let refused = invitation::accept(&house.app, mary(&code)).await.unwrap_err();
    assert_eq!(refused.code, Code::NotFound);
    set_role(&house.app, &ada, user, WorkspaceRole::Owner).await.unwrap();
    disable(&house.app, &ada, user).await.unwrap();
    assert_eq!(house.told(&code).await, Some(Code::NotFound), "who is shut out lets nobody in");
    assert_eq!(workspace::people(&house.app, &ada).await.unwrap().len(), 2);
});

both!(owners_alone_invite_who_prove_themselves_and_nobody_who_is_here, db, {
    let house = House::open(db.clone()).await;
    let bob = house.newcomer(BOB, MemberRole::Owner).await;
    let code = |result: Result<Created, Problem>| result.err().map(|problem| problem.code);
    assert_eq!(code(house.invite(&bob, MARY).await), Some(Code::RoleRequired));
    assert_eq!(invitation::list(&house.app, &bob).await.unwrap_err().code, Code::RoleRequired);
    let api = house.token("api").await;
    assert_eq!(code(house.invite(&api, MARY).await), Some(Code::TokenScopeDenied));
    let decides = house.token("api proposals:decide").await;
    let made = house.invite(&decides, MARY).await.unwrap();
    let withdrawn = invitation::withdraw(&house.app, &bob, made.invitation.id).await;
    assert_eq!(withdrawn.unwrap_err().code, Code::RoleRequired);
    let ada = house.person(ADA).await;
    assert_eq!(code(house.invite(&ada, BOB).await), Some(Code::NameTaken));
    assert_eq!(code(house.invite(&ada, "nobody").await), Some(Code::InvalidArguments));
    house.test.clock.advance_seconds(600);
    assert_eq!(code(house.invite(&house.ada().await, MARY).await), Some(Code::SudoRequired));
});

both!(an_account_that_came_another_way_is_not_made_twice, db, {
    let house = House::open(db.clone()).await;
    let code = house.code().await;
    house.newcomer(MARY, MemberRole::Viewer).await;
    let taken = invitation::accept(&house.app, mary(&code)).await.unwrap_err();
    assert_eq!(taken.code, Code::NameTaken);
    assert_eq!(house.told(&code).await, None, "nothing of it was kept, the link neither");
    assert_eq!(count(&db, "person").await, 2);
});
