//! What the command line reads of its surroundings: environment and terminal.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _};

/// The environment, read once and passed on.
#[expect(clippy::disallowed_methods, reason = "this is the edge at which the environment comes in")]
pub(crate) fn environment() -> BTreeMap<String, String> {
    std::env::vars().collect()
}

/// Whether a person reads what is printed.
pub(crate) fn is_read_by_a_person() -> bool {
    io::stdout().is_terminal()
}

/// Whether a person watches what is told beside the answer.
pub(crate) fn is_watched_by_a_person() -> bool {
    io::stderr().is_terminal()
}

/// Asks for a secret on the terminal without showing it; from a pipe it is the first line.
pub(crate) fn ask_secret(prompt: &str) -> io::Result<String> {
    if io::stdin().is_terminal() {
        return rpassword::prompt_password(prompt);
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
