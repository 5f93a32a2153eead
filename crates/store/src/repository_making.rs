//! What was asked for while a repository is not ready.

use countersign_core::id::ResourceId;

use crate::{Result, Tx, record};

record! {
    /// One request for a repository, from its first row to its end.
    pub struct Making in "repository_making" {
        /// The repository.
        repository_id: String,
        /// Who asked.
        person_id: String,
        /// The project that was named.
        project_id: String,
        /// The folder to import; nothing where it is made with a first README.
        folder: Option<String>,
        /// When it was asked for.
        asked_at: i64,
    }
}

const FIND: &str = "SELECT {cols} FROM repository_making WHERE repository_id = $1";

/// What was asked for, as long as the repository is not ready.
pub async fn find(t: &Tx<'_>, id: ResourceId) -> Result<Option<Making>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const END: &str = "DELETE FROM repository_making WHERE repository_id = $1";

/// Forgets the request of a repository that is ready.
pub async fn end(t: &Tx<'_>, id: ResourceId) -> Result<()> {
    t.exec(END, &[&id.to_string()]).await.map(|_| ())
}

const GIVE_UP_REQUEST: &str = "DELETE FROM repository_making WHERE repository_id = $1 \
    AND EXISTS (SELECT 1 FROM repository WHERE id = $1 AND ready_at IS NULL)";
const GIVE_UP: &str = "DELETE FROM repository WHERE id = $1 AND ready_at IS NULL";
const GIVE_UP_RESOURCE: &str = "DELETE FROM resource WHERE id = $1";

/// Takes back the rows of a repository that never became ready, and with them its name. Tells whether it did.
pub async fn give_up(t: &Tx<'_>, id: ResourceId) -> Result<bool> {
    let key = id.to_string();
    let _ = t.exec(GIVE_UP_REQUEST, &[&key]).await?;
    let gone = t.exec(GIVE_UP, &[&key]).await? > 0;
    if gone {
        let _ = t.exec(GIVE_UP_RESOURCE, &[&key]).await?;
    }
    Ok(gone)
}
