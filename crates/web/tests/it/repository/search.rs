//! Search in files.

use countersign_app::testing::history::Change;

use super::Garden;

#[tokio::test]
async fn what_is_found_is_marked_with_its_neighbours_and_leads_to_its_line() {
    let garden = Garden::new().await;
    assert!(garden.text("/search").await.contains("Look for a text in the files"));
    let text = garden.text("/search?q=NEEDLE").await;
    assert!(text.contains("<mark>needle</mark>") && text.contains("files/src/main.rs#L2"), "{text}");
    assert!(text.contains("data-no=\"1\"") && text.contains("1 line in 1 file"), "{text}");
    let tagged = garden.text("/search?q=needle&ref=v1").await;
    assert!(tagged.contains("files/src/main.rs?ref=refs/tags/v1#L2"), "{tagged}");
    assert!(garden.text("/search?q=needle&path=docs/").await.contains("Nothing found"));
    let odd = garden.text("/search?q=odd%20three").await;
    assert!(odd.contains("files/odd/%FF%FE.txt#L1"), "{odd}");
}

#[tokio::test]
async fn what_is_looked_for_is_data() {
    let garden = Garden::new().await;
    let text = garden.text("/search?q=%3Cscript%3E&path=%22%3E%3Cb%3E").await;
    assert!(!text.contains("<script>") && !text.contains("\"><b>"), "{text}");
    let found = garden.text("/search?q=%3Cscript%3Ealert").await;
    assert!(!found.contains("<script>alert") && found.contains("<mark>"), "{found}");
    assert!(garden.text(&format!("/search?q={}", "x".repeat(201))).await.contains("at most 200 characters"));
    assert!(garden.text("/search?q=a%0Ab").await.contains("one line"));
}

#[tokio::test]
async fn a_search_that_was_cut_says_so() {
    let garden = Garden::bare().await;
    let many = "needle\n\n\n".repeat(250);
    garden.plant("Many", &[(b"many", Change::File(many.as_bytes()))]).await;
    let text = garden.text("/search?q=needle").await;
    assert_eq!(text.matches("<mark>needle</mark>").count(), 200);
    assert!(text.contains("The search was cut") && text.contains("and perhaps more"));
}
