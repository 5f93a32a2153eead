//! docs/codes.md: every error code with its status and default next action.

use std::fmt::Write as _;

use countersign_core::problem::Code;

use super::Document;

const HEAD: &str = "# Error codes\n\n\
    Written by `cargo xtask generate` from the table in `crates/core/src/problem.rs`. Every surface\n\
    (JSON, page, tool result, command line) shows the same code, sentence and next action; people are not sent to\n\
    the tools of agents.\n\n\
    | code | HTTP | what to do, when nothing more exact is said |\n|---|---|---|\n";

/// The document.
pub(super) fn document() -> Document {
    let mut text = HEAD.to_owned();
    for code in Code::ALL {
        let (next, people) = (code.next_action(), code.next_action_of_people());
        let people = if people == next { String::new() } else { format!(" People: {people}") };
        let _ = writeln!(text, "| `{}` | {} | {next}{people} |", code.as_str(), code.status());
    }
    Document { path: "docs/codes.md", text }
}
