//! A failure of a repository in the words of the application.

use countersign_core::problem::{Code, Problem};
use countersign_git::GitError;

/// What to tell the operator when a repository cannot be read.
const RESTORE: &str =
    "Tell the operator to restore the repository's folder from a backup; `countersign doctor` names it.";

/// A failure of a repository in the words of the application.
pub(crate) fn git_problem(error: GitError) -> Problem {
    let problem = match &error {
        GitError::Busy(_) | GitError::Overloaded | GitError::TimedOut { .. } | GitError::CutShort => {
            Problem::new(Code::RepositoryBusy, error.to_string())
        }
        GitError::TooFar => Problem::new(
            Code::RepositoryBusy,
            "The history is too long to look for this commit in it in the time that a page has.",
        )
        .next("Name a branch or a tag that leads to the commit, or look for it in a clone."),
        // A mistake of the caller, who learns all of it.
        GitError::Import(reason) => return Problem::invalid("folder", reason.clone()),
        GitError::Full { .. } => Problem::new(Code::DiskFull, "The disk of the repositories is full."),
        GitError::Missing(_) => failed("The folder of this repository is not on the server's disk.", RESTORE),
        GitError::Damaged { .. } | GitError::Engine { .. } | GitError::Unsupported { .. } => {
            failed("This repository is damaged and cannot be read.", RESTORE)
        }
        GitError::Disk { .. } => failed(
            "The server cannot use its disk.",
            "Tell the operator to check space and permissions of the repositories folder; the log names it.",
        ),
        GitError::TooMuch { .. } => Problem::new(
            Code::ContentTooLarge,
            "This repository holds something here that is too large to be read on the server.",
        ),
        GitError::NoGit { .. } | GitError::Process { .. } | GitError::Key { .. } => {
            Problem::new(Code::Internal, error.to_string())
        }
    };
    problem.because(error)
}

fn failed(message: &str, next: &str) -> Problem {
    Problem::new(Code::Internal, message).next(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_cannot_be_is_a_mistake_in_the_folder() {
        let problem = git_problem(GitError::Import("there is no folder /nothere".into()));
        assert_eq!((problem.code, &problem.facts["field"]), (Code::InvalidArguments, &"folder".into()));
        assert!(problem.message.contains("/nothere"));
    }

    #[test]
    fn a_full_disk_is_named_as_the_cause() {
        let source = Box::new(std::io::Error::from(std::io::ErrorKind::StorageFull));
        let problem = git_problem(GitError::Full { action: "write a blob".into(), source });
        assert_eq!((problem.code, problem.code.status()), (Code::DiskFull, 507));
    }

    #[test]
    fn what_is_missing_or_damaged_says_to_restore_it_and_names_no_path() {
        let id = countersign_core::id::ResourceId::new(uuid::Uuid::from_u128(1));
        for error in [GitError::Missing(id), GitError::Damaged { what: "object abc".into() }] {
            let problem = git_problem(error);
            assert_eq!((problem.code, problem.next_action.as_str()), (Code::Internal, RESTORE));
        }
    }
}
