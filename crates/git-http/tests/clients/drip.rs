//! A push whose upload takes long: nobody waits for it, nothing that it needs is thrown away, and it is decided over as
//! things are at its end.

use std::time::{Duration, Instant};

use countersign_app::proposal::{FileImport, approve, propose_file_import};
use countersign_app::push::settle;
use countersign_app::repository::{Change, RuleChange, change, upkeep};
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_git::lock::Hold;
use countersign_store::both;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tower::ServiceExt as _;

use crate::push::pushes;
use crate::push_limit::{commands, heads, making, packed, send};
use crate::raw::{Answer, open, read, whole};
use crate::served::{Served, said};

/// Within which what waits for nobody is done, on a busy machine too: less than a lock is waited for.
const AT_ONCE: Duration = Duration::from_secs(6);

/// A push of which the last bytes are still to come.
struct Drip {
    stream: TcpStream,
    rest: Vec<u8>,
}

impl Drip {
    async fn begin(served: &Served, body: &[u8]) -> Self {
        let (line, headers) = heads(served, &served.writer);
        let bytes = whole(&line, &headers.each_ref().map(String::as_str), body);
        let (begun, rest) = bytes.split_at(bytes.len() - 20);
        let stream = open(served, begun).await;
        served.until_gits(|gits| gits > 0).await;
        Self { stream, rest: rest.to_vec() }
    }

    async fn end(mut self) -> Answer {
        self.stream.write_all(&self.rest).await.unwrap();
        read(self.stream).await
    }
}

/// Lets the default branch be `trunk`, which is there.
async fn rule(served: &Served) {
    let rules = RuleChange { default_branch: BranchName::parse("trunk").ok(), ..RuleChange::default() };
    let wish = Change { rules, ..Change::default() };
    change(served.home.app(), &served.home.owner, served.home.repository, wish).await.unwrap();
}

/// Lets an agent propose a file on `main` and the owner approve it.
async fn land(served: &Served) {
    let (app, home) = (served.home.app(), &served.home);
    let import = FileImport {
        repository: home.repository,
        branch: "main".into(),
        message: "Write a file".into(),
        files: vec![ProposedFile { path: "approved.txt".into(), content: "text\n".into() }],
        idempotency_key: "key-0001".into(),
        expected_base_oid: None,
        arguments: json!({}),
    };
    let proposed = propose_file_import(app, &home.agent, import).await.unwrap();
    approve(app, &home.owner, proposed.proposal_id).await.unwrap();
}

async fn git(served: &Served, args: &[&str]) -> String {
    said(&served.git(&served.home.path(), args).await)
}

both!(while_a_push_drips_the_default_branch_is_changed_at_once_and_the_push_lands, db, {
    let served = Served::over(db).await;
    git(&served, &["branch", "trunk", "main"]).await;
    let drip = Drip::begin(&served, &making(&served, "topic", b"new\n").await).await;
    let begun = Instant::now();
    rule(&served).await;
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(git(&served, &["symbolic-ref", "HEAD"]).await, "refs/heads/trunk");
    let answer = drip.end().await;
    assert!(answer.text().contains("ok refs/heads/topic"), "{answer:?}");
    assert!(pushes(&served).await.iter().any(|(kind, told)| kind == "push" && told.contains("topic")));
});

both!(while_a_push_drips_and_another_wants_the_refs_alone_pushes_and_approvals_land_at_once, db, {
    let served = Served::over(db).await;
    git(&served, &["branch", "trunk", "main"]).await;
    let other = making(&served, "other", b"other\n").await;
    let drip = Drip::begin(&served, &making(&served, "topic", b"new\n").await).await;
    let begun = Instant::now();
    let ((), (), answer) = tokio::join!(rule(&served), land(&served), send(&served, &[], &other));
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert!(answer.text().contains("ok refs/heads/other"), "{answer:?}");
    assert!(drip.end().await.text().contains("ok refs/heads/topic"));
});

both!(while_a_push_drips_what_nobody_told_of_is_told_at_once, db, {
    let served = Served::over(db).await;
    let drip = Drip::begin(&served, &making(&served, "topic", b"new\n").await).await;
    git(&served, &["branch", "quiet", "main"]).await;
    let begun = Instant::now();
    settle(served.home.app(), served.home.repository, None).await.unwrap();
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(pushes(&served).await.len(), 1);
    countersign_app::proposal::recover(served.home.app()).await.unwrap();
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert!(drip.end().await.text().contains("ok refs/heads/topic"));
    assert_eq!(pushes(&served).await.len(), 2);
});

both!(a_push_whose_branch_moved_while_it_dripped_is_refused_and_changes_nothing, db, {
    let served = Served::over(db).await;
    let old = served.at("main").await.unwrap();
    let (new, pack) = packed(&served, b"new\n").await;
    let body = [commands(&[&format!("{old} {new} refs/heads/main")]), pack].concat();
    let drip = Drip::begin(&served, &body).await;
    land(&served).await;
    let now = served.at("main").await;
    let answer = drip.end().await;
    assert!(answer.text().contains("main is not where this push has seen it."), "{answer:?}");
    assert_eq!((served.at("main").await, pushes(&served).await.len()), (now, 0));
    assert!(served.pushes_are_over().await);
});

/// Lets upkeep find that a prune is due; when the last one was, as the folder says.
fn prune_is_due(served: &Served) -> String {
    let last = served.home.app().now().millis() - 8 * 24 * 3_600_000;
    std::fs::write(served.home.path().join("countersign-pruned"), last.to_string()).unwrap();
    last.to_string()
}

fn pruned(served: &Served) -> String {
    std::fs::read_to_string(served.home.path().join("countersign-pruned")).unwrap()
}

both!(nothing_is_pruned_while_a_push_drips_and_it_is_at_the_turn_after_its_end, db, {
    let served = Served::over(db).await;
    let drip = Drip::begin(&served, &making(&served, "topic", b"new\n").await).await;
    let last = prune_is_due(&served);
    // What looks as if a killed push had left it: nothing was written there for long.
    let left = served.home.path().join("objects/tmp_objdir-incoming-silent");
    std::fs::create_dir(&left).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(25);
    std::fs::File::open(&left).unwrap().set_modified(old).unwrap();
    let begun = Instant::now();
    upkeep(served.home.app()).await.unwrap();
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    countersign_app::proposal::recover(served.home.app()).await.unwrap();
    assert_eq!((pruned(&served), left.exists()), (last.clone(), true));
    assert!(drip.end().await.text().contains("ok refs/heads/topic"));
    assert!(served.pushes_are_over().await);
    upkeep(served.home.app()).await.unwrap();
    assert!(pruned(&served) != last && !left.exists());
    git(&served, &["fsck", "--strict"]).await;
});

both!(upkeep_that_needs_no_objects_alone_is_done_while_a_push_drips, db, {
    let served = Served::over(db).await;
    let drip = Drip::begin(&served, &making(&served, "topic", b"new\n").await).await;
    prune_is_due(&served);
    for n in 0..70 {
        let place = served.home.path().join(format!("refs/heads/many-{n}"));
        std::fs::write(place, format!("{}\n", served.at("main").await.unwrap())).unwrap();
    }
    upkeep(served.home.app()).await.unwrap();
    assert!(!served.home.path().join("refs/heads/many-0").exists(), "refs are packed");
    assert!(drip.end().await.text().contains("ok refs/heads/topic"));
});

/// A client that hears the first bytes of an answer and no more.
async fn unheard(served: &Served, body: Vec<u8>) -> axum::response::Response {
    let (line, headers) = heads(served, &served.writer);
    let mut request = http::Request::post(line.strip_prefix("POST ").unwrap());
    for (name, value) in headers.iter().filter_map(|header| header.split_once(": ")) {
        request = request.header(name, value);
    }
    let request = request.body(axum::body::Body::from(body)).unwrap();
    served.router.clone().oneshot(request).await.unwrap()
}

both!(a_client_that_does_not_listen_keeps_nobody_waiting_once_its_push_is_decided_over, db, {
    let served = Served::over(db).await;
    let main = served.at("main").await.unwrap();
    // What git says of them is more than fits between it and the client.
    let line = |n: usize| format!("{} {main} refs/heads/{n:0>190}", "0".repeat(40));
    let lines: Vec<_> = (0..700).map(line).collect();
    let body = commands(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let (_, pack) = packed(&served, b"new\n").await;
    let answer = unheard(&served, [body, pack].concat()).await;
    assert_eq!(answer.status(), 200);
    let (app, id) = (served.home.app(), served.home.repository);
    let last = format!("refs/heads/{:0>190}", 699);
    while served.at(&last).await.is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let begun = Instant::now();
    drop(app.git.lock(id, Hold::Exclusive).await.unwrap());
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(pushes(&served).await.len(), 700);
    let heard = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    assert!(heard.len() > 128 << 10, "it would have fitted: this proves nothing");
    assert!(String::from_utf8_lossy(&heard).contains(&last), "and the client hears all of it in the end");
});
