//! The pages of one repository: files, who wrote them, history, branches, search.

pub mod blame;
pub mod branches;
mod clone;
pub mod files;
mod folder;
pub mod history;
mod member;
pub mod search;
pub mod settings;
pub mod shell;
mod source;
