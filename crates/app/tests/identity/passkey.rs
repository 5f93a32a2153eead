//! Passkeys: how one is made, what it opens, and everything that it does not.

use countersign_app::passkey::{self, NewPasskey};
use countersign_app::session::{self, Proof, SignedIn, require_sudo};
use countersign_app::testing::authenticator::Authenticator;
use countersign_core::id::PasskeyId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_store::both;
use countersign_store::testing::table::count;
use serde_json::{Value, json};

use crate::fixture::{ADA, BOB, House, LOOPBACK, PASSWORD};

/// The origin that the public address of the tests has.
const HERE: &str = "http://localhost:8420";
/// What the cookie of forms of a browser holds.
const FORM: &str = "a token of forms";

impl House {
    async fn ask_new(&self) -> Value {
        passkey::ask_new(&self.app, &self.ada().await, &self.cookie).await.unwrap()
    }

    async fn add(&self, credential: String) -> Result<PasskeyId, Problem> {
        let new = NewPasskey { name: "laptop".to_owned(), credential };
        passkey::add(&self.app, &self.ada().await, &self.cookie, new).await
    }

    /// A passkey of Ada's.
    async fn passkey(&self, number: u8) -> Authenticator {
        let mut key = Authenticator::new(number);
        self.add(key.make(&self.ask_new().await, HERE)).await.unwrap();
        key
    }

    async fn ask(&self) -> Value {
        passkey::ask_sign_in(&self.app, FORM).await.unwrap()
    }

    async fn enter(&self, credential: &str) -> Result<SignedIn, Problem> {
        session::sign_in_by_passkey(&self.app, LOOPBACK, FORM, credential).await
    }

    async fn use_it(&self, key: &Authenticator) -> Result<SignedIn, Problem> {
        self.enter(&key.sign(&self.ask().await, HERE)).await
    }

    async fn prove_by(&self, key: &Authenticator) -> Result<SignedIn, Problem> {
        let asked = passkey::ask_proof(&self.app, &self.ada().await, &self.cookie).await.unwrap();
        let proof = Proof::Passkey(key.sign(&asked, HERE));
        session::prove(&self.app, LOOPBACK, &self.cookie, proof).await
    }
}

fn refused<T>(result: Result<T, Problem>) -> String {
    let problem = result.err().expect("it was let in");
    assert_eq!(problem.code, Code::PasskeyRefused, "{problem}");
    problem.message
}

both!(a_passkey_signs_in_without_a_name, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    let signed_in = house.use_it(&key).await.unwrap();
    let view = house.view(signed_in.session.reveal()).await.unwrap();
    assert_eq!(view.viewer.mail, ADA);
    assert!(require_sudo(&view.caller, house.app.now()).is_ok());
    let listed = passkey::list(&house.app, &house.ada().await).await.unwrap();
    assert_eq!((listed[0].name.as_str(), listed[0].used_at), ("laptop", Some(house.app.now())));
});

both!(a_passkey_opens_the_sudo_window_under_a_new_token, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    house.test.clock.advance_seconds(600);
    let before = house.view(&house.cookie).await.unwrap();
    assert!(require_sudo(&before.caller, house.app.now()).is_err());
    let proved = house.prove_by(&key).await.unwrap();
    assert!(house.view(&house.cookie).await.is_none(), "the old token is over");
    let after = house.view(proved.session.reveal()).await.unwrap();
    assert!(require_sudo(&after.caller, house.app.now()).is_ok());
    assert_eq!(after.expires_at, before.expires_at);
});

both!(a_new_passkey_takes_the_sudo_window_and_so_does_its_removal, db, {
    let house = House::open(db.clone()).await;
    let asked = house.ask_new().await;
    house.passkey(1).await;
    house.test.clock.advance_seconds(600);
    let ada = house.ada().await;
    let code = |problem: Problem| problem.code;
    let ask = passkey::ask_new(&house.app, &ada, &house.cookie).await;
    assert_eq!(ask.map_err(code), Err(Code::SudoRequired));
    let add = house.add(Authenticator::new(2).make(&asked, HERE)).await;
    assert_eq!(add.map_err(code), Err(Code::SudoRequired));
    let id = passkey::list(&house.app, &ada).await.unwrap()[0].id;
    assert_eq!(passkey::remove(&house.app, &ada, id).await.map_err(code), Err(Code::SudoRequired));
    assert_eq!(count(&db, "passkey").await, 1);
});

both!(a_challenge_is_answered_once, db, {
    let house = House::open(db.clone()).await;
    let (mut key, mut other) = (Authenticator::new(1), Authenticator::new(2));
    let asked = house.ask_new().await;
    house.add(key.make(&asked, HERE)).await.unwrap();
    refused(house.add(other.make(&asked, HERE)).await);
    let signed = key.sign(&house.ask().await, HERE);
    house.enter(&signed).await.unwrap();
    refused(house.enter(&signed).await);
    let both = key.sign(&house.ask().await, HERE);
    let (one, two) = tokio::join!(house.enter(&both), house.enter(&both));
    assert_eq!([one.is_ok(), two.is_ok()].into_iter().filter(|open| *open).count(), 1);
    assert_eq!(count(&db, "passkey_challenge").await, 0);
});

both!(a_wrong_answer_uses_a_challenge_up, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    let asked = house.ask().await;
    refused(house.enter(&key.sign(&asked, "https://evil.example")).await);
    refused(house.enter(&key.sign(&asked, HERE)).await);
});

both!(a_challenge_is_of_one_browser_one_purpose_and_five_minutes, db, {
    let house = House::open(db.clone()).await;
    let key = house.passkey(1).await;
    let signed = key.sign(&house.ask().await, HERE);
    let elsewhere = session::sign_in_by_passkey(&house.app, LOOPBACK, "another browser", &signed).await;
    refused(elsewhere);
    let proof = session::prove(&house.app, LOOPBACK, &house.cookie, Proof::Passkey(signed.clone())).await;
    refused(proof);
    refused(house.add(Authenticator::new(2).make(&house.ask().await, HERE)).await);
    house.enter(&signed).await.unwrap();
    let late = key.sign(&house.ask().await, HERE);
    house.test.clock.advance_seconds(300);
    refused(house.enter(&late).await);
    house.ask().await;
    assert_eq!(count(&db, "passkey_challenge").await, 1, "what nobody answered is dropped");
});

both!(a_page_of_another_address_gets_nothing_signed_for_this_one, db, {
    let house = House::open(db).await;
    let mut key = Authenticator::new(1);
    for origin in ["https://evil.example", "http://localhost:8421", "https://localhost:8420", "null"] {
        let made = key.make(&house.ask_new().await, origin);
        assert!(refused(house.add(made).await).contains("another address"), "{origin}");
    }
    let mut other = house.ask_new().await;
    other["rp"]["id"] = json!("evil.example");
    assert!(refused(house.add(key.make(&other, HERE)).await).contains("another address"));
    let key = house.passkey(1).await;
    assert!(
        refused(house.enter(&key.sign(&house.ask().await, "http://localhost")).await)
            .contains("another address")
    );
    let mut other = house.ask().await;
    other["rpId"] = json!("evil.example");
    assert!(refused(house.enter(&key.sign(&other, HERE)).await).contains("another address"));
});

both!(a_device_that_did_not_verify_its_person_proves_nobody, db, {
    let house = House::open(db).await;
    let mut unsure = Authenticator::new(2);
    unsure.is_verified = false;
    refused(house.add(unsure.make(&house.ask_new().await, HERE)).await);
    let mut key = house.passkey(1).await;
    key.is_verified = false;
    refused(house.use_it(&key).await);
});

both!(a_signature_of_another_key_proves_nobody, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    let mut signed: Value = serde_json::from_str(&key.sign(&house.ask().await, HERE)).unwrap();
    let other: Value = serde_json::from_str(&Authenticator::new(2).sign(&house.ask().await, HERE)).unwrap();
    signed["response"]["signature"] = other["response"]["signature"].clone();
    refused(house.enter(&signed.to_string()).await);
    refused(house.use_it(&Authenticator::new(9)).await);
    for text in ["", "{}", "null", "{\"rawId\":\"AA\",\"response\":{}}"] {
        refused(house.enter(text).await);
    }
});

both!(a_count_that_goes_back_is_refused_and_told, db, {
    let house = House::open(db.clone()).await;
    let mut key = Authenticator::new(1);
    key.count = 7;
    house.add(key.make(&house.ask_new().await, HERE)).await.unwrap();
    key.count = 9;
    house.use_it(&key).await.unwrap();
    for stale in [9, 8, 0] {
        key.count = stale;
        assert!(refused(house.use_it(&key).await).contains("copy"), "{stale}");
    }
    let listed = passkey::list(&house.app, &house.ada().await).await.unwrap();
    assert_eq!(listed[0].refused_at, Some(house.app.now()));
    house.app.close().await;
    assert_eq!(count(&db, "audit WHERE action = 'session.sign_in' AND code = 'passkey_refused'").await, 3);
    key.count = 10;
    house.use_it(&key).await.unwrap();
});

both!(a_count_that_is_invented_tells_on_nobody, db, {
    let house = House::open(db).await;
    let mut key = house.passkey(1).await;
    key.count = 5;
    house.use_it(&key).await.unwrap();
    // Who holds no key cannot make a passkey look copied: the signature is looked at first.
    let mut forged = Authenticator::new(1);
    forged.count = 1;
    let mut signed: Value = serde_json::from_str(&forged.sign(&house.ask().await, HERE)).unwrap();
    signed["response"]["signature"] = json!("AAAA");
    refused(house.enter(&signed.to_string()).await);
    let listed = passkey::list(&house.app, &house.ada().await).await.unwrap();
    assert_eq!(listed[0].refused_at, None);
});

both!(a_passkey_that_says_it_became_another_kind_is_refused, db, {
    let house = House::open(db).await;
    let mut key = house.passkey(1).await;
    key.is_synced = true;
    refused(house.use_it(&key).await);
});

both!(another_persons_passkey_proves_nobody, db, {
    let house = House::open(db).await;
    house.newcomer(BOB, MemberRole::Editor).await;
    let bob = house.sign_in(BOB, PASSWORD).await.unwrap().session.reveal().to_owned();
    let caller = house.view(&bob).await.unwrap().caller;
    let asked = passkey::ask_new(&house.app, &caller, &bob).await.unwrap();
    let mut key = Authenticator::new(2);
    let new = NewPasskey { name: "phone".to_owned(), credential: key.make(&asked, HERE) };
    let id = passkey::add(&house.app, &caller, &bob, new).await.unwrap();
    house.passkey(1).await;
    refused(house.prove_by(&key).await);
    let other = passkey::remove(&house.app, &house.ada().await, id).await;
    assert_eq!(other.map_err(|problem| problem.code), Err(Code::NotFound));
    house.use_it(&key).await.unwrap();
});

both!(a_passkey_that_was_removed_signs_nobody_in, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    let ada = house.ada().await;
    let id = passkey::list(&house.app, &ada).await.unwrap()[0].id;
    let under_way = key.sign(&house.ask().await, HERE);
    passkey::remove(&house.app, &ada, id).await.unwrap();
    refused(house.enter(&under_way).await);
    assert!(!passkey::has_any(&house.app, &ada).await.unwrap());
});

both!(a_passkey_is_kept_once_and_twenty_are_the_most, db, {
    let house = House::open(db.clone()).await;
    let mut key = house.passkey(1).await;
    refused(house.add(key.make(&house.ask_new().await, HERE)).await);
    for number in 2..20 {
        house.passkey(number).await;
    }
    for round in 0..10 {
        let (one, two) = (house.ask_new().await, house.ask_new().await);
        let (mut first, mut second) = (Authenticator::new(100 + round), Authenticator::new(200 + round));
        let (one, two) = tokio::join!(house.add(first.make(&one, HERE)), house.add(second.make(&two, HERE)));
        let (kept, refused) = if one.is_ok() { (one, two) } else { (two, one) };
        assert_eq!(refused.map_err(|problem| problem.code), Err(Code::PasskeysFull));
        assert_eq!(count(&db, "passkey").await, 20);
        passkey::remove(&house.app, &house.ada().await, kept.unwrap()).await.unwrap();
    }
    house.passkey(20).await;
    let more = passkey::ask_new(&house.app, &house.ada().await, &house.cookie).await;
    assert_eq!(more.map_err(|problem| problem.code), Err(Code::PasskeysFull));
});

both!(attempts_with_one_passkey_are_slowed_down_like_those_with_a_password, db, {
    let house = House::open(db).await;
    let key = house.passkey(1).await;
    for _ in 0..5 {
        refused(house.enter(&key.sign(&house.ask().await, "https://evil.example")).await);
    }
    let slowed = house.use_it(&key).await.err().unwrap();
    assert_eq!(slowed.code, Code::RateLimited);
    house.test.clock.advance_seconds(1);
    house.use_it(&key).await.unwrap();
});
