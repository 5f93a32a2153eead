//! What the command line reads of its surroundings: environment and terminal.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use countersign_core::time::Timestamp;
use countersign_server::backup::Step;

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

/// This moment.
pub(crate) fn now() -> Timestamp {
    countersign_server::now()
}

/// Tells a step of long work to a person who watches, each in the place of the one before.
pub(crate) fn tell_step(step: &Step) {
    if is_watched_by_a_person() {
        let _ = write!(io::stderr(), "\r{:<70}", format!("{step} …"));
    }
}

/// Leaves the line of steps empty.
pub(crate) fn end_steps() {
    if is_watched_by_a_person() {
        let _ = write!(io::stderr(), "\r{:<70}\r", "");
    }
}
