//! Folders and files.

use countersign_app::testing::history::Change;
use http::StatusCode;

use super::{Garden, links, make};
use crate::house::House;

#[tokio::test]
async fn the_list_says_how_to_make_one_then_shows_it_by_project_and_finds_it() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let get = async |path: &str| house.get(path, &[("cookie", &cookie)]).await.text;
    let empty = get("/repositories").await;
    assert!(empty.contains("No repository yet") && empty.contains("countersign repo create"), "{empty}");
    let id = make(&house, "orchard").await;
    make(&house, "vine_yard").await;
    let list = get("/repositories").await;
    assert!(list.contains(&format!("href=\"/repositories/{id}\"")) && list.contains("General"), "{list}");
    assert!(list.contains("Hidden from agents") && list.contains("aria-current=\"page\""));
    let found = get("/repositories?q=ORCH").await;
    assert!(found.contains("orchard") && !found.contains("vine_yard"), "{found}");
    assert!(get("/repositories?q=e_y").await.contains("vine_yard"));
    for nothing in ["/repositories?q=%25%25x", "/repositories?q=r_h", "/repositories?q=%3Cscript%3E"] {
        let none = get(nothing).await;
        assert!(none.contains("No repository has that in its name") && !none.contains("<script>"), "{none}");
    }
    assert!(get("/repositories?from=9999999999").await.contains("No repository"));
}

#[tokio::test]
async fn the_front_shows_branch_files_introduction_and_how_to_clone() {
    let garden = Garden::new().await;
    let text = garden.text("").await;
    for part in [
        "feature/x",
        "refs/tags/v1",
        "src",
        "binary.bin",
        "Water the plants",
        "submodule",
        "git clone http://localhost:8420/git/engines/garden.git",
        "--depth 1",
        "--filter=blob:none",
        "credential.http://localhost:8420.helper",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.find(">docs<") < text.find("README.md"), "folders come first");
    assert!(text.contains("<h1 id=\"readme-garden\">") && !text.contains("javascript:"), "{text}");
    assert!(!text.contains("<script>") && !text.contains("<b>everything"), "{text}");
}

#[tokio::test]
async fn every_link_of_every_page_leads_somewhere() {
    let garden = Garden::new().await;
    let mut waiting = vec![format!("/repositories/{}", garden.id)];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(address) = waiting.pop() {
        let address = address.split('#').next().unwrap().to_owned();
        if !seen.insert(address.clone()) || seen.len() > 700 {
            continue;
        }
        let answer = garden
            .house
            .raw(crate::house::request(
                "GET",
                &address,
                &[("cookie", &garden.cookie)],
                axum::body::Body::empty(),
            ))
            .await;
        // The chooser leads to the same path in another state, and one file is on one branch alone.
        let lacks = address.contains("/only-here.txt") && answer.status() == StatusCode::NOT_FOUND;
        assert!(answer.status() == StatusCode::OK || lacks, "{address}: {}", answer.status());
        if answer.headers()["content-type"].to_str().unwrap().starts_with("text/html") {
            let bytes = axum::body::to_bytes(answer.into_body(), 8 << 20).await.unwrap();
            waiting.extend(links(std::str::from_utf8(&bytes).unwrap()));
        }
    }
    let odd = seen.iter().filter(|address| address.contains("/files/odd/")).count();
    assert!(
        odd >= 5 && seen.iter().any(|a| a.contains("%FF%FE")) && seen.iter().any(|a| a.contains("%0A")),
        "{seen:#?}"
    );
}

#[tokio::test]
async fn odd_names_are_shown_and_break_nothing() {
    let garden = Garden::new().await;
    let text = garden.text("/files/odd").await;
    assert!(text.contains("a b%c#d?e&quot;f'g&lt;h&gt;&amp;.txt"), "{text}");
    assert!(text.contains("U+000A") && text.contains("U+202E") && text.contains('\u{fffd}'), "{text}");
    for (path, holds) in [
        ("odd/a%20b%25c%23d%3Fe%22f%27g%3Ch%3E%26.txt", "odd one"),
        ("odd/line%0Abreak.txt", "odd two"),
        ("odd/%FF%FE.txt", "odd three"),
        ("odd/%C3%A9%E2%80%AEtxt.exe", "odd four"),
        ("odd/back%5Cslash", "odd five"),
    ] {
        assert!(garden.text(&format!("/files/{path}")).await.contains(holds), "{path}");
        assert!(garden.text(&format!("/blame/{path}")).await.contains("Plant &lt;b&gt;everything"), "{path}");
        assert!(
            garden.text(&format!("/history/{path}")).await.contains("Plant &lt;b&gt;everything"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_file_has_colours_and_numbers_to_point_at() {
    let garden = Garden::new().await;
    let text = garden.text("/files/src/main.rs").await;
    assert!(
        text.contains("<tr id=\"L2\">") && text.contains("href=\"#L2\"") && text.contains("c-k"),
        "{text}"
    );
    assert!(text.contains("&lt;i&gt;") && text.contains("3 lines"), "{text}");
    assert!(text.contains(&format!("/repositories/{}/raw/src/main.rs?download=1", garden.id)));
    let before = garden.text("/files/src/main.rs?ref=v1").await;
    assert!(before.contains("&lt;b&gt;") && before.contains("raw/src/main.rs?ref=refs/tags/v1"), "{before}");
    assert!(garden.text("/files/only-here.txt?ref=feature/x").await.contains("here"));
}

#[tokio::test]
async fn what_is_no_text_is_said_to_be_what_it_is() {
    let garden = Garden::new().await;
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    garden.plant("A film", &[(b"film.mov", Change::File(pointer))]).await;
    for (path, said) in [
        ("binary.bin", "Not a text"),
        ("latin.txt", "Not a text"),
        ("empty.txt", "This file is empty."),
        ("link", "A symbolic link"),
        ("module", "A submodule"),
        ("img/dot.png", "<img src="),
        ("ansi.txt", "U+001B"),
        ("film.mov", "a pointer of Git LFS"),
    ] {
        let text = garden.text(&format!("/files/{path}")).await;
        assert!(text.contains(said), "{path}: {text}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{path}");
    }
    let svg = garden.text("/files/drawing.svg").await;
    assert!(!svg.contains("<img") && svg.contains("&lt;</span>svg") || svg.contains("&lt;svg"), "{svg}");
    assert!(garden.text("/files/docs/one.md").await.contains("<h1 id=\"readme-one\">"));
    assert!(garden.text("/files/docs/one.md?view=source").await.contains("id=\"L1\""));
}

#[tokio::test]
async fn a_huge_file_comes_some_lines_at_a_time_and_a_larger_one_not_at_all() {
    let garden = Garden::bare().await;
    let long = "line\n".repeat(5_000);
    let wide = "x".repeat(2_000_000);
    let huge = vec![b'a'; 9 << 20];
    garden
        .plant(
            "Huge",
            &[
                (b"long.txt", Change::File(long.as_bytes())),
                (b"wide.txt", Change::File(wide.as_bytes())),
                (b"huge.txt", Change::File(&huge)),
            ],
        )
        .await;
    let first = garden.text("/files/long.txt").await;
    assert!(first.contains("id=\"L2000\"") && !first.contains("id=\"L2001\""));
    assert!(first.contains("Lines 1 to 2000 of 5000") && first.contains("?from=2000"), "says how to go on");
    let last = garden.text("/files/long.txt?from=4000").await;
    assert!(last.contains("id=\"L5000\"") && !last.contains("rel=\"next\""));
    assert!(garden.text("/files/long.txt?from=5000").await.contains("The file ends before this line."));
    assert!(garden.text("/files/long.txt?from=x").await.contains("id=\"L1\""));
    let wide = garden.text("/files/wide.txt").await;
    assert!(wide.contains("The last line is cut") && wide.len() < 1_000_000);
    let huge = garden.text("/files/huge.txt").await;
    assert!(huge.contains("Too large to show") && huge.len() < 20_000);
    assert!(garden.text("/blame/huge.txt").await.contains("Too large to blame here"));
}

#[tokio::test]
async fn a_huge_folder_comes_a_page_at_a_time() {
    let garden = Garden::bare().await;
    let names: Vec<Vec<u8>> = (0..1_200).map(|n| format!("many/{n:04}").into_bytes()).collect();
    let files: Vec<(&[u8], Change<'_>)> =
        names.iter().map(|name| (name.as_slice(), Change::File(b"x"))).collect();
    garden.plant("Many", &files).await;
    let first = garden.text("/files/many").await;
    assert!(first.contains("files/many/0999") && !first.contains("files/many/1000"));
    assert!(
        first.contains("1000 of 1200 entries") && first.contains("?from=1000"),
        "{}",
        &first[first.len() - 900..]
    );
    let second = garden.text("/files/many?from=1000").await;
    assert!(second.contains("files/many/1199") && !second.contains("files/many/0999"));
}

#[tokio::test]
async fn an_empty_repository_says_how_to_push_the_first_commit() {
    let garden = Garden::bare().await;
    std::fs::remove_file(garden.house.app().git.path(garden.id).join("refs/heads/main")).unwrap();
    let text = garden.text("").await;
    for part in ["Nothing is here yet", "git push -u origin HEAD:main", "git remote add origin", "repo:write"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(garden.text("/history").await.contains("No commit yet"));
    assert!(garden.text("/branches").await.contains("No branch here"));
    assert!(garden.text("/search?q=x").await.contains("Nothing found"));
    for path in ["/blame/README.md", "/raw/README.md"] {
        assert_eq!(garden.page(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
