//! Transactions on both engines: what is kept, what is refused, what is answered.
#![cfg(test)]

use countersign_core::problem::Problem;
use countersign_store::{Db, Error, Inserted, Saved, Tx, both, record};

record! {
    /// A person, as far as these tests go.
    pub struct Person in "person" {
        /// Id.
        id: String,
        /// Mail as written.
        mail: String,
        /// Mail for comparing.
        mail_key: String,
        /// Name.
        name: String,
        /// Hash.
        password_hash: String,
        /// When.
        created_at: i64,
        /// When switched off.
        disabled_at: Option<i64>,
    }
}

const FIND: &str = "SELECT {cols} FROM person WHERE id = $1";

fn person(id: &str) -> Person {
    Person {
        id: id.to_owned(),
        mail: format!("{id}@example.org"),
        mail_key: format!("{id}@example.org"),
        name: "Zoë 会議".to_owned(),
        password_hash: String::new(),
        created_at: 1,
        disabled_at: None,
    }
}

async fn add(db: &Db, id: &str) -> Result<(), Error> {
    let person = person(id);
    db.write(move |t| Box::pin(async move { person.insert(t).await })).await
}

async fn find(db: &Db, id: &str) -> Option<Person> {
    let id = id.to_owned();
    db.read(move |t| Box::pin(async move { t.opt(FIND, &[&id]).await })).await.unwrap()
}

both!(what_is_written_is_read, db, {
    add(&db, "a").await.unwrap();
    assert_eq!(find(&db, "a").await, Some(person("a")));
    assert_eq!(find(&db, "b").await, None);
});

both!(a_second_row_with_the_same_key_is_refused, db, {
    add(&db, "a").await.unwrap();
    assert!(matches!(add(&db, "a").await, Err(Error::Unique(_))));
});

both!(insert_once_tells_whether_it_made_the_row, db, {
    let (first, second) = db
        .write(|t| {
            Box::pin(async move {
                Ok::<_, Error>((person("a").insert_once(t).await?, person("a").insert_once(t).await?))
            })
        })
        .await
        .unwrap();
    assert_eq!((first, second), (Inserted::New, Inserted::Existed));
});

both!(a_refused_statement_ends_the_transaction_even_when_the_job_goes_on, db, {
    let result: Result<(), Error> = db
        .write(|t| {
            Box::pin(async move {
                person("a").insert(t).await?;
                assert!(person("a").insert(t).await.is_err());
                assert!(matches!(person("b").insert(t).await, Err(Error::Unique(_))));
                Ok(())
            })
        })
        .await;
    assert!(matches!(result, Err(Error::Unique(_))), "{result:?}");
    assert_eq!(find(&db, "a").await, None);
});

both!(a_conditional_write_has_three_outcomes, db, {
    const RENAME: &str = "UPDATE person SET name = $2 WHERE id = $1 AND created_at = $3 RETURNING {cols}";
    add(&db, "a").await.unwrap();
    let rename = |id: &'static str, seen: i64| {
        db.write(move |t| {
            Box::pin(async move {
                let row = t.opt::<Person>(RENAME, &[&id, &"new", &seen]).await?;
                Saved::sort(t, row, "SELECT id FROM person WHERE id = $1", &[&id]).await
            })
        })
    };
    let done: Result<_, Error> = rename("a", 1).await;
    assert!(matches!(done, Ok(Saved::Done(row)) if row.name == "new"));
    assert_eq!(rename("a", 2).await, Ok::<_, Error>(Saved::Changed));
    assert_eq!(rename("b", 1).await, Ok::<_, Error>(Saved::Missing));
});

both!(an_error_of_the_commit_is_answered, db, {
    let made: Result<(), Error> = db
        .write(|t| {
            Box::pin(async move {
                t.exec("CREATE TABLE parent (id BIGINT PRIMARY KEY)", &[]).await?;
                t.exec(
                    "CREATE TABLE child (id BIGINT REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)",
                    &[],
                )
                .await?;
                Ok(())
            })
        })
        .await;
    made.unwrap();
    let result: Result<(i64,), Error> = db
        .write(|t| {
            Box::pin(async move { t.one("INSERT INTO child (id) VALUES ($1) RETURNING id", &[&1_i64]).await })
        })
        .await;
    assert!(matches!(result, Err(Error::Sql(_))), "{result:?}");
    assert_eq!(count(&db, "child").await, 0);
    add(&db, "a").await.unwrap();
});

both!(a_panic_in_a_job_is_answered_and_rolled_back, db, {
    let result: Result<(), Error> = db
        .write(|t| {
            Box::pin(async move {
                person("a").insert(t).await?;
                panic!("on purpose")
            })
        })
        .await;
    assert_eq!(result, Err(Error::Panicked("on purpose".to_owned())));
    assert_eq!(find(&db, "a").await, None);
    add(&db, "a").await.unwrap();
});

both!(of_many_jobs_those_that_fail_harm_no_other, db, {
    let mut jobs = tokio::task::JoinSet::new();
    for number in 0..80 {
        let db = db.clone();
        jobs.spawn(async move {
            let id = format!("p{number}");
            let kept = db.write(move |t| Box::pin(add_or_fail(t, id, number % 4))).await.is_ok();
            (number, kept)
        });
    }
    for (number, kept) in jobs.join_all().await {
        assert_eq!(kept, number % 4 == 3, "{number}");
        assert_eq!(find(&db, &format!("p{number}")).await.is_some(), kept, "{number}");
    }
});

/// Inserts, and then fails in one of three ways, or not.
async fn add_or_fail(t: &Tx<'_>, id: String, way: i32) -> Result<(), Problem> {
    person(&id).insert(t).await?;
    match way {
        0 => Err(Problem::not_found("person")),
        1 => Ok(t.exec("INSERT INTO nothing VALUES (1)", &[]).await.map(|_| ())?),
        2 => panic!("on purpose"),
        _ => Ok(()),
    }
}

both!(a_write_goes_on_when_its_caller_goes_away, db, {
    let (begun, wait) = tokio::sync::oneshot::channel();
    let caller = {
        let db = db.clone();
        tokio::spawn(async move {
            db.write(move |t| {
                Box::pin(async move {
                    let _ = begun.send(());
                    person("a").insert(t).await?;
                    person("b").insert(t).await
                })
            })
            .await
        })
    };
    wait.await.unwrap();
    caller.abort();
    let _: Result<_, _> = caller.await;
    while find(&db, "b").await.is_none() {
        tokio::task::yield_now().await;
    }
    assert!(find(&db, "a").await.is_some());
});

both!(a_closed_store_refuses, db, {
    add(&db, "a").await.unwrap();
    db.close().await;
    db.close().await;
    assert!(matches!(add(&db, "late").await, Err(Error::Unavailable(_))));
    let read: Result<(String,), Error> =
        db.read(|t| Box::pin(async move { t.one("SELECT id FROM person", &[]).await })).await;
    assert!(matches!(read, Err(Error::Unavailable(_))), "{read:?}");
});

async fn count(db: &Db, table: &str) -> i64 {
    let sql = format!("SELECT CAST(COUNT(*) AS BIGINT) FROM {table}");
    let counted: Result<(i64,), Error> =
        db.read(move |t| Box::pin(async move { t.one(&sql, &[]).await })).await;
    counted.unwrap().0
}

record! {
    /// One column of each type.
    pub struct Sample in "sample" {
        /// A number.
        number: i64,
        /// A number or none.
        number_or_none: Option<i64>,
        /// A text.
        text: String,
        /// A text or none.
        text_or_none: Option<String>,
        /// Bytes.
        bytes: Vec<u8>,
        /// Bytes or none.
        bytes_or_none: Option<Vec<u8>>,
    }
}

both!(every_type_of_column_is_read_as_it_was_written, db, {
    let full = Sample {
        number: i64::MAX,
        number_or_none: Some(i64::MIN),
        text: "Zoë 会議 $1 {cols} '".to_owned(),
        text_or_none: Some(String::new()),
        bytes: vec![0, 255, 10],
        bytes_or_none: Some(Vec::new()),
    };
    let none =
        Sample { number: 0, number_or_none: None, text_or_none: None, bytes_or_none: None, ..full.clone() };
    let written = [none, full];
    let rows = written.clone();
    let read: Result<Vec<Sample>, Error> = db
        .write(|t| {
            Box::pin(async move {
                let bytes = t.pick("BLOB", "BYTEA");
                let table = format!(
                    "CREATE TABLE sample (number BIGINT PRIMARY KEY, number_or_none BIGINT, text TEXT NOT NULL,
                     text_or_none TEXT, bytes {bytes} NOT NULL, bytes_or_none {bytes})"
                );
                t.exec(&table, &[]).await?;
                for row in &rows {
                    row.insert(t).await?;
                }
                t.all("SELECT {cols} FROM sample ORDER BY number", &[]).await
            })
        })
        .await;
    assert_eq!(read.unwrap(), written);
});

both!(a_bound_number_has_64_bits_wherever_it_stands, db, {
    let sum: Result<(i64,), Error> =
        db.read(|t| Box::pin(async move { t.one("SELECT $1 + 1", &[&4_000_000_000_i64]).await })).await;
    assert_eq!(sum.unwrap().0, 4_000_000_001);
});

both!(arguments_are_bound_by_their_numbers, db, {
    let swapped: Result<(String, String), Error> =
        db.read(|t| Box::pin(async move { t.one("SELECT $2, $1", &[&"first", &"second"]).await })).await;
    assert_eq!(swapped.unwrap(), ("second".to_owned(), "first".to_owned()));
});
