//! From the diff of the git crate to what pages show.

use countersign_git::diff::{Body, Change, Diff, FileDiff as GitFile, Line as GitLine, Mode};

use super::view::{FileBody, FileChange, FileDiff, FileMode, Hunk, Line};

/// The files of a diff, in its order.
pub(crate) fn files(diff: Diff) -> Vec<FileDiff> {
    diff.files.into_iter().map(file).collect()
}

fn file(file: GitFile) -> FileDiff {
    let GitFile { path, from, change, old_mode, new_mode, added, removed, body } = file;
    let change = match change {
        Change::Added => FileChange::Added,
        Change::Modified => FileChange::Modified,
        Change::Removed => FileChange::Removed,
    };
    let body = match body {
        Body::Text(hunks) => FileBody::Text(
            hunks
                .into_iter()
                .map(|hunk| Hunk { lines: hunk.lines.into_iter().map(line).collect() })
                .collect(),
        ),
        Body::Binary => FileBody::Binary,
        Body::TooLarge(lines) => FileBody::TooLarge(lines),
        Body::NotCompared => FileBody::NotCompared,
    };
    let (old_mode, new_mode) = (old_mode.map(mode), new_mode.map(mode));
    let from = from.map(|path| path.to_string());
    FileDiff { path: path.to_string(), place: path, from, change, old_mode, new_mode, added, removed, body }
}

const fn mode(mode: Mode) -> FileMode {
    match mode {
        Mode::File => FileMode::File,
        Mode::Executable => FileMode::Executable,
        Mode::Symlink => FileMode::Symlink,
        Mode::Submodule => FileMode::Submodule,
    }
}

fn line(line: GitLine) -> Line {
    match line {
        GitLine::Same { old, new, text } => Line::Same { old, new, text },
        GitLine::Removed { old, text } => Line::Removed { old, text },
        GitLine::Added { new, text } => Line::Added { new, text },
        GitLine::NoEnding => Line::NoEnding,
    }
}
