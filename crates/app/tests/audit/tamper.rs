//! Somebody with the database and without the key: whatever they change, drop, add or swap is found and named.

use countersign_core::audit::Fault;
use countersign_store::both;

use crate::house::{House, id};

/// Keeps both tables as they are, to begin anew from them.
const KEEP: [&str; 2] =
    ["CREATE TABLE kept AS SELECT * FROM audit", "CREATE TABLE kept_seal AS SELECT * FROM audit_seal"];
const BACK: [&str; 4] = [
    "DELETE FROM audit",
    "INSERT INTO audit SELECT * FROM kept",
    "DELETE FROM audit_seal",
    "INSERT INTO audit_seal SELECT * FROM kept_seal",
];

/// A sealed log that each case begins with.
struct Log(House);

impl Log {
    async fn new(db: countersign_store::Db) -> Self {
        let house = House::sealed(db).await;
        assert_eq!(house.fault().await, None, "what nobody touched is as it was");
        house.sql(&KEEP).await;
        Self(house)
    }

    /// The fault that is found after these statements.
    async fn after(&self, statements: &[&str]) -> Option<Fault> {
        self.0.sql(&BACK).await;
        self.0.sql(statements).await;
        self.0.fault().await
    }
}

/// Exchanges a column of two rows of a table that may hold no two alike.
fn exchange(table: &str, column: &str, [one, other]: [&str; 2], aside: &str) -> [String; 3] {
    let set = |from: &str, to: &str| format!("UPDATE {table} SET {column} = {to} WHERE {column} = {from}");
    [set(one, aside), set(other, one), set(aside, other)]
}

async fn after_exchange(log: &Log, table: &str, column: &str, pair: [&str; 2], aside: &str) -> Option<Fault> {
    let statements = exchange(table, column, pair, aside);
    log.after(&statements.each_ref().map(String::as_str)).await
}

both!(a_changed_record_is_found_whichever_column_it_is, db, {
    let log = Log::new(db).await;
    for change in [
        "workspace_id = NULL",
        "at = at + 1",
        "actor_kind = 'server'",
        "actor_id = NULL",
        "connection_id = 'x'",
        "action = 'thing.do'",
        "resource_id = 'x'",
        "outcome = 'refused'",
        "code = ''",
        "detail = '{} '",
    ] {
        let found = log.after(&[&format!("UPDATE audit SET {change} WHERE id = '{}'", id(12))]).await;
        assert_eq!(found, Some(Fault::RowChanged { seal: 2, id: id(12) }), "{change}");
    }
});

both!(a_dropped_record_is_found, db, {
    let log = Log::new(db).await;
    for (number, seal) in [(0, 1), (15, 2), (29, 3)] {
        let found = log.after(&[&format!("DELETE FROM audit WHERE id = '{}'", id(number))]).await;
        assert_eq!(found, Some(Fault::RowDropped { seal, id: id(number) }));
    }
});

both!(an_added_record_is_found_whatever_seal_it_claims, db, {
    let log = Log::new(db).await;
    let add = |claims: &str| {
        format!(
            "INSERT INTO audit SELECT '{}', workspace_id, at, actor_kind, actor_id, connection_id, action, \
             resource_id, outcome, code, detail, '{claims}' FROM audit WHERE id = '{}'",
            id(99),
            id(12)
        )
    };
    for (claims, seal) in [
        ("0000000000000000002", "2"),
        ("0000000000000000009", "9"),
        ("0000000000000000002x", "0000000000000000002x"),
        ("", ""),
        ("zzz", "zzz"),
    ] {
        let found = log.after(&[&add(claims)]).await;
        assert_eq!(found, Some(Fault::RowAdded { seal: seal.to_owned(), id: id(99) }), "{claims:?}");
    }
});

both!(many_added_records_push_none_that_belongs_there_out_of_sight, db, {
    let log = Log::new(db).await;
    let add = "INSERT INTO audit WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
        SELECT 'added-' || CAST(i AS TEXT), NULL, 0, 'server', NULL, NULL, 'x', NULL, 'done', NULL, '{}', \
        '0000000000000000002' FROM n";
    let found = log.after(&[add]).await;
    assert!(
        matches!(&found, Some(Fault::RowAdded { seal, id }) if seal == "2" && id.starts_with("added-")),
        "{found:?}"
    );
});

both!(two_records_that_were_swapped_are_found_within_a_seal_and_between_two, db, {
    let log = Log::new(db).await;
    let quoted = |number| format!("'{}'", id(number));
    for (one, other, seal) in [(12, 15, 2), (5, 15, 1)] {
        let found = after_exchange(&log, "audit", "id", [&quoted(one), &quoted(other)], "'aside'").await;
        assert_eq!(found, Some(Fault::RowsSwapped { seal, id: id(one), other: id(other) }));
    }
    let to = |number, seal| {
        format!("UPDATE audit SET seal_id = '000000000000000000{seal}' WHERE id = '{}'", id(number))
    };
    let found = log.after(&[&to(5, 2), &to(15, 1)]).await;
    assert_eq!(found, Some(Fault::RowsSwapped { seal: 1, id: id(5), other: id(15) }));
});

both!(a_record_that_was_taken_out_of_its_seal_is_found, db, {
    let log = Log::new(db).await;
    let set = |to: &str| format!("UPDATE audit SET seal_id = {to} WHERE id = '{}'", id(5));
    let found = log.after(&[&set("'0000000000000000002'")]).await;
    let to = Some("0000000000000000002".to_owned());
    assert_eq!(found, Some(Fault::RowMoved { seal: 1, id: id(5), to }));
    let found = log.after(&[&set("NULL")]).await;
    assert_eq!(found, Some(Fault::RowMoved { seal: 1, id: id(5), to: None }));
});

both!(a_dropped_seal_is_found_wherever_it_stood, db, {
    let log = Log::new(db).await;
    for seal in [1, 2, 3] {
        let found = log.after(&[&format!("DELETE FROM audit_seal WHERE number = {seal}")]).await;
        assert_eq!(found, Some(Fault::SealDropped { seal }));
    }
    // With its records, and the ones behind it moved up.
    let found = log
        .after(&[
            "DELETE FROM audit WHERE seal_id = '0000000000000000002'",
            "DELETE FROM audit_seal WHERE number = 2",
            "UPDATE audit_seal SET number = 2 WHERE number = 3",
            "UPDATE audit SET seal_id = '0000000000000000002' WHERE seal_id = '0000000000000000003'",
        ])
        .await;
    assert_eq!(found, Some(Fault::ChainBroken { seal: 2 }));
});

both!(seals_in_another_order_are_found, db, {
    let log = Log::new(db).await;
    let found = after_exchange(&log, "audit_seal", "number", ["2", "3"], "-1").await;
    assert_eq!(found, Some(Fault::SealMoved { seal: 2, to: 3 }));
    let found = after_exchange(&log, "audit_seal", "number", ["1", "2"], "-1").await;
    assert_eq!(found, Some(Fault::SealMoved { seal: 1, to: 2 }));
});

both!(a_changed_seal_is_found_whichever_column_it_is, db, {
    let log = Log::new(db).await;
    let of_one = |column: &str| format!("{column} = (SELECT {column} FROM kept_seal WHERE number = 1)");
    for change in [
        "row_count = row_count + 1".to_owned(),
        "first_at = first_at - 1".to_owned(),
        "last_at = last_at + 1".to_owned(),
        "sealed_at = sealed_at + 1".to_owned(),
        "key_id = 'SHA256:x'".to_owned(),
        of_one("entries"),
        of_one("digest"),
    ] {
        let found = log.after(&[&format!("UPDATE audit_seal SET {change} WHERE number = 2")]).await;
        assert_eq!(found, Some(Fault::SealChanged { seal: 2 }), "{change}");
    }
    for signature in ["'nothing'", "(SELECT signature FROM kept_seal WHERE number = 1)"] {
        let set = format!("UPDATE audit_seal SET signature = {signature} WHERE number = 2");
        assert_eq!(log.after(&[&set]).await, Some(Fault::SealForged { seal: 2 }), "{signature}");
    }
    let set = "UPDATE audit_seal SET previous = digest WHERE number = 2";
    assert_eq!(log.after(&[set]).await, Some(Fault::ChainBroken { seal: 2 }));
});
