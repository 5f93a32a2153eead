//! How long a file may be, its test module aside: 300 lines, more only by a listed exception, 500 never.

use super::exception;
use crate::finding::Finding;
use crate::repository::Repository;

/// What a file should stay under.
pub(super) const SOFT: usize = 300;
const HARD: usize = 500;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let listed = exception::recorded(repository);
    let mut found = Vec::new();
    for source in repository.rust() {
        let lines = source.shipped_len();
        let allowed = listed.get(&exception::long_file(&source.path)).copied().unwrap_or(SOFT);
        if lines > HARD || source.text.lines().count() > 2 * HARD {
            found.push(Finding::new(
                &source.path,
                format!("has {lines} lines"),
                "Find the second unit in it and give that a file of its own.",
            ));
        } else if lines > allowed {
            found.push(Finding::new(
                &source.path,
                format!("has {lines} lines where {allowed} are allowed"),
                "Split it; a longer one is a reviewed line in xtask/exceptions.txt.",
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(shipped: usize, tested: usize) -> String {
        format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", "x\n".repeat(shipped), "x\n".repeat(tested))
    }

    #[test]
    fn a_long_file_is_found_and_its_tests_do_not_make_it_long() {
        assert!(check(&Repository::of(&[("a.rs", &file(SOFT, 400))])).is_empty());
        assert_eq!(check(&Repository::of(&[("a.rs", &file(SOFT + 1, 0))])).len(), 1);
    }

    #[test]
    fn an_exception_raises_the_limit_of_its_file_but_never_over_the_hard_one() {
        let list = "long a.rs 600\n";
        let with =
            |lines| check(&Repository::of(&[("a.rs", &file(lines, 0)), (exception::PATH, list)])).len();
        assert_eq!(with(HARD), 0);
        assert_eq!(with(HARD + 1), 1);
    }
}
