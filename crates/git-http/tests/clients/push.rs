//! Push as git does it: what it moves, what its log says, and what stays as it is.

use countersign_app::repository::{First, NewRepository, create};
use countersign_app::testing::home::{Home, REPOSITORY};
use countersign_core::id::ResourceId;
use countersign_store::event::{self, Event};
use countersign_store::{Error, both};

use crate::raw;
use crate::served::{Served, basic, complained, said};

/// The whole log of a repository.
pub(crate) async fn log(home: &Home, repository: ResourceId) -> Vec<Event> {
    let page = home.app().db.read(move |t| Box::pin(event::page(t, repository, 0, 1000)));
    let page: Result<_, Error> = page.await;
    page.unwrap()
}

/// The kinds and summaries of its pushes.
pub(crate) async fn pushes(served: &Served) -> Vec<(String, String)> {
    let events = log(&served.home, served.home.repository).await;
    let pushes = events.into_iter().filter(|event| event.kind.starts_with("push"));
    pushes.map(|event| (event.kind, event.summary)).collect()
}

impl Served {
    /// A clone whose origin takes pushes with this token.
    pub(crate) async fn workplace(&self, token: &str) -> std::path::PathBuf {
        let clone = self.clone(&[]).await;
        said(&self.git(&clone, &["remote", "set-url", "origin", &self.url(token)]).await);
        clone
    }

    /// Commits a file in a clone and answers the commit.
    pub(crate) async fn change(&self, clone: &std::path::Path, path: &str, content: &[u8]) -> String {
        let place = clone.join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, content).unwrap();
        said(&self.git(clone, &["add", "-A"]).await);
        said(&self.git(clone, &["commit", "--quiet", "-m", path]).await);
        said(&self.git(clone, &["rev-parse", "HEAD"]).await)
    }

    /// Where a ref is in the bare repository.
    pub(crate) async fn at(&self, name: &str) -> Option<String> {
        let asked = self.git(&self.home.path(), &["rev-parse", "--verify", "--quiet", name]).await;
        asked.status.success().then(|| said(&asked))
    }
}

both!(an_empty_repository_takes_the_history_that_somebody_has, db, {
    let served = Served::over(db).await;
    let (app, project) = (served.home.app(), served.home.house.project);
    let new = NewRepository { name: "fresh".to_owned(), project, first: First::Nothing };
    let made = create(app, &served.home.owner, new).await.unwrap();
    let url = served.url(&served.writer).replace(REPOSITORY, "fresh");
    let clone = served.clone(&[]).await;
    let tip = served.change(&clone, "a.txt", b"one\n").await;
    said(&served.git(&clone, &["push", &url, "HEAD:main", "HEAD:topic"]).await);
    let bare = app.git.path(made.id);
    assert_eq!(said(&served.git(&bare, &["rev-parse", "HEAD", "topic"]).await), format!("{tip}\n{tip}"));
    let told = log(&served.home, made.id).await;
    let told: Vec<_> = told.iter().map(|event| (event.kind.as_str(), event.summary.as_str())).collect();
    assert_eq!(
        told,
        [
            ("repository.created", "made"),
            ("push", "made the branch main with 2 commits"),
            ("push", "made the branch topic with 2 commits"),
        ]
    );
});

both!(a_push_moves_the_branch_and_the_log_says_who_and_what, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.writer).await;
    let before = served.at("main").await.unwrap();
    served.change(&clone, "a.txt", b"one\n").await;
    let tip = served.change(&clone, "b.txt", b"two\n").await;
    said(&served.git(&clone, &["push", "origin", "HEAD:main"]).await);
    assert_eq!(served.at("main").await, Some(tip.clone()));
    let events = log(&served.home, served.home.repository).await;
    let event = events.last().unwrap();
    assert_eq!((event.kind.as_str(), event.summary.as_str()), ("push", "pushed 2 commits to main"));
    let refs: serde_json::Value = serde_json::from_str(&event.refs).unwrap();
    let told = serde_json::json!({ "ref": "refs/heads/main", "old": before, "new": tip, "forced": false });
    assert_eq!(refs, told);
    let person = served.home.owner.person().unwrap().to_string();
    let actor: serde_json::Value = serde_json::from_str(&event.actor).unwrap();
    assert_eq!(actor, serde_json::json!({ "kind": "user", "id": person }));
    said(&served.git(&served.home.path(), &["fsck", "--strict"]).await);
});

both!(an_unknown_and_a_foreign_repository_are_the_same_answer, db, {
    let served = Served::over(db).await;
    let lines = |route: &str| {
        [format!("GET {route}/info/refs?service=git-receive-pack"), format!("POST {route}/git-receive-pack")]
    };
    let slug = served.home.house.workspace;
    for line in lines(&format!("/git/{slug}/nothing.git")).iter().chain(&lines("/git/other/orchard.git")) {
        let answer = raw::request(&served, line, &[&basic(&served.writer)], b"0000").await;
        assert_eq!((answer.status, served.gits()), (404, 0), "{line}: {answer:?}");
        assert!(answer.text().starts_with("There is no such repository here."), "{answer:?}");
    }
    for line in lines(&served.route()) {
        let reader = raw::request(&served, &line, &[&basic(&served.token)], b"0000").await;
        assert_eq!((reader.status, reader.text().contains("repo:write")), (403, true), "{reader:?}");
        let nobody = raw::request(&served, &line, &[], b"0000").await;
        assert_eq!(nobody.status, 401, "{line}");
        assert_eq!(nobody.header("www-authenticate"), Some("Basic realm=\"countersign\", charset=\"UTF-8\""));
    }
});

both!(a_read_token_does_not_push_and_git_says_why, db, {
    let served = Served::over(db).await;
    let clone = served.workplace(&served.token).await;
    let before = served.at("main").await;
    served.change(&clone, "a.txt", b"one\n").await;
    let pushed = served.git(&clone, &["push", "origin", "HEAD:main"]).await;
    let words = complained(&pushed);
    assert!(
        !pushed.status.success() && words.contains("remote: This token lacks the scope repo:write."),
        "{words}"
    );
    assert_eq!(served.at("main").await, before);
    assert_eq!(pushes(&served).await, []);
});

both!(every_kind_of_clone_pushes_in_each_version_of_the_protocol, db, {
    let served = Served::over(db).await;
    served.commit(&[("old.txt", b"old\n")]).await;
    countersign_app::push::recover(served.home.app()).await.unwrap();
    for version in ["0", "1", "2"] {
        let option = format!("protocol.version={version}");
        let kinds = [("whole", &[][..]), ("shallow", &["--depth=1"]), ("partial", &["--filter=blob:none"])];
        for (kind, options) in kinds {
            let clone = served.clone(&[&["-c", option.as_str()], options].concat()).await;
            let (branch, url) = (format!("{kind}-{version}"), served.url(&served.writer));
            let new = served.change(&clone, &branch, branch.as_bytes()).await;
            said(&served.git(&clone, &["push", "--quiet", &url, &format!("HEAD:refs/heads/{branch}")]).await);
            assert_eq!(served.at(&branch).await, Some(new), "{kind}, version {version}");
        }
    }
    assert_eq!(pushes(&served).await.len(), 1 + 9);
    said(&served.git(&served.home.path(), &["fsck", "--strict"]).await);
});
