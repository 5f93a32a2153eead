//! Changes a file of another program: whole or not at all, with its permissions, through a link to where it leads.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::merge::Unreadable;
use crate::failure::Failure;

/// What a change came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// The file is another one now.
    Changed,
    /// It said so before; it was not touched.
    Same,
}

/// Puts `change` of the file's text in its place; of nothing, when there is no file. A file that cannot be read, or
/// in whose place nothing can be put, stays as it is.
pub(super) fn update(
    path: &Path,
    change: impl FnOnce(&str) -> Result<String, Unreadable>,
) -> Result<Written, Failure> {
    let failed = |source| Failure::File { path: path.to_owned(), source };
    // The file itself is changed, not a link that a person put there.
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => path.to_owned(),
        Err(error) => return Err(failed(error)),
    };
    let before = match fs::read_to_string(&target) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let after = change(before.as_deref().unwrap_or_default())
        .map_err(|why| Failure::Unreadable { path: path.to_owned(), why })?;
    if before.as_deref() == Some(after.as_str()) {
        return Ok(Written::Same);
    }
    if replace(&target, &after, before.as_deref()).map_err(failed)? {
        Ok(Written::Changed)
    } else {
        let why = Unreadable("another program changed it meanwhile; run it again".to_owned());
        Err(Failure::Unreadable { path: path.to_owned(), why })
    }
}

/// Puts a text in the place of another; not in the place of one that the host wrote meanwhile. Between the last look
/// and the change there is no time for a person, and nothing that could be locked against a program.
fn replace(target: &Path, text: &str, before: Option<&str>) -> io::Result<bool> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A new file is one like any other, less what the umask takes: some are meant to be shared, none holds a secret.
    let mut fresh = tempfile::Builder::new()
        .prefix(".countersign-")
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    fresh.as_file().sync_all()?;
    let Some(before) = before else {
        return match fresh.persist_noclobber(target) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.error),
        };
    };
    fs::set_permissions(fresh.path(), fs::metadata(target)?.permissions())?;
    if fs::read(target)? != before.as_bytes() {
        return Ok(false);
    }
    fresh.persist(target)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_new_file_comes_with_its_folder() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a/b/mcp.json");
        assert_eq!(update(&path, |_| Ok("x".to_owned())).unwrap(), Written::Changed);
        assert_eq!(fs::read_to_string(&path).unwrap(), "x");
        assert_eq!(update(&path, |before| Ok(before.to_owned())).unwrap(), Written::Same);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_a_host_writes_meanwhile_is_not_lost() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("mcp.json");
        for _ in ["a new file", "one that is there"] {
            let refused = update(&path, |before| {
                fs::write(&path, format!("{before}theirs")).unwrap();
                Ok("ours".to_owned())
            });
            assert!(matches!(refused, Err(Failure::Unreadable { .. })));
            assert!(fs::read_to_string(&path).unwrap().ends_with("theirs"));
            assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing is left beside it");
        }
    }

    #[test]
    fn a_new_file_may_be_read_by_whom_the_umask_lets() {
        let home = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(home.path().join(name)).unwrap().permissions().mode() & 0o777;
        fs::write(home.path().join("any"), "").unwrap();
        update(&home.path().join("mcp.json"), |_| Ok("x".to_owned())).unwrap();
        assert_eq!(mode("mcp.json"), mode("any"));
    }

    #[test]
    fn permissions_and_links_stay() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("real.json"), home.path().join("link.json"));
        fs::write(&real, "1").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        update(&link, |before| Ok(format!("{before}2"))).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "12");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn what_cannot_be_merged_or_read_is_not_touched() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("mcp.json");
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(matches!(update(&path, |_| Ok(String::new())), Err(Failure::File { .. })));
        fs::write(&path, "{").unwrap();
        let refused = update(&path, |_| Err(Unreadable("it ends early".to_owned())));
        assert!(matches!(refused, Err(Failure::Unreadable { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "{");
        let lost = home.path().join("lost.json");
        symlink(home.path().join("nowhere"), &lost).unwrap();
        assert!(update(&lost, |_| Ok("x".to_owned())).is_err(), "a link to nowhere is not replaced");
        assert!(lost.is_symlink());
    }
}
