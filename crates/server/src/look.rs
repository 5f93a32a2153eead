//! Looks at what a server would open, beside one that may be running: nothing is made, locked or migrated.

use countersign_core::id::ResourceId;

use crate::config::Config;

/// What the store says should be on disk, and what of it is not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Repositories {
    /// How many the store knows.
    pub known: usize,
    /// The id of each that does not open, and why.
    pub broken: Vec<(String, String)>,
}

/// Asks the configured database for its repositories and opens each; `None` while there is no database yet.
pub async fn repositories(config: &Config) -> Result<Option<Repositories>, countersign_store::Error> {
    let Some(ids) = countersign_store::look::ready_repositories(&config.database_url).await? else {
        return Ok(None);
    };
    let mut seen = Repositories { known: ids.len(), broken: Vec::new() };
    for id in ids {
        let opened = match ResourceId::parse(&id) {
            Ok(parsed) => {
                countersign_git::host::look(&config.repositories, parsed).map_err(|error| error.to_string())
            }
            Err(_) => Err("its id is none; restore the database from a backup".to_owned()),
        };
        if let Err(why) = opened {
            seen.broken.push((id, why));
        }
    }
    Ok(Some(seen))
}
