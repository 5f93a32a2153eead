//! Verification as a walk: forged seals, a history written anew, an end that was cut off, steps, and who may ask.

use countersign_app::audit::view::Verdict;
use countersign_app::audit::{Ask, Listing, seal, show, verify};
use countersign_core::audit::{Digest, Fault, Head, Seal, read_entries, statement, write_entries};
use countersign_core::problem::Code;
use countersign_git::sign::Signer;
use countersign_store::audit_seal::{self, AuditSeal};
use countersign_store::{Db, Error, both};

use crate::house::{House, id};

async fn seal_at(db: &Db, number: i64) -> AuditSeal {
    db.read(move |t| Box::pin(audit_seal::next(t, number - 1))).await.unwrap().unwrap()
}

/// The same seal without its last record, as `signer` would have made it.
fn shortened(seal: AuditSeal, signer: &Signer) -> (AuditSeal, String) {
    let mut entries = read_entries(&seal.entries).unwrap();
    let dropped = entries.pop().unwrap().id;
    let entries = write_entries(&entries);
    let made = Seal {
        number: seal.number,
        previous: Digest::of_bytes(&seal.previous).unwrap(),
        rows: seal.row_count - 1,
        first_at: seal.first_at,
        last_at: seal.last_at,
        sealed_at: seal.sealed_at,
        entries: &entries,
    };
    let head = Head { number: seal.number, digest: made.digest() };
    let forged = AuditSeal {
        row_count: made.rows,
        digest: head.digest.bytes().to_vec(),
        key_id: signer.public().fingerprint(),
        signature: signer.sign_seal(&statement(&head)),
        entries: entries.clone(),
        ..seal
    };
    (forged, dropped)
}

/// Puts a seal in the place of the one with its number, and takes a record away.
async fn replace(house: &House, seal: AuditSeal, dropped: &str) {
    house
        .sql(&[
            &format!("DELETE FROM audit_seal WHERE number = {}", seal.number),
            &format!("DELETE FROM audit WHERE id = '{dropped}'"),
        ])
        .await;
    house
        .db
        .write(move |t| Box::pin(async move { seal.insert(t).await }))
        .await
        .unwrap_or_else(|error: Error| panic!("{error}"));
}

fn stranger() -> (countersign_store::testing::Folder, Signer) {
    let folder = countersign_store::testing::Folder::new();
    let signer = Signer::open(&folder.path().join("keys"), |bytes| bytes.fill(9)).unwrap();
    (folder, signer)
}

both!(a_seal_made_without_the_key_is_found, db, {
    let house = House::sealed(db.clone()).await;
    let original = seal_at(&db, 3).await;
    let (_folder, stranger) = stranger();
    let (forged, dropped) = shortened(original.clone(), &stranger);
    let old_signature = AuditSeal {
        signature: original.signature.clone(),
        key_id: original.key_id.clone(),
        ..forged.clone()
    };
    replace(&house, old_signature, &dropped).await;
    assert_eq!(house.fault().await, Some(Fault::SealForged { seal: 3 }));
    replace(&house, forged, &dropped).await;
    let key = stranger.public().fingerprint();
    assert_eq!(house.fault().await, Some(Fault::KeyUnknown { seal: 3, key }));
});

both!(a_seal_is_bound_to_the_one_before_it_even_where_the_key_signed_another_in_its_place, db, {
    let house = House::sealed(db.clone()).await;
    // As after a restore: the same server signed a second one under the number 2.
    let (second, dropped) = shortened(seal_at(&db, 2).await, &house.app.signer);
    let digest = second.digest.clone();
    replace(&house, second, &dropped).await;
    assert_eq!(house.fault().await, Some(Fault::ChainBroken { seal: 3 }));
    let linked = db.write(move |t| {
        Box::pin(
            async move { t.exec("UPDATE audit_seal SET previous = $1 WHERE number = 3", &[&digest]).await },
        )
    });
    linked.await.unwrap_or_else(|error: Error| panic!("{error}"));
    assert_eq!(house.fault().await, Some(Fault::SealChanged { seal: 3 }));
});

both!(an_end_that_was_cut_off_is_found_by_a_head_that_was_noted, db, {
    let house = House::sealed(db).await;
    let noted = house.verify(Ask::default()).await.at;
    let expecting = |expected| Ask { expected: Some(expected), after: None };
    assert_eq!(house.verify(expecting(noted)).await.verdict, Verdict::Intact);
    let other = Head { digest: Digest::new([7; 32]), ..noted };
    let verdict = house.verify(expecting(other)).await.verdict;
    assert_eq!(verdict, Verdict::Broken(Fault::HeadDiffers { expected: other }));
    house
        .sql(&[
            "DELETE FROM audit_seal WHERE number = 3",
            "DELETE FROM audit WHERE seal_id = '0000000000000000003'",
        ])
        .await;
    assert_eq!(house.fault().await, None, "nothing in the store tells");
    let cut = Verdict::Broken(Fault::TailCut { expected: noted, last: 2 });
    assert_eq!(house.verify(expecting(noted)).await.verdict, cut);
    let going_on = Ask { after: Some(noted), expected: None };
    assert_eq!(house.verify(going_on).await.verdict, cut);
});

both!(a_log_without_any_seal_is_intact_and_one_that_lost_all_is_not, db, {
    let house = House::open(db).await;
    house.write(0..3).await;
    let progress = house.verify(Ask::default()).await;
    assert_eq!((progress.verdict, progress.unsealed, progress.at), (Verdict::Intact, 3, Head::START));
    seal(&house.app).await.unwrap();
    house.sql(&["DELETE FROM audit_seal"]).await;
    assert_eq!(house.fault().await, Some(Fault::SealDropped { seal: 1 }));
});

both!(a_long_log_is_verified_in_steps_and_remembered_only_when_whole, db, {
    let house = House::open(db.clone()).await;
    for number in 0..101 {
        house.write(number..number + 1).await;
        seal(&house.app).await.unwrap();
    }
    let checked = async || show(&house.app, &house.owner, Listing::default()).await.unwrap().seals.checked;
    let last = seal_at(&db, 101).await;
    let before_last = Head { number: 100, digest: Digest::of_bytes(&last.previous).unwrap() };
    let only_the_end = house.verify(Ask { after: Some(before_last), expected: None }).await;
    assert_eq!((only_the_end.verdict, checked().await), (Verdict::Intact, None));
    let first = house.verify(Ask::default()).await;
    assert_eq!((first.verdict, first.seals, first.at), (Verdict::GoesOn, 100, before_last));
    let second = house.verify(Ask { after: Some(first.at), expected: None }).await;
    assert!(second.verdict == Verdict::Intact && second.seals >= 1, "{second:?}");
    assert_eq!(checked().await.unwrap().fault, None);
    house.sql(&[&format!("DELETE FROM audit WHERE id = '{}'", id(100))]).await;
    let again = house.verify(Ask { after: Some(first.at), expected: None }).await.verdict;
    assert_eq!(again, Verdict::Broken(Fault::RowDropped { seal: 101, id: id(100) }));
});

both!(who_owns_nothing_verifies_nothing, db, {
    let house = House::sealed(db).await;
    let refused = verify(&house.app, &house.member().await, Ask::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::RoleRequired);
});
