//! Generated documents say what the code says.

use crate::document;
use crate::finding::Finding;
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    document::all(repository)
        .into_iter()
        .filter(|document| {
            repository.find(document.path).map(|source| source.text.as_str()) != Some(document.text.as_str())
        })
        .map(|document| {
            Finding::new(
                document.path,
                "is not what the code says",
                "Run `cargo xtask generate` and commit what it wrote.",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_differs_is_found() {
        let without = Repository::of(&[]);
        let documents = document::all(&without);
        assert_eq!(check(&without).len(), documents.len());
        let files: Vec<(&str, &str)> =
            documents.iter().map(|document| (document.path, document.text.as_str())).collect();
        assert!(check(&Repository::of(&files)).is_empty());
        let (path, text) = files[0];
        assert!(!check(&Repository::of(&[(path, &text.replace('e', "a"))])).is_empty());
    }
}
