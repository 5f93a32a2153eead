//! A use case that holds a permit changes the store by `Permit::write` alone, which asks the gate again.

use crate::finding::Finding;
use crate::repository::Repository;

/// Files with both, and how many writes of another kind each has.
const OTHERS: [(&str, usize); 4] = [
    // `Permit::write` itself.
    ("crates/app/src/gate/permit.rs", 1),
    // Binds a question to the browser that was shown it.
    ("crates/app/src/oauth/show.rs", 1),
    // The server expires what is due.
    ("crates/app/src/proposal/close.rs", 1),
    // Takes back what could not be made.
    ("crates/app/src/repository/claim.rs", 1),
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in repository.rust().filter(|source| source.path.starts_with("crates/app/src/")) {
        let shipped: Vec<_> = source.shipped_lines().collect();
        if !shipped.iter().any(|(_, text)| text.contains("Permit<")) {
            continue;
        }
        let together: String = shipped.iter().map(|(_, text)| text.trim()).collect();
        let writes = together.matches(".db.write(").count();
        let most = OTHERS.iter().find(|(path, _)| *path == source.path).map_or(0, |(_, most)| *most);
        if writes != most {
            found.push(Finding::at(
                &source.path,
                1,
                format!("writes {writes} times past its permit, where {most} are known"),
                "Use `permit.write`, or say in xtask/src/rule/change.rs what else it is.",
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_past_a_permit_is_found_however_it_is_broken_into_lines() {
        let count = |path: &str, text: &str| check(&Repository::of(&[(path, text)])).len();
        let broken = "fn save(permit: Permit<()>) {\n    app\n        .db\n        .write(move |t| t);\n}";
        assert_eq!(count("crates/app/src/a.rs", broken), 1);
        assert_eq!(count("crates/app/src/a.rs", &broken.replace("app\n        .db", "permit")), 0);
        assert_eq!(count("crates/app/src/a.rs", &broken.replace("Permit<()>", "Caller")), 0);
        assert_eq!(count("crates/web/src/a.rs", broken), 0);
        assert_eq!(count("crates/app/src/oauth/show.rs", broken), 0);
    }
}
