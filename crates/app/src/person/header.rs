//! A person as they stand in the header of a commit.

use countersign_core::gitnest::identity::Identity;
use countersign_core::id::UserId;
use countersign_core::problem::Problem;
use countersign_store::{Tx, grant};

/// Their name and mail address as they are now.
pub(crate) async fn identity(t: &Tx<'_>, person: UserId) -> Result<Identity, Problem> {
    let found = grant::person(t, person).await?;
    let (name, mail) = found.ok_or_else(|| Problem::internal("a person without a row"))?;
    Ok(Identity::new(&name, &mail))
}
