//! A search finds what `git grep` finds, and stops at its bounds.

use std::sync::atomic::AtomicBool;

use countersign_git::revision::Revision;
use countersign_git::search::{Matches, Search};

use crate::place::{Place, main_branch};
use crate::work::Work;

fn search(query: &str, path_prefix: &str, limit: usize) -> Search {
    Search { query: query.to_owned(), path_prefix: path_prefix.to_owned(), limit, around: 0 }
}

async fn searched(place: &Place, search: Search) -> Matches {
    place.host.search(place.id, Revision::Branch(main_branch()), search).await.unwrap().unwrap()
}

async fn furnished() -> (Place, Work) {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("src/main.rs", "fn main() {\n    Orchard::new();\n}\n");
    work.write("src/lib/tree.rs", "// orchard\n// ORCHARD orchard\n");
    work.write("srcs", "orchard\n");
    work.write("nul", "orchard\0\n");
    work.write("latin", b"orchard \xff\n");
    work.link("link", "orchard");
    work.commit("Orchards");
    (place, work)
}

fn lines(matches: &Matches) -> Vec<String> {
    matches.items.iter().map(|found| format!("{}:{}:{}", found.path, found.line, found.text)).collect()
}

#[tokio::test]
async fn every_line_of_text_that_git_grep_finds_is_found_in_the_same_order() {
    let (place, work) = furnished().await;
    let seen = searched(&place, search("oRCHARD", "", 50)).await;
    let said = work.git(&["grep", "-n", "-I", "-i", "-F", "orchard", "HEAD"]);
    let wanted: Vec<String> = said
        .lines()
        .map(|line| line.trim_start_matches("HEAD:").to_owned())
        // git takes a file without NUL for text, in whatever encoding.
        .filter(|line| !line.starts_with("latin:"))
        .collect();
    assert_eq!(lines(&seen), wanted);
    assert!(!seen.truncated);
    assert!(wanted.len() == 5, "{wanted:?}");
}

#[tokio::test]
async fn a_prefix_narrows_the_search_to_paths_that_begin_with_it() {
    let (place, _) = furnished().await;
    let paths = |matches: Matches| {
        let mut paths: Vec<String> = matches.items.into_iter().map(|found| found.path.to_string()).collect();
        paths.dedup();
        paths
    };
    assert_eq!(
        paths(searched(&place, search("orchard", "src/", 50)).await),
        ["src/lib/tree.rs", "src/main.rs"]
    );
    assert_eq!(paths(searched(&place, search("orchard", "src/lib", 50)).await), ["src/lib/tree.rs"]);
    assert_eq!(paths(searched(&place, search("orchard", "srcs", 50)).await), ["srcs"]);
    assert!(searched(&place, search("orchard", "lib/", 50)).await.items.is_empty());
}

#[tokio::test]
async fn a_search_says_whether_there_may_be_more() {
    let (place, _) = furnished().await;
    let seen = searched(&place, search("orchard", "", 5)).await;
    assert_eq!((seen.items.len(), seen.truncated), (5, false));
    let seen = searched(&place, search("orchard", "", 4)).await;
    assert_eq!((seen.items.len(), seen.truncated), (4, true));
}

#[tokio::test]
async fn a_search_that_is_told_to_stop_stops_and_says_so() {
    let (place, _) = furnished().await;
    let work = |repo: &countersign_git::Repo| {
        let tip = repo.tip(&main_branch())?.unwrap();
        repo.search(tip, &search("orchard", "", 50), &AtomicBool::new(true))
    };
    let seen = place.host.with(place.id, work).await.unwrap();
    assert_eq!(seen, Matches { items: Vec::new(), truncated: true });
}

#[tokio::test]
async fn a_search_on_no_branch_finds_nothing_to_search() {
    let (place, _) = furnished().await;
    let revision = Revision::parse("nowhere").unwrap();
    let seen = place.host.search(place.id, revision, search("orchard", "", 1)).await;
    assert_eq!(seen.unwrap(), None);
}

#[tokio::test]
async fn a_match_comes_with_its_neighbours_and_with_where_it_stands() {
    let (place, _) = furnished().await;
    let seen = searched(&place, Search { around: 1, ..search("ORCHARD", "src/", 50) }).await;
    let [first, second, third] = &seen.items[..] else { panic!("{seen:?}") };
    assert_eq!((first.text.as_str(), first.found.len(), &first.found[0]), ("// orchard", 1, &(3..10)));
    assert_eq!((first.before.len(), first.after.as_slice()), (0, &["// ORCHARD orchard".to_owned()][..]));
    assert_eq!(second.found, [3..10, 11..18]);
    assert_eq!(
        (third.before.as_slice(), third.after.as_slice()),
        (&["fn main() {".to_owned()][..], &["}".to_owned()][..])
    );
}
