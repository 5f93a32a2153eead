//! How many connections fit into the files that this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is asked for where the system allows it; more would only be memory that a stranger fills.
const WANTED: u64 = 65_536;
/// What databases, repositories and the pipes of git need besides connections.
const KEPT: u64 = 512;
/// More connections than this are never held at once.
const MOST: u64 = 4096;

/// Raises the soft limit of open files as far as the hard one goes, and tells how many connections fit in.
pub(crate) fn for_connections() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let hard = limit.maximum.unwrap_or(WANTED).min(WANTED);
    let mut files = limit.current.unwrap_or(WANTED);
    if files < hard {
        match setrlimit(Resource::Nofile, Rlimit { current: Some(hard), maximum: limit.maximum }) {
            Ok(()) => files = hard,
            Err(error) => tracing::warn!(%error, files, "the limit of open files stays; raise it by hand"),
        }
    }
    connections(files)
}

/// All but what is kept, and half of what is too small for that.
fn connections(files: u64) -> usize {
    let fit = files.saturating_sub(KEPT).max(files / 2).clamp(1, MOST);
    usize::try_from(fit).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stay_for_what_is_no_connection() {
        assert_eq!(connections(64), 32);
        assert_eq!(connections(1024), 512);
        assert_eq!(connections(4096), 3584);
        assert_eq!(connections(1 << 30), 4096);
    }

    #[test]
    fn the_soft_limit_is_raised_to_the_hard_one() {
        let hard = getrlimit(Resource::Nofile).maximum;
        setrlimit(Resource::Nofile, Rlimit { current: Some(256), maximum: hard }).unwrap();
        for_connections();
        let now = getrlimit(Resource::Nofile).current.unwrap();
        assert_eq!(now, hard.unwrap_or(WANTED).min(WANTED));
    }
}
