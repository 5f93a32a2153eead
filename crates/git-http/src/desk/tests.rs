//! Who is answered at a desk, and a push that ends while the database is away.

use std::collections::BTreeMap;

use countersign_app::testing::home::Home;
use countersign_store::both;

use super::*;
use crate::hook;

both!(programs_of_another_user_are_not_answered, db, {
    let home = Home::over(db).await;
    let lock = home.app().git.lock_for_push(home.repository).await.unwrap();
    let desk = Desk::open(home.app(), Limits::SHIPPED, home.owner.clone(), lock).unwrap();
    let other = format!("{}-other", desk.name);
    let listener = bind(&other).unwrap();
    let stranger = Uid::from_raw(getuid().as_raw() + 1);
    let held = Arc::clone(desk.lock.as_ref().unwrap());
    let listening = tokio::spawn(listen(Arc::clone(&desk.shared), held, listener, stranger));
    for (socket, said) in [(&desk.name, "was not allowed"), (&other, "is gone")] {
        let environment = [(SOCKET, socket), (TOKEN, &desk.token)];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.clone()));
        // Nor may a ref move before somebody allowed it.
        for hook in [Hook::Update, Hook::PostReceive] {
            let answer = hook::ask(hook, &BTreeMap::from(environment.clone()), &b""[..]).await;
            let lines = answer.unwrap_err();
            assert!(lines[0].contains(said), "{lines:?}");
        }
    }
    listening.abort();
});

async fn sql(home: &Home, statement: &'static str) {
    let done = home.app().db.write(move |t| Box::pin(async move { t.exec(statement, &[]).await.map(drop) }));
    done.await.unwrap();
}

both!(a_push_that_ends_while_the_database_is_away_is_told_of_as_its_persons, db, {
    let home = Home::over(db).await;
    let limits = Limits {
        pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(100),
        ..Limits::SHIPPED
    };
    let (app, id) = (home.app(), home.repository);
    let lock = app.git.lock_for_push(id).await.unwrap();
    let desk = Desk::open(app, limits, home.owner.clone(), lock).unwrap();
    let main = app.git.refs_of_people(id).await.unwrap()["refs/heads/main"];
    let line = format!("{} {main} refs/heads/topic", "0".repeat(40));
    let asked = Asked { updates: vec![line.clone()], quarantine: None };
    let accepted = push::decide(app, &home.owner, desk.lock().unwrap(), asked).await.unwrap();
    let moved = home.path().join("refs/heads/topic");
    std::fs::write(moved, format!("{main}\n")).unwrap();
    sql(&home, "ALTER TABLE repository_ref RENAME TO away").await;
    desk.shared.replace(Stage::Moved(accepted, vec![RefUpdate::parse(&line).unwrap()]));
    drop(desk);
    tokio::time::sleep(Duration::from_millis(500)).await;
    sql(&home, "ALTER TABLE away RENAME TO repository_ref").await;
    let told = async || {
        let page = app.db.read(move |t| Box::pin(countersign_store::event::page(t, id, 0, 1000)));
        let page: Result<Vec<_>, countersign_store::Error> = page.await;
        let events = page.unwrap().into_iter().filter(|event| event.kind.starts_with("push"));
        events.map(|event| event.kind).collect::<Vec<_>>()
    };
    for _ in 0..500 {
        if !told().await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(told().await, ["push"]);
});
