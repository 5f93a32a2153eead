//! From the part of a list that a person asks for to the row behind which the store begins.

use countersign_core::page::{Part, foreign};
use countersign_core::problem::Problem;
use countersign_store::{ByName, ByTime};

/// Behind a row of a list by name.
pub(crate) fn by_name(part: &Part) -> ByName {
    part.after().map_or_else(ByName::start, |after| ByName {
        name: after.key().to_owned(),
        id: after.id().to_owned(),
    })
}

/// Behind a row of a list with the newest on top.
pub(crate) fn newest_first(part: &Part) -> Result<ByTime, Problem> {
    let Some(after) = part.after() else { return Ok(ByTime::newest()) };
    Ok(ByTime { at: after.key().parse().map_err(|_| foreign())?, id: after.id().to_owned() })
}
