//! Histories, branches, blame, commits.

use countersign_app::testing::history::{Change, History};

use super::Garden;

#[tokio::test]
async fn a_history_lists_the_commits_of_a_branch_and_of_a_path() {
    let garden = Garden::new().await;
    let all = garden.text("/history").await;
    assert!(all.find("Water the plants") < all.find("Add a picture"), "{all}");
    assert!(all.contains("Plant &lt;b&gt;everything&lt;/b&gt;") && all.contains("Signed"), "{all}");
    let one = garden.text("/history/src/main.rs").await;
    assert!(one.contains("Water the plants") && !one.contains("Add a picture"), "{one}");
    let tagged = garden.text("/history/src/main.rs?ref=v1").await;
    assert!(!tagged.contains("Water the plants") && tagged.contains("Plant"), "{tagged}");
    assert!(garden.text("/history/nothing").await.contains("No commit changed this path"));
}

#[tokio::test]
async fn a_long_history_comes_a_page_at_a_time() {
    let garden = Garden::bare().await;
    let mut history = History::default();
    for n in 0..120 {
        history.commit(
            "main",
            &format!("Commit number {n}"),
            &[(b"a", Change::File(n.to_string().as_bytes()))],
        );
    }
    history.plant(garden.house.app(), garden.id).await;
    let first = garden.text("/history/a").await;
    assert!(
        first.contains("Commit number 119")
            && first.contains("Commit number 70<")
            && !first.contains("Commit number 69<")
    );
    assert!(first.contains("?from=50") && first.contains("rel=\"next\""));
    let last = garden.text("/history/a?from=100").await;
    assert!(
        last.contains("Commit number 0<") && !last.contains("rel=\"next\"") && last.contains("rel=\"prev\"")
    );
    assert!(garden.text("/history?from=500").await.contains("No more commits"));
}

#[tokio::test]
async fn the_branches_say_how_far_they_are_and_which_is_guarded() {
    let garden = Garden::new().await;
    let text = garden.text("/branches").await;
    assert!(text.find(">main<") < text.rfind(">feature/x<"), "{text}");
    assert!(
        text.contains("1 ahead, 1 behind") && text.contains("Protected") && text.contains("default"),
        "{text}"
    );
    assert!(text.contains(&format!("/repositories/{}?ref=feature/x", garden.id)));
    assert!(text.contains("?ref=refs/tags/v1"), "{text}");
}

#[tokio::test]
async fn a_blame_names_the_commit_of_each_line() {
    let garden = Garden::new().await;
    let text = garden.text("/blame/src/main.rs").await;
    let (first, second) = (text.find("id=\"L1\"").unwrap(), text.find("id=\"L2\"").unwrap());
    assert!(
        text[first..second].contains("Plant &lt;b&gt;") && text[second..].contains("Water the plants"),
        "{text}"
    );
    assert!(text.contains("rowspan=\"1\"") && text.contains("href=\"#L3\""), "{text}");
    assert!(garden.text("/blame/binary.bin").await.contains("Not a text"));
    assert!(garden.text("/blame/empty.txt").await.contains("This file is empty."));
}

#[tokio::test]
async fn a_commit_leads_to_its_parents_its_files_and_its_lines() {
    let garden = Garden::new().await;
    let list = garden.text("/history").await;
    let oid = list.split("/commits/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let text = garden.text(&format!("/commits/{oid}")).await;
    let base = format!("/repositories/{}", garden.id);
    assert!(text.contains(&format!("{base}/files/src/main.rs?ref={oid}")), "{text}");
    assert!(
        text.contains(&format!("{base}?ref={oid}")) && text.contains(&format!("{base}/commits/")),
        "{text}"
    );
    assert!(text.contains("Not signed") && text.contains("class=\"text add\""), "{text}");
}

#[tokio::test]
async fn a_commit_without_a_message_has_a_heading_and_a_merge_says_what_it_is_beside() {
    let garden = Garden::new().await;
    garden.plant("", &[(b"a", Change::File(b"1\n"))]).await;
    let latest = async || {
        let list = garden.text("/history").await;
        list.split("/commits/").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let oid = latest().await;
    let text = garden.text(&format!("/commits/{oid}")).await;
    assert!(text.contains("<h1>(no message)</h1>") && text.contains("<title>(no message)"), "{text}");
    assert!(!text.contains("A merge."), "{text}");
    let mut history = History::default();
    history.merge("main", "feature/x", "Take it in");
    history.plant(garden.house.app(), garden.id).await;
    let text = garden.text(&format!("/commits/{}", latest().await)).await;
    assert!(text.contains("A merge.") && text.contains("first parent"), "{text}");
    let first = text.split("first parent, ").nth(1).unwrap();
    assert!(first.starts_with(&format!("<a href=\"/repositories/{}/commits/{oid}\"", garden.id)), "{first}");
}
