//! What an operator wants to know before something goes wrong: room, the clock, backups, a restore that did not end.

use std::path::Path;

use countersign_core::time::Timestamp;
use countersign_server::backup::last;
use countersign_server::config::Config;
use countersign_server::look::{free_bytes, is_being_restored, sealed_at};

use super::look::Finding;
use super::size;

/// Less is a mistake: an import or a large push takes as much.
const ROOM: u64 = 1 << 30;
/// By how much clocks of two servers may differ.
const DRIFT_S: i64 = 60;
/// A backup older than this is worth a word.
const OLD_S: i64 = 7 * 24 * 60 * 60;

/// Every look.
pub(super) async fn all(config: &Config, now: Timestamp) -> Vec<Finding> {
    let mut found =
        vec![room("room for data", &config.data), room("room for repositories", &config.repositories)];
    found.push(clock(now, sealed_at(config).await));
    found.push(backup(&config.data, now));
    if is_being_restored(config) {
        found.push(Finding::wrong(
            "restore",
            "one was begun and has not ended; run the same `countersign restore` again",
        ));
    }
    found
}

fn room(about: &'static str, folder: &Path) -> Finding {
    match free_bytes(folder) {
        Ok(free) if free < ROOM => {
            Finding::wrong(about, format!("only {} are free; make room before pushes fail", size(free)))
        }
        Ok(free) => Finding::good(about, format!("{} are free", size(free))),
        Err(error) => Finding::wrong(about, format!("nobody knows how much is free: {error}")),
    }
}

/// What was written yesterday must not lie in the future: sign-ins and proposals would not run out in time.
fn clock(now: Timestamp, sealed: Option<Timestamp>) -> Finding {
    const ABOUT: &str = "clock";
    match sealed.filter(|sealed| *sealed > now.plus_seconds(DRIFT_S)) {
        Some(sealed) => Finding::wrong(
            ABOUT,
            format!("it is {now}, and the audit log was sealed at {sealed}; set the clock, or let NTP do so"),
        ),
        None => Finding::good(ABOUT, format!("{now}")),
    }
}

fn backup(data: &Path, now: Timestamp) -> Finding {
    const ABOUT: &str = "backup";
    let Some(last) = last(data) else {
        return Finding::good(
            ABOUT,
            "none was made here; `countersign backup FILE` makes one while the server runs",
        );
    };
    let file = last.file.display();
    let said = format!("the last one was made at {} to {file}, {}", last.made_at, size(last.bytes));
    if last.made_at.plus_seconds(OLD_S) < now {
        return Finding::wrong(ABOUT, format!("{said}; that is more than a week ago, so make another"));
    }
    Finding::good(ABOUT, said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Verdict;

    #[test]
    fn a_clock_behind_the_last_seal_is_a_mistake() {
        let now = Timestamp::from_millis(1_000_000_000);
        let verdict = |sealed: Option<i64>| clock(now, sealed.map(Timestamp::from_millis)).verdict;
        assert_eq!(verdict(None), Verdict::Good);
        assert_eq!(verdict(Some(1_000_030_000)), Verdict::Good);
        assert_eq!(verdict(Some(1_000_061_000)), Verdict::Wrong);
    }

    #[test]
    fn an_old_backup_is_a_mistake_and_none_is_said() {
        let data = tempfile::tempdir().unwrap();
        let at = |days: i64| Timestamp::from_millis(days * 24 * 60 * 60 * 1000);
        assert_eq!(backup(data.path(), at(20)).verdict, Verdict::Good);
        let noted = r#"{"made_at":"1970-01-11T00:00:00Z","file":"/b.tar","bytes":1}"#;
        std::fs::write(data.path().join("last-backup.json"), noted).unwrap();
        assert_eq!(backup(data.path(), at(16)).verdict, Verdict::Good);
        let old = backup(data.path(), at(18));
        assert_eq!(old.verdict, Verdict::Wrong);
        assert!(old.said.contains("/b.tar"), "{}", old.said);
    }

    #[test]
    fn room_is_asked_for_where_the_folder_will_be() {
        let data = tempfile::tempdir().unwrap();
        let said = room("room", &data.path().join("not/yet")).said;
        assert!(said.ends_with("free") || said.contains("are free;"), "{said}");
    }
}
