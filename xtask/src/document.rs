//! Documents that are written from the code: `cargo xtask generate`.

mod codes;
mod tools;

use std::process::ExitCode;

use crate::repository::{Repository, Unreadable};
use crate::rule;

/// A file whose text follows from the code.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its path from the root of the repository.
    pub(crate) path: &'static str,
    /// What it has to say.
    pub(crate) text: String,
}

/// Every generated document, as it should be.
pub(crate) fn all(repository: &Repository) -> Vec<Document> {
    vec![
        codes::document(),
        tools::document(),
        Document { path: "xtask/exceptions.txt", text: rule::lowered_exceptions(repository) },
    ]
}

/// Writes each document that differs.
pub(crate) fn write(repository: &Repository) -> Result<ExitCode, Unreadable> {
    for document in all(repository) {
        let path = repository.root.join(document.path);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(&document.text) {
            std::fs::write(&path, &document.text).map_err(|error| Unreadable::Write(path.clone(), error))?;
            println!("wrote {}", document.path);
        }
    }
    Ok(ExitCode::SUCCESS)
}
