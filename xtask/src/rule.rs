//! The list of rules. Each file holds one, with the test that shows it can fail.

mod attack;
mod change;
mod edge;
mod exception;
mod fault;
mod first_line;
mod generated;
mod manifest;
mod map;
mod name;
mod owner;
mod size;
mod sql;
mod threat;
mod word;

pub(crate) use exception::lowered as lowered_exceptions;

use crate::finding::Finding;
use crate::repository::Repository;

/// One rule: it looks at the whole checkout and says what it found.
pub(crate) type Rule = fn(&Repository) -> Vec<Finding>;

/// Every rule.
pub(crate) const ALL: &[Rule] = &[
    edge::check,
    owner::check,
    manifest::check,
    first_line::check,
    size::check,
    name::check,
    word::check,
    sql::check,
    change::check,
    fault::check,
    map::check,
    generated::check,
    exception::check,
    attack::check,
    threat::check,
];

/// All that all rules find.
pub(crate) fn check(repository: &Repository) -> Vec<Finding> {
    ALL.iter().flat_map(|rule| rule(repository)).collect()
}
