//! What a change does to a file beside its lines: whether it runs, and what kind of thing it is.

use countersign_app::diff::view::{FileDiff, FileMode};

/// In words, where a reader would not expect it: a plain file that stays one says nothing.
pub(super) fn note(file: &FileDiff) -> Option<String> {
    match (file.old_mode, file.new_mode) {
        (Some(old), Some(new)) if old == new => special(new).map(str::to_owned),
        (Some(old @ (FileMode::File | FileMode::Executable)), Some(new)) if special(new).is_none() => {
            Some(format!("mode {} → {}", digits(old), digits(new)))
        }
        (Some(old), Some(new)) => Some(format!("was a {}, now a {}", kind(old), kind(new))),
        (None, Some(FileMode::Executable)) => Some(format!("mode {}", digits(FileMode::Executable))),
        (None, Some(only)) | (Some(only), None) => special(only).map(str::to_owned),
        (None, None) => None,
    }
}

/// What is no file.
const fn special(mode: FileMode) -> Option<&'static str> {
    match mode {
        FileMode::File | FileMode::Executable => None,
        FileMode::Symlink | FileMode::Submodule => Some(kind(mode)),
    }
}

const fn kind(mode: FileMode) -> &'static str {
    match mode {
        FileMode::File | FileMode::Executable => "file",
        FileMode::Symlink => "symbolic link",
        FileMode::Submodule => "submodule",
    }
}

const fn digits(mode: FileMode) -> &'static str {
    match mode {
        FileMode::File => "100644",
        FileMode::Executable => "100755",
        FileMode::Symlink => "120000",
        FileMode::Submodule => "160000",
    }
}

#[cfg(test)]
mod tests {
    use countersign_app::diff::view::{FileBody, FileChange};
    use countersign_core::gitnest::tree_path::TreePath;

    use super::super::{Layout, files};
    use super::*;

    fn file(old_mode: Option<FileMode>, new_mode: Option<FileMode>) -> FileDiff {
        let change = match (old_mode, new_mode) {
            (None, _) => FileChange::Added,
            (_, None) => FileChange::Removed,
            (Some(_), Some(_)) => FileChange::Modified,
        };
        FileDiff {
            path: "run".into(),
            place: TreePath::new("run"),
            from: None,
            change,
            old_mode,
            new_mode,
            added: 0,
            removed: 0,
            body: FileBody::Text(Vec::new()),
        }
    }

    #[test]
    fn what_a_change_does_beside_the_lines_is_said() {
        use FileMode::{Executable, File, Submodule, Symlink};
        for (old, new, said) in [
            (Some(File), Some(File), None),
            (None, Some(File), None),
            (Some(File), Some(Executable), Some("mode 100644 → 100755")),
            (Some(Executable), Some(File), Some("mode 100755 → 100644")),
            (None, Some(Executable), Some("mode 100755")),
            (Some(File), Some(Symlink), Some("was a file, now a symbolic link")),
            (Some(Symlink), Some(Executable), Some("was a symbolic link, now a file")),
            (Some(Submodule), Some(Submodule), Some("submodule")),
            (Some(Symlink), None, Some("symbolic link")),
            (None, None, None),
        ] {
            assert_eq!(note(&file(old, new)).as_deref(), said, "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_file_that_only_changes_its_mode_is_not_called_empty() {
        let shown = |old, new| files(&[file(old, new)], Layout::Unified).into_string();
        let mode = shown(Some(FileMode::File), Some(FileMode::Executable));
        assert!(mode.contains("No line changes.") && mode.contains("mode 100644 → 100755"), "{mode}");
        assert!(!mode.contains("Empty file"), "{mode}");
        assert!(shown(None, Some(FileMode::File)).contains("Empty file."));
    }
}
