//! Folders: made for this user alone, their names kept over a power cut, and listed.

use std::fs::{DirBuilder, DirEntry, File, read_dir};
use std::io::{ErrorKind, Result};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::error::GitError;

/// Makes a folder, and what is missing above it, with mode 0700; one that is there stays as it is.
pub fn make_private(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_private(above)?;
    match DirBuilder::new().mode(0o700).create(path) {
        // Another server came first.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_names(above),
    }
}

/// Makes the names in a folder survive a power cut: a file that is synced is still lost when its folder is not.
pub fn sync_names(folder: &Path) -> Result<()> {
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        // Who may write there and not read cannot ask for more.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// The entries of a folder; none where it does not exist.
pub(crate) fn entries(folder: &Path) -> crate::error::Result<Vec<DirEntry>> {
    match read_dir(folder) {
        Ok(list) => list.collect::<Result<_>>().map_err(GitError::disk("list", folder)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(GitError::disk("list", folder)(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_new_folder_is_for_this_user_alone_and_so_is_what_is_made_above_it() {
        let above = tempfile::tempdir().unwrap();
        let (middle, data) = (above.path().join("middle"), above.path().join("middle/data"));
        for _ in 0..2 {
            make_private(&data).unwrap();
            for folder in [&middle, &data] {
                assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
            }
        }
    }

    #[test]
    fn a_folder_that_is_there_keeps_its_mode_and_a_file_in_its_place_is_an_error() {
        let above = tempfile::tempdir().unwrap();
        let open = above.path().join("open");
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        make_private(&open).unwrap();
        assert_eq!(std::fs::metadata(&open).unwrap().permissions().mode() & 0o777, 0o755);
        std::fs::write(above.path().join("file"), "").unwrap();
        assert!(make_private(&above.path().join("file")).is_err());
    }
}
