//! Transactions on both engines: what is kept, what is refused, what is answered.
#![cfg(test)]

use countersign_store::{Db, Error, Inserted, Saved, both, record};

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
