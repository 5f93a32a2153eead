//! Where a host's file is: in the folder in which the command runs, or in the person's own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use countersign_core::host::{Host, Recipe};

use crate::failure::Failure;

/// The path of the file that the host reads.
pub(super) fn of(recipe: &Recipe, environment: &BTreeMap<String, String>) -> Result<PathBuf, Failure> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // Codex reads its folder from the environment first.
    if let (Host::Codex, Some(folder)) = (recipe.host, set("CODEX_HOME")) {
        return Ok(folder.join("config.toml"));
    }
    match recipe.file.strip_prefix("~/") {
        Some(below) => {
            let home = set("HOME").ok_or(Failure::NoHome)?;
            Ok(home.join(below))
        }
        None => Ok(PathBuf::from(recipe.file)),
    }
}

#[cfg(test)]
mod tests {
    use countersign_core::host::ServerName;

    use super::*;

    #[test]
    fn a_file_is_in_the_folder_of_the_work_or_in_the_persons_own() {
        let recipe = |host| Recipe::new(host, &ServerName::default(), "http://localhost:8420/x");
        let mut environment = BTreeMap::from([("HOME".to_owned(), "/home/ann".to_owned())]);
        assert_eq!(of(&recipe(Host::Cursor), &environment).unwrap(), PathBuf::from(".cursor/mcp.json"));
        let codex = recipe(Host::Codex);
        assert_eq!(of(&codex, &environment).unwrap(), PathBuf::from("/home/ann/.codex/config.toml"));
        environment.insert("CODEX_HOME".to_owned(), "/srv/codex".to_owned());
        assert_eq!(of(&codex, &environment).unwrap(), PathBuf::from("/srv/codex/config.toml"));
        assert!(of(&codex, &BTreeMap::new()).is_err());
    }
}
